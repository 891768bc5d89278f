/// <reference lib="esnext.intl" />
/** The tag of a language for `Intl`, and its text direction. */
import type { Locale } from '#lib/contract/locales.ts'

export type Direction = 'ltr' | 'rtl'

/** For the server only: not every browser has `getTextInfo`. The page reads the direction from its catalogue. */
export const directionOf = (locale: Locale): Direction =>
  new Intl.Locale(locale).getTextInfo().direction === 'rtl' ? 'rtl' : 'ltr'

/**
 * The tag for `Intl`. Latin digits in every language: amounts are shown beside addresses and hashes, and the default
 * digits differ between ICU versions of server and browser.
 */
export const intlTag = (locale: Locale): string => `${locale}-u-nu-latn`
