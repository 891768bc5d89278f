import { expect, test } from 'vitest'
import { addressNameRequest, onrampSessionRequest, withdrawalRequest } from './cashier-requests.ts'

const WITHDRAWAL = { currency_id: 'c', amount: '1.50', wallet_address: 'bc1q' }

test.each(['1', '0.5', '1.50', `${'9'.repeat(60)}.${'9'.repeat(30)}`])('%s may be withdrawn', (amount) => {
  expect(withdrawalRequest.parse({ ...WITHDRAWAL, amount })).toEqual({ ...WITHDRAWAL, amount })
})

test.each([
  ['amount', '', 'plain decimal'],
  ['amount', 5, 'plain decimal'],
  ['amount', '-1', 'plain decimal'],
  ['amount', '+1', 'plain decimal'],
  ['amount', '1e3', 'plain decimal'],
  ['amount', '1,5', 'plain decimal'],
  ['amount', '.5', 'plain decimal'],
  ['amount', '01', 'no leading zero'],
  ['amount', '00.5', 'no leading zero'],
  ['amount', '0', 'above zero'],
  ['amount', '0.00', 'above zero'],
  ['amount', '1'.repeat(61), 'at most 60'],
  ['amount', `1.${'1'.repeat(31)}`, 'at most 30'],
  ['wallet_address', '', '1 to 256'],
  ['wallet_address', 'a b', '1 to 256'],
  ['wallet_address', 'ä', '1 to 256'],
  ['wallet_address', 'a'.repeat(257), '1 to 256'],
  ['currency_id', '', '1 to 100'],
])('a withdrawal with %s %j is refused: %s', (field, value, rule) => {
  const parsed = withdrawalRequest.safeParse({ ...WITHDRAWAL, [field]: value })
  expect(parsed.error?.issues.map(({ path }) => path)).toEqual([[field]])
  expect(parsed.error?.issues[0]?.message).toContain(rule)
})

const PURCHASE = { currency_id: 'c', amount: '150.00', fiat_currency: 'EUR', country: 'DE' }

test('all faults of a purchase are reported together', () => {
  expect(onrampSessionRequest.parse(PURCHASE)).toEqual(PURCHASE)
  const parsed = onrampSessionRequest.safeParse({ ...PURCHASE, amount: '0', fiat_currency: 'eur', country: 'DEU' })
  expect(parsed.error?.issues.map(({ path }) => path[0])).toEqual(['amount', 'fiat_currency', 'country'])
})

test.each([
  ['', true],
  ['Savings at home', true],
  ['👛'.repeat(40), true],
  ['x'.repeat(41), false],
  [' ', false],
  ['two\nlines', false],
  ['turned \u202e round', false],
  [5, false],
])('an address may be named %j: %s', (name, allowed) => {
  expect(addressNameRequest.safeParse({ name }).success).toBe(allowed)
})
