/** Builds the Markdown of the generated pages. */
import { relative } from 'node:path/posix'
import { anchorOf } from '../read-markdown.ts'

export const WRITTEN = '<!-- Written by `npm run reference`. -->'

/** A list of what has a name: `- name: what it is`. */
export const markdownList = (entries: readonly (readonly [name: string, is: string])[]): string =>
  entries.map(([name, is]) => `- ${name}: ${is}`.replaceAll('\n', ' ')).join('\n')

/** Escapes text, so that it is not read as Markdown. */
export const plain = (text: string): string => text.replaceAll(/[*\\]/g, '\\$&')

/** Makes `docs/….md, "Heading"` a link in a page of docs/reference. */
export const linked = (text: string): string =>
  text.replaceAll(
    /docs\/([\w/-]+\.md), "([^"]+)"/g,
    (_, file: string, heading: string) => `[${heading}](${relative('reference', file)}#${anchorOf(heading)})`,
  )

export const code = (text: string): string => `\`${text}\``

/** On one line if it fits; the formatter keeps such lines. */
export function jsonBlock(value: unknown): string {
  const line = JSON.stringify(value)
  return `\`\`\`json\n${line.length <= 100 ? line : JSON.stringify(value, null, 2)}\n\`\`\``
}

/** Joins parts with an empty line between them; empty parts are left out. */
export const paragraphs = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join('\n\n')
