/** Where each language's messages are. A language is loaded only when a session speaks it. */
import type { Locale } from '#lib/contract/cashier.ts'
import type { MessageKey } from './translator.ts'

type Source = Readonly<Record<MessageKey, string>>

const english = (): Promise<Source> => import('./messages/en.json').then((file) => file.default)

export const messageFiles: Readonly<Record<Locale, () => Promise<Source>>> = {
  en: english,
  de: english,
  es: english,
  fr: english,
  'pt-BR': english,
  tr: english,
  ru: english,
  ja: english,
  'zh-Hans': english,
  ar: english,
}
