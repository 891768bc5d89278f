/** llms.txt and llms-full.txt (llmstxt.org): the documents for programs that read text. */
import type { NavigationGroup } from './navigation.ts'
import { copyOf, isMarkdown, OPENAPI, placeOf, targetOf, wayTo } from './site-files.ts'

/** The file that says how to install and embed the cashier, step by step. */
const ASSISTANT = 'docs/assistant.md'

/** What only developers of the cashier need. */
const OPTIONAL = 'Internal'

/** The place of the merchant API for programs. */
export const OPENAPI_COPY = 'openapi.json'

/** The place of a document as Markdown; of anything else, of its copy for programs. */
export const markdownPlace = (file: string): string =>
  isMarkdown(file) ? placeOf(file).replace(/\.html$/, '.md') : file === OPENAPI ? OPENAPI_COPY : copyOf(file)

const summaryOf = (text: string): string => {
  const [, paragraph = ''] = text.split('\n\n').filter((part) => !part.startsWith('<!--'))
  return paragraph.startsWith('#') || paragraph.startsWith('- ') ? '' : (paragraph.split('\n')[0] ?? '')
}

export interface LlmsFacts {
  readonly version: string
  readonly navigation: readonly NavigationGroup[]
  readonly textOf: (file: string) => string
}

const LINK = /\]\((?!https?:|mailto:|#)([^)\s]+)\)/g
const FENCE = '```'

/** A document with links that fit its place in the site. @param place where it will be; by default with its own page */
export const siteMarkdown = (file: string, text: string, place = markdownPlace(file)): string =>
  text
    .split(FENCE)
    .map((part, at) => {
      // Every second part is code.
      if (at % 2 === 1) return part
      return part.replaceAll(LINK, (whole, href: string) => {
        const target = targetOf(file, href)
        return target.kind === 'outside' ? whole : `](${wayTo(place, markdownPlace(target.file))}${target.anchor})`
      })
    })
    .join(FENCE)

/** @param folder of the version, with a slash at its end, if the file is not in it */
export function llmsText({ version, navigation, textOf }: LlmsFacts, folder = ''): string {
  const link = (text: string, place: string): string => `- [${text}](${folder}${place})`
  const groups = navigation.map(({ name, items }) => {
    const links = items.filter(({ file }) => isMarkdown(file)).map(({ text, file }) => link(text, markdownPlace(file)))
    return `## ${name === OPTIONAL ? 'Optional' : name}\n\n${links.join('\n')}`
  })
  return `# Cashier ${version}

> ${summaryOf(textOf('README.md'))}

${link('Install and embed it, step by step', markdownPlace(ASSISTANT))}
${link('The merchant API as OpenAPI', OPENAPI_COPY)}
${link('All documents in one file', 'llms-full.txt')}

${groups.join('\n\n')}
`
}

/** The documents that integrators and operators need, one after the other. */
export function llmsFullText({ navigation, textOf }: LlmsFacts): string {
  const files = navigation.filter(({ name }) => name !== OPTIONAL).flatMap(({ items }) => items.map(({ file }) => file))
  return [...new Set([ASSISTANT, ...files])]
    .filter(isMarkdown)
    .map((file) => `<!-- ${markdownPlace(file)} -->\n\n${siteMarkdown(file, textOf(file), '').trim()}\n`)
    .join('\n')
}
