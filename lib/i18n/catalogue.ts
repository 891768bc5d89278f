/** Loads one language for the page: compiled messages and number format. For the server only. */
import type { Locale } from '#lib/contract/locales.ts'
import { compileMessage } from './compile.ts'
import type { CompiledMessage } from './compiled-message.ts'
import { numberMarks } from './decimal-format.ts'
import { directionOf } from './intl-locale.ts'
import type { Catalogue, LaterCatalogue, LaterKey, MessageKey } from './translator.ts'

/** A language that lacks one of the English keys fails the type check. */
type Source = Readonly<Record<MessageKey, string>>
type LaterSource = Readonly<Record<LaterKey, string>>

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

/** The texts of parts that are loaded later: no page starts with them. */
export const laterFiles: Readonly<Record<Locale, () => Promise<LaterSource>>> = {
  en: () => import('./messages/later/en.json', { with: { type: 'json' } }).then((file) => file.default),
  de: () => import('./messages/later/de.json', { with: { type: 'json' } }).then((file) => file.default),
  es: () => import('./messages/later/es.json', { with: { type: 'json' } }).then((file) => file.default),
  fr: () => import('./messages/later/fr.json', { with: { type: 'json' } }).then((file) => file.default),
  'pt-BR': () => import('./messages/later/pt-BR.json', { with: { type: 'json' } }).then((file) => file.default),
  tr: () => import('./messages/later/tr.json', { with: { type: 'json' } }).then((file) => file.default),
  ru: () => import('./messages/later/ru.json', { with: { type: 'json' } }).then((file) => file.default),
  ja: () => import('./messages/later/ja.json', { with: { type: 'json' } }).then((file) => file.default),
  'zh-Hans': () => import('./messages/later/zh-Hans.json', { with: { type: 'json' } }).then((file) => file.default),
  ar: () => import('./messages/later/ar.json', { with: { type: 'json' } }).then((file) => file.default),
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

const compileAll = <Key extends string>(source: Readonly<Record<Key, string>>) =>
  Object.fromEntries(Object.entries<string>(source).map(([key, text]) => [key, compileMessage(text)])) as Record<
    Key,
    CompiledMessage
  >

async function compileCatalogue(locale: Locale): Promise<Catalogue> {
  const messages = compileAll(await messageFiles[locale]())
  return { locale, direction: directionOf(locale), marks: numberMarks(locale), messages }
}

/** The texts of parts that are loaded later. */
export const loadLaterCatalogue = async (locale: Locale): Promise<LaterCatalogue> => ({
  locale,
  marks: numberMarks(locale),
  messages: compileAll(await laterFiles[locale]()),
})
