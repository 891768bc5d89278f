/** The languages of the page; lib/i18n/messages has the texts of each. */
export const LOCALES = ['en', 'de', 'es', 'fr', 'pt-BR', 'tr', 'ru', 'ja', 'zh-Hans', 'ar'] as const
export type Locale = (typeof LOCALES)[number]
