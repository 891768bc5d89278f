import fc from 'fast-check'
import { expect, test } from 'vitest'
import { amountText, unitsOf } from './amounts.ts'

test('an amount that is written is read back unchanged', () => {
  fc.assert(fc.property(fc.maxSafeInteger(), (units) => unitsOf(amountText(units)) === units || units === 0))
  expect([amountText(1_500_000), amountText(-1), amountText(0)]).toEqual(['1.5', '-0.000001', '0'])
  expect(unitsOf('12.50000000')).toBe(12_500_000)
})

test('an amount with digits below a millionth is an error', () => {
  expect(() => unitsOf('0.0000001')).toThrow(RangeError)
  expect(() => unitsOf('1e3')).toThrow(RangeError)
})
