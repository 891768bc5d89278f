import { expect, test } from 'vitest'
import { browserLocale } from './accept-language.ts'

test.each([
  [null, 'en'],
  ['', 'en'],
  ['*', 'en'],
  ['de-AT,de;q=0.9,en;q=0.8', 'de'],
  ['en;q=0.1, fr;q=0.9', 'fr'],
  ['de;q=0, tr', 'tr'],
  ['pt', 'pt-BR'],
  ['zh-CN', 'zh-Hans'],
  ['not a tag, ;;;, ja', 'ja'],
])('%j gives %s', (header, locale) => {
  expect(browserLocale(header)).toBe(locale)
})

test('only the first ten tags of at most 35 characters count', () => {
  const strange = Array.from({ length: 10 }, (_item, at) => `x${at}`).join(',')
  expect(browserLocale(`${strange},de`)).toBe('en')
  expect(browserLocale(`${'a'.repeat(36)},de`)).toBe('de')
  expect(browserLocale(`${'a-'.repeat(8000)},de`)).toBe('en')
})
