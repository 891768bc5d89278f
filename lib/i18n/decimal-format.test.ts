import { expect, test } from 'vitest'
import type { Locale } from '#lib/contract/locales.ts'
import { formatDecimal, numberMarks } from './decimal-format.ts'

const cases: readonly [Locale, string, string][] = [
  ['en', '1250.50', '1,250.50'],
  ['en', '999', '999'],
  ['en', '-1234.5600', '\u22121,234.5600'],
  ['de', '1250.50', '1.250,50'],
  ['es', '1250.5', '1250,5'],
  ['es', '12500.5', '12.500,5'],
  ['fr', '1250.5', '1\u202f250,5'],
  ['ru', '1250.5', '1\u00a0250,5'],
  ['ar', '1250.5', '1,250.5'],
  ['ja', '123456789012345678.123456789012345678', '123,456,789,012,345,678.123456789012345678'],
]

test.each(cases)('%s writes %s as %s', (locale, value, shown) => {
  expect(formatDecimal(value, numberMarks(locale))).toBe(shown)
})

test('every digit is kept', () => {
  const value = `${'9'.repeat(60)}.${'1'.repeat(120)}`
  expect(formatDecimal(value, numberMarks('en')).replaceAll(',', '')).toBe(value)
})

test('text that is not a plain decimal is returned unchanged', () => {
  expect(formatDecimal('1e5', numberMarks('en'))).toBe('1e5')
})
