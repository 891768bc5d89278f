/** CSV (RFC 4180), every cell quoted. */

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

/** A negative number as a whole cell is a number everywhere, and must stay one. */
const isNumber = (text: string): boolean => /^-\d+(\.\d+)?$/.test(text)

const cell = (text: string): string => `"${(isNumber(text) ? text : withoutFormulas(text)).replaceAll('"', '""')}"`

/** The byte order mark at the start of a file, by which spreadsheets recognise UTF-8. */
export const CSV_START = '\ufeff'

export const csvLine = (cells: readonly string[]): string => `${cells.map(cell).join(',')}\r\n`
