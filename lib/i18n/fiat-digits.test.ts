import { expect, test } from 'vitest'
import { fiatDigits, hasTooManyDigits } from './fiat-digits.ts'

test.each([
  ['EUR', 2],
  ['JPY', 0],
  ['KWD', 3],
])('%s has %i digits after the decimal mark', (currency, digits) => {
  expect(fiatDigits(currency)).toBe(digits)
})

test.each([
  ['10.12', 'EUR', false],
  ['10.123', 'EUR', true],
  ['10', 'JPY', false],
  ['10.5', 'JPY', true],
  ['10.123', 'KWD', false],
])('%s %s: too many digits is %s', (decimal, currency, tooMany) => {
  expect(hasTooManyDigits(decimal, currency)).toBe(tooMany)
})
