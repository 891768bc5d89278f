/**
 * Parses an amount as people type it: with comma or point, with grouping, in the digits of any keyboard of our
 * languages. Text with two readings is reported as ambiguous, never guessed.
 */
import { amountFault, type AmountFault } from '#lib/contract/money.ts'
import type { NumberMarks } from './decimal-format.ts'

export type TypedAmount =
  | { readonly state: 'empty' }
  /** `decimal` is canonical: plain, with a point, the fraction as typed. */
  | { readonly state: 'amount'; readonly decimal: string }
  /** `1,234` may be 1234 or 1.234. Both readings, each in an unambiguous spelling. */
  | { readonly state: 'ambiguous'; readonly whole: string; readonly fractional: string }
  | { readonly state: 'fault'; readonly fault: AmountFault }

/** The zeros of Arabic-Indic, Persian and full-width digits. */
const ZEROS = [0x0660, 0x06f0, 0xff10] as const
const latinDigits = (text: string): string =>
  text.replace(/[\u0660-\u0669\u06f0-\u06f9\uff10-\uff19]/g, (digit) => {
    const code = digit.charCodeAt(0)
    return String(code - (ZEROS.findLast((zero) => zero <= code) ?? code))
  })

/** Spaces and apostrophes only group; full-width and Arabic separators become Latin ones. */
const REPLACEMENTS: readonly (readonly [RegExp, string])[] = [
  [/[\s'\u2019\u00a0\u202f\u066c]/g, ''],
  [/[\u200e\u200f\u061c]/g, ''],
  [/[\u066b]/g, '.'],
  [/\uff0e/g, '.'],
  [/[\uff0c\u060c]/g, ','],
]

const FAULT = { state: 'fault', fault: 'not_a_decimal' } as const

export function readTypedAmount(typed: string, marks: Pick<NumberMarks, 'decimal' | 'group'>): TypedAmount {
  const text = REPLACEMENTS.reduce(
    (rest, [pattern, replacement]) => rest.replace(pattern, replacement),
    latinDigits(typed),
  )
  if (text === '') return { state: 'empty' }
  if (!/^[.,]*\d[\d.,]*$/.test(text)) return FAULT
  const points = text.match(/[.,]/g) ?? []
  if (points.length === 0) return settled(text, '')
  if (points.length === 1) return oneMark(text, marks)
  const last = points.at(-1) ?? '.'
  const kinds = new Set(points)
  if (kinds.size === 1) return grouped(text, last) ? settled(text.replaceAll(last, ''), '') : FAULT
  const at = text.lastIndexOf(last)
  const whole = text.slice(0, at)
  const other = last === '.' ? ',' : '.'
  return !whole.includes(last) && grouped(whole, other)
    ? settled(whole.replaceAll(other, ''), text.slice(at + 1))
    : FAULT
}

function oneMark(text: string, marks: Pick<NumberMarks, 'decimal' | 'group'>): TypedAmount {
  const mark = text.includes('.') ? '.' : ','
  const [whole = '', fraction = ''] = text.split(mark)
  if (mark !== marks.group || !grouped(text, mark)) return settled(whole, fraction)
  return { state: 'ambiguous', whole: whole + fraction, fractional: `${whole}${marks.decimal}${fraction}` }
}

const grouped = (text: string, mark: string): boolean =>
  (mark === '.' ? /^[1-9]\d{0,2}(?:\.\d{3})+$/ : /^[1-9]\d{0,2}(?:,\d{3})+$/).test(text)

function settled(whole: string, fraction: string): TypedAmount {
  const head = whole.replace(/^0+(?=\d)/, '') || '0'
  const decimal = fraction === '' ? head : `${head}.${fraction}`
  const fault = amountFault(decimal)
  return fault ? { state: 'fault', fault } : { state: 'amount', decimal }
}
