import { expect, test } from 'vitest'
import { decimal } from '#lib/contract/money.ts'
import { afterFee, brokenLimit, limitsText } from './limits.ts'

test.each([
  [{}, '1', null],
  [{ min: '10' }, '9.99', 'limits.below'],
  [{ min: '10' }, '10.0', null],
  [{ max: '10' }, '10.01', 'limits.above'],
  [{ min: '2', max: '10' }, '9', null],
  [{ min: 'a newer server’s text' }, '1', null],
])('%j is broken by %s: %s', (limits, amount, broken) => {
  expect(brokenLimit(limits, decimal(amount))).toBe(broken)
})

test.each([
  [{}, null],
  [{ fee: '1' }, null],
  [{ min: '1' }, 'limits.min'],
  [{ max: '1' }, 'limits.max'],
  [{ min: '1', max: '2' }, 'limits.between'],
])('%j is told by %s', (limits, key) => {
  expect(limitsText(limits)).toBe(key)
})

test.each([
  [{}, '5', null],
  [{ fee: '1.50' }, '5', '3.5'],
  [{ fee: '5' }, '5.0', 'nothing'],
  [{ fee: '6' }, '5', 'nothing'],
])('after the fee of %j, of %s is left %s', (limits, amount, left) => {
  expect(afterFee(limits, amount)).toBe(left)
})
