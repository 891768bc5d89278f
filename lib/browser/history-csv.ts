/** The visible rows as CSV (RFC 4180), every cell quoted. */

/**
 * A spreadsheet runs a cell that starts like this as a formula; an apostrophe keeps it text. A spreadsheet with another
 * separator than ours may start a cell after each of these characters inside our cell.
 */
const FORMULA = /(^|[,;|\t\r\n])(["\s]*)(?=[=+\-@\t\r])/g

const cell = (text: string): string => `"${text.replace(FORMULA, "$1$2'").replaceAll('"', '""')}"`

/** Starts with a byte order mark, so that spreadsheets recognise UTF-8. */
export const toCsv = (header: readonly string[], rows: readonly (readonly string[])[]): string =>
  `\ufeff${[header, ...rows].map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`
