/** What the tests of the documents read from Markdown: sections, tables, lists, headings, links. */

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

/** Name and meaning of a list's entry `- name: meaning`; a colon in backticks is part of the name. */
const entryOf = (line: string): readonly string[] => /^- ((?:`[^`]*`|[^`:])+): (.*)$/.exec(line)?.slice(1) ?? []

/** All rows of all tables in a text, without their heads, and all entries of lists that have a name. */
export function rowsOf(text: string): readonly (readonly string[])[] {
  const lines = text.split('\n')
  return lines
    .filter((line, at) => !/^\|[\s|:-]+\|$/.test(line) && !/^\|[\s|:-]+\|$/.test(lines[at + 1] ?? ''))
    .map((line) => (line.startsWith('|') ? cellsOf(line) : entryOf(line)))
    .filter((cells) => cells.length > 0)
}

/** The rows of the tables and lists in one section. */
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
