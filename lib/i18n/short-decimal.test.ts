import { expect, test } from 'vitest'
import { shortDecimal, withoutTrailingZeros } from './short-decimal.ts'

test.each([
  ['84.240000', '84.24'],
  ['7.000', '7'],
  ['0.0', '0'],
  ['-1.50', '-1.5'],
  ['100', '100'],
  ['1.05', '1.05'],
  ['123456789012345678901234567890.100', '123456789012345678901234567890.1'],
  ['no decimal.00', 'no decimal.00'],
  ['', ''],
])('%s is written as %s', (value, written) => {
  expect(withoutTrailingZeros(value)).toBe(written)
})

test.each([
  ['1250.5', '1250.5', ''],
  ['0.12345678', '0.12345678', ''],
  ['0.123456789', '0.12345678', '\u2026'],
  ['999.999999999999999999', '999.99999999', '\u2026'],
  ['1.500000000000000000', '1.5', ''],
  ['7.000000000000000000', '7', ''],
  ['0.000000000000000001', '0.00000001', '<'],
  ['0.000000000000000000', '0', ''],
  ['-0.000000000000000001', '-0.00000000', '\u2026'],
  ['no decimal', 'no decimal', ''],
])('%s is shown as %s, marked %j', (value, shown, mark) => {
  expect(shortDecimal(value)).toEqual({ value: shown, mark })
})
