import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  asNumberText,
  compareDecimals,
  divide,
  isAboveZero,
  isPlainDecimal,
  multiply,
  withoutTrailingZeros,
} from './decimal.ts'
import { jsonNumber } from './json-text.ts'
import { cryptoForFiat, toUsd } from './prices.ts'

const decimals = fc
  .tuple(fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.stringMatching(/^\d{0,20}$/))
  .map(([whole, fraction]) => (fraction === '' ? String(whole) : `${whole}.${fraction}`))

test.each(['0', '1', '0.000000000000000001', '007', '123456789012345678.123456789012345678'])(
  '%s is a decimal',
  (text) => {
    expect(isPlainDecimal(text)).toBe(true)
  },
)

test.each(['', '.5', '5.', '-1', '+1', '1e3', '1,5', '١', ' 1', 'NaN'])('"%s" is not a decimal', (text) => {
  expect(isPlainDecimal(text)).toBe(false)
})

test('zero in any spelling is not above zero', () => {
  expect(['0', '0.000', '000'].map(isAboveZero)).toEqual([false, false, false])
  expect(isAboveZero('0.0001')).toBe(true)
})

test('a decimal is compared by its value', () => {
  fc.assert(
    fc.property(decimals, fc.nat(5), (amount, zeros) => {
      const longer = (amount.includes('.') ? amount : `${amount}.`) + '0'.repeat(zeros + 1)
      expect(compareDecimals(amount, longer)).toBe(0)
      expect(compareDecimals(`1${amount}`, amount)).toBe(1)
    }),
  )
})

test('a JSON number has all digits of its decimal', () => {
  fc.assert(
    fc.property(decimals, (amount) => {
      expect(JSON.stringify([jsonNumber(amount)])).toBe(`[${asNumberText(amount)}]`)
      expect(compareDecimals(asNumberText(amount), amount)).toBe(0)
    }),
  )
  expect(JSON.stringify({ a: jsonNumber('007.10') })).toBe('{"a":7.10}')
})

test('products and quotients are exact before they are cut', () => {
  expect(multiply('0.1', '0.2', 18)).toBe('0.02')
  expect(multiply('1.999', '1', 2)).toBe('1.99')
  expect(divide('1', '3', 8)).toBe('0.33333333')
  expect(divide('10.5', '0.5', 2)).toBe('21.00')
  expect(() => divide('1', '0.0', 2)).toThrow(RangeError)
})

test('zeros at the end are removed only after the point', () => {
  expect(['100', '100.10', '100.00', '0.0'].map(withoutTrailingZeros)).toEqual(['100', '100.1', '100', '0'])
})

test('prices', () => {
  expect(toUsd('2', 'BTC')).toBe('128500')
  expect(toUsd('100', 'USDT')).toBe('100')
  expect(cryptoForFiat('100', 'USD', 'USDT', 6)).toBe('97.500000')
  expect(cryptoForFiat('150.00', 'EUR', 'BTC', 8)).toBe('0.00245836')
})
