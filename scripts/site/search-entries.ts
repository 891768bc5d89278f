/** What the search of the site finds: one entry for each heading. */
import type { SitePage } from './page-template.ts'
import { plainText } from './render-markdown.ts'

export interface SearchEntry {
  /** From the root of the version. */
  readonly url: string
  readonly page: string
  readonly heading: string
  readonly text: string
}

export const searchEntries = (pages: readonly SitePage[]): readonly SearchEntry[] =>
  pages.flatMap(({ place, title, sections }) =>
    sections.map(({ anchor, heading, html }) => ({
      url: anchor === '' ? place : `${place}#${anchor}`,
      page: title,
      heading,
      text: plainText(html.slice(html.indexOf('</h'))),
    })),
  )
