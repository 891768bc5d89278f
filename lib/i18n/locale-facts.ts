/** What the page must know of a language besides its words. */
import type { Locale } from '#lib/contract/cashier.ts'

export type Direction = 'ltr' | 'rtl'

/** Right to left, of the languages we have. */
const RTL: ReadonlySet<Locale> = new Set(['ar'])

export const directionOf = (locale: Locale): Direction => (RTL.has(locale) ? 'rtl' : 'ltr')

/**
 * The tag given to `Intl`. Digits are Latin in each language: amounts stand beside addresses and hashes, and server and
 * browser need not agree on a default that ICU versions change.
 */
export const intlTag = (locale: Locale): string => `${locale}-u-nu-latn`
