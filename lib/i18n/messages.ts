/** Where each language's messages are. A language is loaded only when a session speaks it. */
import type { Locale } from '#lib/contract/cashier.ts'
import type { MessageKey } from './translator.ts'

/** A language without one of English's keys fails the type check, and so the build. */
type Source = Readonly<Record<MessageKey, string>>

export const messageFiles: Readonly<Record<Locale, () => Promise<Source>>> = {
  en: () => import('./messages/en.json').then((file) => file.default),
  de: () => import('./messages/de.json').then((file) => file.default),
  es: () => import('./messages/es.json').then((file) => file.default),
  fr: () => import('./messages/fr.json').then((file) => file.default),
  'pt-BR': () => import('./messages/pt-BR.json').then((file) => file.default),
  tr: () => import('./messages/tr.json').then((file) => file.default),
  ru: () => import('./messages/ru.json').then((file) => file.default),
  ja: () => import('./messages/ja.json').then((file) => file.default),
  'zh-Hans': () => import('./messages/zh-Hans.json').then((file) => file.default),
  ar: () => import('./messages/ar.json').then((file) => file.default),
}
