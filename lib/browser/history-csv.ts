/** The visible rows as CSV (RFC 4180), every cell quoted. */

/**
 * A spreadsheet runs a cell that starts like this as a formula, and an apostrophe keeps it text. Where its separator is
 * another than ours, a cell of it may begin behind each of these signs in a cell of ours.
 */
const FORMULA = /(^|[,;|\t\r\n])(["\s]*)(?=[=+\-@\t\r])/g

const cell = (text: string): string => `"${text.replace(FORMULA, "$1$2'").replaceAll('"', '""')}"`

/** With a byte order mark, by which spreadsheets recognise UTF-8. */
export const toCsv = (header: readonly string[], rows: readonly (readonly string[])[]): string =>
  `\ufeff${[header, ...rows].map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`
