import { expect, test } from 'vitest'
import type { TransactionNode } from '#lib/contract/cashier.ts'
import type { TransactionEvent } from '#lib/contract/stream.ts'
import { isRepeated, type KnownWithdrawals, type PageClock } from './repeated-withdrawal.ts'

const NOW = Date.parse('2026-11-21T12:00:00Z')
const ADDRESS = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'
const request = { currency_id: 'c1', amount: '5', wallet_address: ADDRESS }
const ago = (seconds: number): string => new Date(NOW - seconds * 1000).toISOString()

const row = (more: Partial<TransactionNode> = {}): TransactionNode => ({
  transaction_uuid: 't1',
  type: 'Payout',
  status: 'TXN_NEW',
  merchant_status: null,
  amount: '5.00',
  amount_usd: null,
  currency: { id: 'c1', code: 'USDT', name: 'Tether', symbol: '₮', network: 'Ethereum' },
  correlation_key: null,
  from_address: null,
  to_address: ADDRESS.toLowerCase(),
  tx_hash: null,
  failure_reason: null,
  user_ref_id: 'u',
  inserted_at: ago(119),
  updated_at: null,
  completed_at: null,
  cashier_status: 'processing',
  withdrawal_id: 'w1',
  ...more,
})

const failedEvent: TransactionEvent = {
  transaction_uuid: 't1',
  kind: 'payout',
  status: 'failed',
  amount: '5',
  currency_code: 'USDT',
  network: 'Ethereum',
  tx_hash: null,
  updated_at: ago(1),
  withdrawal_id: 'w1',
}

const sent = { withdrawalId: 'w1', request: { ...request, amount: '5.0' }, atMs: NOW - 119_000 }

const judge = (
  known: Partial<KnownWithdrawals>,
  network = 'Ethereum',
  clock: PageClock = { nowMs: NOW, aheadMs: 0 },
): boolean => isRepeated(request, network, { listed: [], live: [], sent: [], ...known }, clock)

test.each<[string, Partial<TransactionNode>, boolean]>([
  ['the same in another spelling, 119 s ago', {}, true],
  ['exactly 120 s ago', { inserted_at: ago(120) }, true],
  ['121 s ago', { inserted_at: ago(121) }, false],
  ['to come', { inserted_at: ago(-30) }, true],
  ['succeeded', { cashier_status: 'succeeded' }, true],
  ['unknown', { cashier_status: 'unknown' }, true],
  ['not authorized yet', { cashier_status: 'pending', transaction_uuid: null }, true],
  ['failed', { cashier_status: 'failed' }, false],
  ['another amount', { amount: '5.01' }, false],
  ['another address', { to_address: `${ADDRESS.slice(0, -1)}E` }, false],
  ['another currency', { currency: { ...row().currency, id: 'c2' } }, false],
  ['no address', { to_address: null }, false],
  ['a deposit', { type: 'Deposit' }, false],
])('a listed withdrawal: %s', (_name, more, expected) => {
  expect(judge({ listed: [row(more)] })).toBe(expected)
})

test.each([-86_400_000, 86_400_000])('the page’s clock is %s ms ahead of the server’s', (aheadMs) => {
  const clock = { nowMs: NOW + aheadMs, aheadMs }
  expect(judge({ listed: [row({ inserted_at: ago(120) })] }, 'Ethereum', clock)).toBe(true)
  expect(judge({ listed: [row({ inserted_at: ago(121) })] }, 'Ethereum', clock)).toBe(false)
})

test('the stream says that a listed withdrawal has failed', () => {
  expect(judge({ listed: [row()], live: [failedEvent] })).toBe(false)
})

test('on a network with case-sensitive addresses, another spelling is another address', () => {
  expect(judge({ listed: [row()] }, 'Tron')).toBe(false)
})

test('a request of this page counts without a list, unless it is older or the list says that it failed', () => {
  expect(judge({ sent: [sent] })).toBe(true)
  expect(judge({ sent: [{ ...sent, atMs: NOW - 120_001 }] })).toBe(false)
  expect(judge({ sent: [{ ...sent, request: { ...request, amount: '6' } }] })).toBe(false)
  expect(judge({ sent: [sent], listed: [row({ cashier_status: 'failed' })] })).toBe(false)
})

test('without known withdrawals nothing is repeated', () => {
  expect(judge({})).toBe(false)
})
