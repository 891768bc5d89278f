import { expect, test } from 'vitest'
import { matchLocale } from './match-locale.ts'

test.each([
  ['de-AT', 'de'],
  ['de_CH', 'de'],
  ['ES', 'es'],
  ['es-419', 'es'],
  ['pt', 'pt-BR'],
  ['pt-PT', 'pt-BR'],
  ['zh-CN', 'zh-Hans'],
  ['zh-TW', 'zh-Hans'],
  ['ar-EG', 'ar'],
  ['ja-JP', 'ja'],
  ['fr-CA', 'fr'],
  ['en-GB', 'en'],
  ['nl', 'en'],
  ['', 'en'],
  ['*', 'en'],
  ['not a tag', 'en'],
])('%j is answered in %s', (wanted, answer) => {
  expect(matchLocale([wanted])).toBe(answer)
})

test('the first that fits wins', () => {
  expect(matchLocale(['tlh', 'tr-CY', 'de'])).toBe('tr')
  expect(matchLocale([])).toBe('en')
})
