/**
 * Shows decimal strings in a language with every digit they have. `Intl` says how a language writes numbers (once, on
 * the server); the digits themselves never become a binary number.
 */
import type { Locale } from '#lib/contract/cashier.ts'
import { intlTag } from './locale-facts.ts'

/** How a language writes a number. */
export interface NumberMarks {
  readonly decimal: string
  readonly group: string
  /** From how many digits before the first mark grouping begins: 1 groups `1234`, 2 only `12345`. */
  readonly groupFrom: number
}

export function numberMarks(locale: Locale): NumberMarks {
  const format = new Intl.NumberFormat(intlTag(locale))
  const partOf = (value: number, type: string) => format.formatToParts(value).find((part) => part.type === type)?.value
  return {
    decimal: partOf(1.5, 'decimal') ?? '.',
    group: partOf(1_234_567, 'group') ?? ',',
    groupFrom: partOf(1234, 'group') === undefined ? 2 : 1,
  }
}

const PLAIN = /^(-?)(\d+)(?:\.(\d+))?$/

/** `-1234.5600` as `-1,234.5600`. A text that is no plain decimal comes back as it is: shown, rather than mended. */
export function formatDecimal(value: string, marks: NumberMarks): string {
  const match = PLAIN.exec(value)
  if (!match) return value
  const [, sign = '', whole = '', fraction] = match
  const grouped = whole.length < 3 + marks.groupFrom ? whole : whole.replace(/\B(?=(?:\d{3})+$)/g, () => marks.group)
  return `${sign === '-' ? '\u2212' : ''}${grouped}${fraction === undefined ? '' : marks.decimal + fraction}`
}
