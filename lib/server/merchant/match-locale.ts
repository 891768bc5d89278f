import { match } from '@formatjs/intl-localematcher'
import { LOCALES, type Locale } from '#lib/contract/locales.ts'

/** Longer than any tag in use, so that strangers cannot make us work on long tags. */
export const MAX_TAG_LENGTH = 35

/**
 * The language of a tag, or nothing. The matcher caches every request forever, so it gets only two-letter languages, of
 * which there are few. The cashier has one locale per language, so script and region do not matter.
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
