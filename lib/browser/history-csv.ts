/** The visible rows as CSV (RFC 4180), every cell quoted. */

/** A spreadsheet with another separator than ours may start a cell after each of these characters inside our cell. */
const SEPARATORS = ',;|\t\r\n'
/** A spreadsheet runs a cell that starts like this, after quotes and white space, as a formula. */
const FORMULA_STARTS = '=+-@\t\r'

/** The text with an apostrophe before each start of a formula, which keeps it text. */
function withoutFormulas(text: string): string {
  let safe = ''
  let atStart = true
  for (const character of text) {
    safe += atStart && FORMULA_STARTS.includes(character) ? `'${character}` : character
    atStart = SEPARATORS.includes(character) || (atStart && /["\s]/.test(character))
  }
  return safe
}

const cell = (text: string): string => `"${withoutFormulas(text).replaceAll('"', '""')}"`

/** Starts with a byte order mark, so that spreadsheets recognise UTF-8. */
export const toCsv = (header: readonly string[], rows: readonly (readonly string[])[]): string =>
  `\ufeff${[header, ...rows].map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`
