import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compare, decimal, isPositive, subtract } from './money.ts'
import { divide, worthOf } from './worth.ts'

describe('a quotient', () => {
  test.each([
    ['1', '1', '1'],
    ['250.5', '250.5', '1'],
    ['10', '3', '3.33333333333'],
    ['1', '0.00000000000000003', '33333333333300000'],
    ['0.000000000000000001', '3', '0.000000000000000000333333333333'],
    ['65000.12', '1', '65000.12'],
    ['123456789012345678', '1', '123456789012000000'],
  ])('%s / %s = %s', (a, b, quotient) => {
    expect(divide(decimal(a), decimal(b))).toBe(quotient)
  })
})

describe('what an amount is worth', () => {
  test.each([
    ['2', '1.005', '2.01'],
    ['1', '0.005', '0.01'],
    ['1', '0.0149', '0.01'],
    ['1000000', '65000.123456789', '65000123456.79'],
    ['0.000000000000000001', '99', '0.01 or less'],
    ['0', '1', null],
    ['1', '0', null],
  ])('%s at %s is %s', (amount, rate, worth) => {
    const found = worthOf(decimal(amount), decimal(rate))
    expect(found && `${found.usd}${found.isLess ? ' or less' : ''}`).toBe(worth)
  })

  const positive = fc
    .tuple(fc.bigInt({ min: 1n, max: 10n ** 30n }), fc.integer({ min: 0, max: 20 }))
    .map(([units, scale]) => {
      const digits = units.toString().padStart(scale + 1, '0')
      return decimal(scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`)
    })

  test('a value of the gateway comes back from the rate that it gave, up to a cent or its ninth digit', () => {
    fc.assert(
      fc.property(positive, fc.bigInt({ min: 1n, max: 10n ** 9n }), (amount, cents) => {
        const digits = cents.toString().padStart(3, '0')
        const usd = decimal(`${digits.slice(0, -2)}.${digits.slice(-2)}`)
        const found = worthOf(amount, divide(usd, amount))
        const off = subtract(found?.usd ?? decimal('0'), usd)
        expect(isPositive(off) ? compare(off, decimal('0.01')) : compare(off, decimal('-0.01'))).toSatisfy((one) =>
          isPositive(off) ? one !== 1 : one !== -1,
        )
      }),
    )
  })
})
