import { expect, test } from 'vitest'
import { decimal } from '#lib/contract/money.ts'
import { needsTwoPersons } from './two-persons.ts'

const above = { USDT: '1000', '*': '5' }

test.each([
  [above, 'USDT', ['1000'], false],
  [above, 'usdt', ['1000.000000000000000001'], true],
  [above, 'USDT', ['1', '1001'], true],
  [above, 'BTC', ['5'], false],
  [above, 'BTC', ['5.1'], true],
  [{ USDT: '1' }, 'BTC', ['99999'], false],
  [{}, 'USDT', ['99999'], false],
  [{ '*': '0' }, 'constructor', ['0'], false],
] as const)('above %j, %s of %j: %s', (limits, code, amounts, expected) => {
  const about = amounts.map((amount) => ({ currency_code: code, amount: decimal(amount) }))
  expect(needsTwoPersons(limits, ...about)).toBe(expected)
})

test('an amount that nobody knows may be above any limit', () => {
  expect(needsTwoPersons(above, { currency_code: 'USDT', amount: null })).toBe(true)
  expect(needsTwoPersons({}, { currency_code: 'USDT', amount: null })).toBe(false)
})

test('a payout that nobody knows, or in another currency than the withdrawal, needs two wherever there is a limit', () => {
  const little = { currency_code: 'USDT', amount: decimal('1') }
  expect(needsTwoPersons({ USDT: '1000' }, little, null)).toBe(true)
  expect(needsTwoPersons({ USDT: '1000' }, little, { currency_code: 'BTC', amount: decimal('1') })).toBe(true)
  expect(needsTwoPersons({ BTC: '1000' }, little, { currency_code: 'usdt', amount: decimal('1') })).toBe(false)
  expect(needsTwoPersons({}, little, null)).toBe(false)
})
