/** Builds the Markdown of the generated pages. */
import { relative } from 'node:path/posix'
import { anchorOf } from '../read-markdown.ts'

export const WRITTEN = '<!-- Written by `npm run reference`. -->'

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
const row = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`

export const markdownTable = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n')

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
