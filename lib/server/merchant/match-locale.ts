import { match } from '@formatjs/intl-localematcher'
import { LOCALES, type Locale } from '#lib/contract/cashier.ts'

/** A tag and its bare language, so that zh-TW still matches zh-Hans; nothing for an invalid tag. */
function candidates(wanted: string): readonly string[] {
  try {
    const locale = new Intl.Locale(wanted.replaceAll('_', '-'))
    return [locale.baseName, locale.language]
  } catch {
    return []
  }
}

/** The best of our languages for the wanted tags, best first; English if none matches. */
export function matchLocale(wanted: readonly string[]): Locale {
  const found = match(wanted.flatMap(candidates), LOCALES, 'en', { algorithm: 'best fit' })
  return LOCALES.find((locale) => locale === found) ?? 'en'
}
