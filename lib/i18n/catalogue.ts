/** Loads one language for the page: compiled messages and number format. For the server only. */
import type { Locale } from '#lib/contract/locales.ts'
import { compileMessage } from './compile.ts'
import type { CompiledMessage } from './compiled-message.ts'
import { numberMarks } from './decimal-format.ts'
import { directionOf } from './intl-locale.ts'
import type { Catalogue, MessageKey } from './translator.ts'

/** A language that lacks one of the English keys fails the type check. */
type Source = Readonly<Record<MessageKey, string>>

export const messageFiles: Readonly<Record<Locale, () => Promise<Source>>> = {
  en: () => import('./messages/en.json', { with: { type: 'json' } }).then((file) => file.default),
  de: () => import('./messages/de.json', { with: { type: 'json' } }).then((file) => file.default),
  es: () => import('./messages/es.json', { with: { type: 'json' } }).then((file) => file.default),
  fr: () => import('./messages/fr.json', { with: { type: 'json' } }).then((file) => file.default),
  'pt-BR': () => import('./messages/pt-BR.json', { with: { type: 'json' } }).then((file) => file.default),
  tr: () => import('./messages/tr.json', { with: { type: 'json' } }).then((file) => file.default),
  ru: () => import('./messages/ru.json', { with: { type: 'json' } }).then((file) => file.default),
  ja: () => import('./messages/ja.json', { with: { type: 'json' } }).then((file) => file.default),
  'zh-Hans': () => import('./messages/zh-Hans.json', { with: { type: 'json' } }).then((file) => file.default),
  ar: () => import('./messages/ar.json', { with: { type: 'json' } }).then((file) => file.default),
}

const loaded = new Map<Locale, Promise<Catalogue>>()

/** The message catalogue of a language; compiled once per process. */
export function loadCatalogue(locale: Locale): Promise<Catalogue> {
  let catalogue = loaded.get(locale)
  if (!catalogue) {
    catalogue = compileCatalogue(locale)
    loaded.set(locale, catalogue)
  }
  return catalogue
}

async function compileCatalogue(locale: Locale): Promise<Catalogue> {
  const source = await messageFiles[locale]()
  const messages = Object.fromEntries(
    Object.entries(source).map(([key, text]) => [key, compileMessage(text)]),
  ) as Record<MessageKey, CompiledMessage>
  return { locale, direction: directionOf(locale), marks: numberMarks(locale), messages }
}
