import { expect, test } from 'vitest'
import { COUNTRIES } from '#lib/contract/countries.ts'
import { LOCALES } from '#lib/contract/locales.ts'
import { countryNames, countryOfLanguage, fiatCurrencyOf } from './region-names.ts'

test.each(LOCALES)('every country has a name in %s', (locale) => {
  expect(countryNames(locale)).toHaveLength(COUNTRIES.length)
  for (const { code, name } of countryNames(locale)) expect(name).not.toBe(code)
})

test.each([
  ['DE', 'EUR'],
  ['GB', 'GBP'],
  ['BR', 'BRL'],
  ['LI', 'CHF'],
  ['US', 'USD'],
  ['AQ', 'USD'],
])('people of %s pay with %s', (country, fiat) => {
  expect(fiatCurrencyOf(country)).toBe(fiat)
})

test.each([
  ['de-AT', 'AT'],
  ['de', 'DE'],
  ['zxx', ''],
  ['C', ''],
  ['', ''],
])('the country of the language %j is %j', (tag, country) => {
  expect(countryOfLanguage(tag)).toBe(country)
})
