/**
 * Formats decimal strings in a language with every digit. `Intl` provides only the separators of a language (once, on
 * the server); an amount never becomes a binary number.
 */
import type { Locale } from '#lib/contract/locales.ts'
import { intlTag } from './intl-locale.ts'

/** A language's separators. */
export interface NumberMarks {
  readonly decimal: string
  readonly group: string
  /** Minimum number of digits before the first separator: 1 groups `1234`, 2 only `12345`. */
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

/** The digits in groups of three, counted from the end. */
function groupsOf(digits: string): readonly string[] {
  const groups: string[] = []
  for (let end = digits.length; end > 0; end -= 3) groups.push(digits.slice(Math.max(0, end - 3), end))
  return groups.reverse()
}

/** `-1234.5600` as `-1,234.5600`. Text that is not a plain decimal is returned unchanged. */
export function formatDecimal(value: string, marks: NumberMarks): string {
  const match = PLAIN.exec(value)
  if (!match) return value
  const [, sign = '', whole = '', fraction] = match
  const grouped = whole.length < 3 + marks.groupFrom ? whole : groupsOf(whole).join(marks.group)
  return `${sign === '-' ? '\u2212' : ''}${grouped}${fraction === undefined ? '' : marks.decimal + fraction}`
}
