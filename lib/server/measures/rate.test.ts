import { expect, test } from 'vitest'
import { decimal } from '#lib/contract/money.ts'
import { medianRate, rateFrom } from './rate.ts'

test.each([
  ['2', '5', '2.5'],
  ['0.5', '32500.06', '65000.12'],
  ['0', '5', null],
  ['-1', '5', null],
  ['1', '0', null],
  [`1.${'0'.repeat(80)}`, '1', null],
])('the rate of %s for %s dollars is %s', (amount, usd, rate) => {
  expect(rateFrom(decimal(amount), decimal(usd))).toBe(rate)
})

test('an amount without a value gives no rate', () => {
  expect(rateFrom(decimal('1'), null)).toBeNull()
})

test('the median is one that was seen, with its own time, and compares as decimals', () => {
  const samples = ['9', '10', '1000000'].map((value, at_ms) => ({ at_ms, value }))
  expect(medianRate(samples)).toEqual({ usd: '10', at: '1970-01-01T00:00:00.001Z' })
  expect(medianRate(samples.slice(0, 2))).toMatchObject({ usd: '9' })
  expect(medianRate([])).toBeNull()
})
