/** Reads sections, tables, headings and links from Markdown, for the tests of the documents. */

const FENCE = /^(```|~~~)[\s\S]*?^\1\s*$/gm

/** The text without code blocks, in which `#` and `|` have other meanings. */
export const withoutCode = (text: string): string => text.replaceAll(FENCE, '')

/** The text below a heading, up to the next heading of any level. @throws when there is no such heading */
function sectionOf(text: string, heading: string): string {
  const lines = text.split('\n')
  const at = lines.findIndex((line) => /^#+ /.test(line) && line.replace(/^#+ /, '') === heading)
  if (at < 0) throw new Error(`no heading "${heading}"`)
  const length = lines.slice(at + 1).findIndex((line) => /^#+ /.test(line))
  return lines.slice(at + 1, length < 0 ? undefined : at + 1 + length).join('\n')
}

/** The cells of a table row; `\|` does not end a cell. */
const cellsOf = (row: string): readonly string[] =>
  row
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim())

/** All rows of all tables in a text, without their heads. */
export function rowsOf(text: string): readonly (readonly string[])[] {
  const lines = text.split('\n')
  return lines
    .filter(
      (line, at) => line.startsWith('|') && !/^\|[\s|:-]+\|$/.test(line) && !/^\|[\s|:-]+\|$/.test(lines[at + 1] ?? ''),
    )
    .map(cellsOf)
}

/** The rows of the tables in one section. */
export const rowsUnder = (text: string, heading: string): readonly (readonly string[])[] =>
  rowsOf(sectionOf(withoutCode(text), heading))

/** The value of the first JSON block in a section; none of its lines may look like a heading. */
export function exampleUnder(text: string, heading: string): unknown {
  const [, json = ''] = /```json\n([\s\S]*?)```/.exec(sectionOf(text, heading)) ?? []
  return JSON.parse(json)
}

/** The texts in backticks. */
export const namesIn = (cell: string): readonly string[] =>
  Array.from(cell.matchAll(/`([^`]+)`/g), ([, name = '']) => name)

export const headingsOf = (text: string): readonly string[] =>
  Array.from(withoutCode(text).matchAll(/^#{1,6} (.+)$/gm), ([, heading = '']) => heading.trim())

/** The anchor that GitHub gives a heading. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-')

/** The anchors of a document: a repeated heading gets a number. */
export function anchorsOf(text: string): ReadonlySet<string> {
  const anchors = new Set<string>()
  for (const heading of headingsOf(text)) {
    const anchor = anchorOf(heading)
    let free = anchor
    for (let again = 1; anchors.has(free); again += 1) free = `${anchor}-${again}`
    anchors.add(free)
  }
  return anchors
}
