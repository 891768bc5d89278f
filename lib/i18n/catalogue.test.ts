import { describe, expect, test } from 'vitest'
import { LOCALES, type Locale } from '#lib/contract/locales.ts'
import { compileMessage } from './compile.ts'
import type { CompiledMessage, CompiledPiece } from './compiled-message.ts'
import { laterFiles, loadCatalogue, messageFiles } from './catalogue.ts'

/** Texts that are equal in a language and in English. */
const SAME_AS_ENGLISH: Readonly<Record<Exclude<Locale, 'en'>, readonly string[]>> = {
  de: ['details.status', 'details.valueUsd', 'history.details'],
  es: ['details.valueUsd'],
  fr: ['details.message', 'details.valueUsd', 'history.pages', 'history.type'],
  'pt-BR': ['details.status', 'details.valueUsd'],
  tr: ['details.valueUsd'],
  ru: ['details.valueUsd'],
  ja: ['details.valueUsd'],
  'zh-Hans': ['details.valueUsd'],
  ar: [],
}

const piecesOf = (message: CompiledMessage): readonly CompiledPiece[] =>
  typeof message === 'string' ? [message] : message

const within = (cases: Readonly<Record<string, CompiledMessage>>): string[] => Object.values(cases).flatMap(argumentsOf)

/** The arguments of a message in a comparable form: `{code}`, `{held: other|yes}`, `<b>{code}</b>`. */
const argumentsOf = (message: CompiledMessage): string[] =>
  piecesOf(message).flatMap((piece) => {
    if (typeof piece === 'string') return []
    switch (piece[0]) {
      case '#':
        return []
      case 'value':
        return [`{${piece[1]}}`]
      case 'select':
        return [`{${piece[1]}: ${Object.keys(piece[2]).sort().join('|')}}`, ...within(piece[2])]
      case 'plural':
        return [`{${piece[1]}: ${piece[2]} plural}`, ...within(piece[4])]
      case 'tag':
        return [`<${piece[1]}>${[...new Set(argumentsOf(piece[2]))].sort().join('')}</${piece[1]}>`]
    }
  })

const shape = (text: string): string[] => [...new Set(argumentsOf(compileMessage(text)))].sort()

type Plural = Extract<CompiledPiece, readonly ['plural', ...unknown[]]>

const plurals = (message: CompiledMessage): Plural[] =>
  piecesOf(message).flatMap((piece) => {
    if (typeof piece === 'string') return []
    switch (piece[0]) {
      case '#':
      case 'value':
        return []
      case 'select':
        return Object.values(piece[2]).flatMap(plurals)
      case 'plural':
        return [piece, ...Object.values(piece[4]).flatMap(plurals)]
      case 'tag':
        return plurals(piece[2])
    }
  })

/** Each of these articles is wrong for some network: “a Ethereum”, “der Bitcoin”, “l’Tron”. */
const ARTICLES: Readonly<Partial<Record<Locale, string>>> = {
  // “the … network” is right for every name.
  en: 'an? |the (?!(?:<b>)?\\{network\\}(?:</b>)? network)',
  de: '(?:d(?:er|ie|as|e[nms])|eine?[nmrs]?|zu[mr]|[ai]m|vom|beim) ',
  fr: "(?:l[ae]|les|une?|des|du|aux?) |[ld][’']",
  es: '(?:el|l[ao]s?|un[ao]?s?|del|al) ',
  // Without “a”, which is a preposition too.
  'pt-BR': '(?:os?|as|[dn][ao]s?|[dn]?um(?:as?)?|[dn]?uns|aos?|às?|pel[ao]s?) ',
}

/** All texts of a language: those that a page starts with, and the later ones. */
const allOf = async (locale: Locale): Promise<Readonly<Record<string, string>>> => ({
  ...(await messageFiles[locale]()),
  ...(await laterFiles[locale]()),
})
const english = await allOf('en')
const textsOf = async (locale: Locale) => Object.entries(await allOf(locale))

test('no text is both among those of the start and those of later', async () => {
  expect(Object.keys(english).length).toBe(
    Object.keys(await messageFiles.en()).length + Object.keys(await laterFiles.en()).length,
  )
})

describe.for(LOCALES)('messages in %s', (locale) => {
  test('the keys are those of English', async () => {
    const keys = (await textsOf(locale)).map(([key]) => key)
    expect(keys.sort()).toEqual(Object.keys(english).sort())
  })

  test('each message takes the same values and tags as in English', async () => {
    const shapes = (await textsOf(locale)).map(([key, text]) => [key, shape(text)])
    const expected = Object.entries(english).map(([key, text]) => [key, shape(text)])
    expect(Object.fromEntries(shapes)).toEqual(Object.fromEntries(expected))
  })

  test('each plural has exactly the forms of its language', async () => {
    const found = (await textsOf(locale)).flatMap(([key, text]) =>
      plurals(compileMessage(text)).map(([, , type, , cases]) => {
        const forms = Object.keys(cases).filter((name) => !name.startsWith('='))
        const rules = new Intl.PluralRules(locale, { type })
        return [key, forms.sort(), rules.resolvedOptions().pluralCategories.toSorted()] as const
      }),
    )
    expect(found.length).toBeGreaterThan(0)
    for (const [key, forms, categories] of found) expect(forms, key).toEqual(categories)
  })

  test('no message is empty or padded or has an exclamation mark', async () => {
    const faulty = (await textsOf(locale)).filter(
      ([, text]) => text.trim() !== text || text === '' || /[!！¡]/.test(text),
    )
    expect(faulty).toEqual([])
  })

  test('every bidirectional isolate is closed', async () => {
    const count = (text: string, marks: RegExp): number => text.match(marks)?.length ?? 0
    const open = (await textsOf(locale)).filter(
      ([, text]) => count(text, /[\u2066-\u2068]/g) !== count(text, /\u2069/g),
    )
    expect(open).toEqual([])
  })
})

test.for(Object.entries(ARTICLES))(
  'in %s no article is directly before the name of a network',
  async ([locale, articles]) => {
    const faulty = new RegExp(`(?<!\\p{L})(?:${articles})(?:<b>)?\\{(?:network|looksLike)\\}`, 'iu')
    const texts = await textsOf(locale as Locale)
    expect(texts.filter(([, text]) => /\{(?:network|looksLike)\}/.test(text)).length).toBeGreaterThan(5)
    expect(texts.filter(([, text]) => faulty.test(text))).toEqual([])
  },
)

test.for(LOCALES)('%s has its text direction', async (locale) => {
  expect((await loadCatalogue(locale)).direction).toBe(locale === 'ar' ? 'rtl' : 'ltr')
})

test.for(LOCALES.filter((locale) => locale !== 'en'))('nothing in %s was left in English', async (locale) => {
  const same = (await textsOf(locale)).filter(([key, text]) => text === english[key]).map(([key]) => key)
  expect(same.sort()).toEqual(SAME_AS_ENGLISH[locale])
})
