import { expect, test } from 'vitest'
import { shortDecimal } from './short-decimal.ts'

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
