import { expect, test } from 'vitest'
import { decimal } from '#lib/contract/money.ts'
import { samplePayout, sampleWithdrawal } from '../../store/testing/sample-rows.ts'
import { comparePayout, differencesIn } from './compare-payout.ts'

const NOW = Date.UTC(2026, 10, 21, 12)
const asked = sampleWithdrawal({ amount: decimal('100'), called_ms: NOW, wallet_address: 'TAddress' })
const paid = samplePayout({ amount: decimal('100.00'), to_address: 'TAddress', inserted_ms: NOW })

test('a payout of the same user, currency, address, amount and time differs in nothing', () => {
  const compared = comparePayout(paid, asked, 0)
  expect(compared.map(({ field, is }) => [field, is])).toEqual([
    ['user', 'agree'],
    ['currency', 'agree'],
    ['address', 'agree'],
    ['amount', 'agree'],
    ['time', 'agree'],
  ])
  expect(differencesIn(compared)).toBe(0)
})

test.each([
  ['amount', { amount: decimal('99.5') }, { amount_over: '-0.5', payout: '99.5', withdrawal: '100' }],
  ['amount', { amount: decimal('100.000000000000000001') }, { amount_over: '0.000000000000000001' }],
  ['address', { to_address: 'TOther' }, { payout: 'TOther', withdrawal: 'TAddress' }],
  ['currency', { network: 'Ethereum', currency_id: 'c2' }, { payout: 'USDT · Ethereum', withdrawal: 'USDT · Tron' }],
  ['user', { user_reference_id: 'U' }, { payout: 'U', withdrawal: 'u' }],
  ['time', { inserted_ms: NOW - 301_000 }, { seconds_before: 301 }],
] as const)('a difference of %s is marked', (field, change, expected) => {
  const compared = comparePayout({ ...paid, ...change }, asked, 0)
  expect(compared.filter(({ is }) => is === 'differ')).toEqual([expect.objectContaining({ field, ...expected })])
})

test('a payout that is a little older than the call may be its result, and that is said', () => {
  const time = (ms: number) =>
    comparePayout({ ...paid, inserted_ms: NOW + ms }, asked, 0).find((row) => row.field === 'time')
  expect(time(-6000)).toMatchObject({ is: 'agree', seconds_before: 6 })
  expect(time(6000)).toMatchObject({ is: 'agree', seconds_before: null })
})

test.each([
  ['amount', { amount: null }],
  ['address', { to_address: null }],
] as const)('%s that the payout lacks is unknown, and no difference', (field, change) => {
  const compared = comparePayout({ ...paid, ...change }, asked, 0)
  expect(compared.find((row) => row.field === field)).toMatchObject({ is: 'unknown', payout: null, amount_over: null })
  expect(differencesIn(compared)).toBe(0)
})

test('the amount of the gateway’s own reply agrees too', () => {
  const replied = sampleWithdrawal({ ...asked, reply_amount: decimal('99') })
  expect(comparePayout({ ...paid, amount: decimal('99') }, replied, 0)).toContainEqual(
    expect.objectContaining({ field: 'amount', is: 'agree', withdrawal: '99' }),
  )
})

test('times count by the gateway’s clock', () => {
  const late = { ...paid, inserted_ms: NOW - 600_000 }
  expect(differencesIn(comparePayout(late, asked, -600_000))).toBe(0)
  expect(differencesIn(comparePayout(late, asked, 0))).toBe(1)
  // Only an event has shown it: our own clock counts.
  expect(differencesIn(comparePayout({ ...late, inserted_ms: null, first_seen_ms: NOW }, asked, 0))).toBe(0)
})

test('a withdrawal that was not sent has no time to compare', () => {
  const waiting = sampleWithdrawal({ status: 'pending_authorization', step: 'pending', called_ms: null })
  expect(comparePayout(paid, waiting, 0)).toContainEqual(expect.objectContaining({ field: 'time', is: 'unknown' }))
})
