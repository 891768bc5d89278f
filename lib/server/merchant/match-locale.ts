import { match } from '@formatjs/intl-localematcher'
import { LOCALES, type Locale } from '#lib/contract/locales.ts'

/** Longer than any tag in use; what strangers send must cost them more than us. */
export const MAX_TAG_LENGTH = 35

/**
 * The language of a tag, or nothing. The matcher keeps what it was asked for ever, so it is asked for languages of two
 * letters alone, of which there are few. Each of ours is the only one of its language: script and region decide nothing.
 */
function languageOf(wanted: string): readonly string[] {
  if (wanted.length > MAX_TAG_LENGTH) return []
  try {
    const { language } = new Intl.Locale(wanted.replaceAll('_', '-'))
    return /^[a-z]{2}$/.test(language) ? [language] : []
  } catch {
    return []
  }
}

/** The best of our languages for the wanted tags, best first; English if none matches. Never throws. */
export function matchLocale(wanted: readonly string[]): Locale {
  for (const language of new Set(wanted.flatMap(languageOf))) {
    const found = match([language], LOCALES, '', { algorithm: 'best fit' })
    const locale = LOCALES.find((one) => one === found)
    if (locale !== undefined) return locale
  }
  return 'en'
}
