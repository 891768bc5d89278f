import { expect, test } from 'vitest'
import { fiatDigits, hasTooManyDigits, withFiatDigits } from './fiat-digits.ts'

test.each([
  ['EUR', 2],
  ['JPY', 0],
  ['KWD', 3],
])('%s has %i digits after the decimal mark', (currency, digits) => {
  expect(fiatDigits(currency)).toBe(digits)
})

test.each([
  ['1250.5', 'USD', '1250.50'],
  ['1250', 'USD', '1250.00'],
  ['0.123456', 'USD', '0.123456'],
  ['1250', 'JPY', '1250'],
  ['10.5', 'KWD', '10.500'],
  ['10.5', 'USDT', '10.5'],
])('%s %s is written as %s', (decimal, currency, written) => {
  expect(withFiatDigits(decimal, currency)).toBe(written)
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
