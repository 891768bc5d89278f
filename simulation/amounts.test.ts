import fc from 'fast-check'
import { expect, test } from 'vitest'
import { amountText, cutTo, smallest, unitsOf } from './amounts.ts'

test('an amount that is written is read back unchanged', () => {
  fc.assert(fc.property(fc.bigInt(), (units) => unitsOf(amountText(units)) === units))
  expect([amountText(1_500_000_000_000_000_000n), amountText(-1n), amountText(0n)]).toEqual([
    '1.5',
    '-0.000000000000000001',
    '0',
  ])
  expect(unitsOf('12.50000000')).toBe(unitsOf('12.5'))
})

test('an amount with digits below 10^-18 is an error', () => {
  expect(() => unitsOf('0.0000000000000000001')).toThrow(RangeError)
  expect(() => unitsOf('1e3')).toThrow(RangeError)
})

test('an amount is cut to the decimals of its currency', () => {
  expect([0, 2, 6].map((decimals) => amountText(cutTo(unitsOf('7.1234567'), decimals)))).toEqual([
    '7',
    '7.12',
    '7.123456',
  ])
  expect(amountText(smallest(8))).toBe('0.00000001')
})
