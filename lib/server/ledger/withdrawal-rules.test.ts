import { expect, test } from 'vitest'
import { decimal } from '#lib/contract/money.ts'
import { caughtBy, needsPerson, rulesOf, type JudgedWithdrawal, type WithdrawalRules } from './withdrawal-rules.ts'

const ALL: WithdrawalRules = {
  review_above: decimal('100'),
  review_new_address: true,
  review_more_than: { count: 2, hours: 24 },
  wait_for_new_address_s: 60,
}
const PLAIN: JudgedWithdrawal = { amount: decimal('100'), isNewAddress: false, count: 2 }

test.each<[string, WithdrawalRules, Partial<JudgedWithdrawal>, readonly string[]]>([
  ['nothing is above, new or too often', ALL, {}, []],
  ['the least bit above', ALL, { amount: decimal('100.000000000000000000000000000001') }, ['review_above']],
  ['above zero', { review_above: decimal('0') }, { amount: decimal('0.1') }, ['review_above']],
  ['a new address', ALL, { isNewAddress: true }, ['review_new_address', 'wait_for_new_address']],
  ['a new address that only waits', { wait_for_new_address_s: 1 }, { isNewAddress: true }, ['wait_for_new_address']],
  ['the third of two', ALL, { count: 3 }, ['review_more_than']],
  [
    'everything',
    ALL,
    { amount: decimal('101'), isNewAddress: true, count: 9 },
    ['review_above', 'review_new_address', 'review_more_than', 'wait_for_new_address'],
  ],
  ['without rules', {}, { amount: decimal('101'), isNewAddress: true, count: 9 }, []],
])('%s', (_name, rules, more, caught) => {
  expect(caughtBy(rules, { ...PLAIN, ...more })).toEqual(caught)
})

test('a person decides about all but a wait', () => {
  expect(needsPerson(['wait_for_new_address'])).toBe(false)
  expect(needsPerson(['review_above', 'wait_for_new_address'])).toBe(true)
  expect(needsPerson(['review_new_address'])).toBe(true)
  expect(needsPerson(['review_more_than'])).toBe(true)
})

test('the most specific name alone counts', () => {
  const [network, code, others] = [{ review_above: decimal('1') }, { review_above: decimal('2') }, {}]
  const rules = new Map([
    ['usdt@tron', network],
    ['usdt', code],
    ['*', others],
  ])
  expect(rulesOf(rules, { currency_code: 'USDT', network: 'Tron' })).toBe(network)
  expect(rulesOf(rules, { currency_code: 'usdt', network: 'Ethereum' })).toBe(code)
  expect(rulesOf(rules, { currency_code: 'BTC', network: 'Bitcoin' })).toBe(others)
  expect(rulesOf(new Map(), { currency_code: 'BTC', network: 'Bitcoin' })).toBeNull()
})

test('the rules of a network count under each of its names, its exact name first', () => {
  const [tron, trc20] = [{ review_above: decimal('1') }, { review_above: decimal('2') }]
  const rules = new Map<string, WithdrawalRules>([
    ['usdt', {}],
    ['usdt@tron', tron],
  ])
  for (const network of ['TRC20', 'TRON Mainnet', 'Tron (TRC-20)'])
    expect(rulesOf(rules, { currency_code: 'USDT', network })).toBe(tron)
  expect(rulesOf(rules, { currency_code: 'USDC', network: 'TRC20' })).toBeNull()
  expect(rulesOf(rules.set('usdt@trc20', trc20), { currency_code: 'USDT', network: 'TRC20' })).toBe(trc20)
})
