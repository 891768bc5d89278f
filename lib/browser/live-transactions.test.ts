import { expect, test } from 'vitest'
import type { TransactionNode } from '#lib/contract/cashier.ts'
import type { TransactionEvent } from '#lib/contract/stream.ts'
import { addLive, unlisted, mergeLive } from './live-transactions.ts'

const event = (over: Partial<TransactionEvent>): TransactionEvent => ({
  transaction_uuid: 't1',
  kind: 'deposit',
  status: 'processing',
  amount: '5',
  currency_code: 'USDT',
  network: 'Tron',
  tx_hash: null,
  updated_at: '2026-11-20T10:00:00Z',
  ...over,
})

const node = (over: Partial<TransactionNode>): TransactionNode => ({
  transaction_uuid: 't1',
  type: 'Deposit',
  status: 'TXN_NEW',
  merchant_status: null,
  amount: '5',
  amount_usd: null,
  currency: { id: 'c', code: 'USDT', name: 'Tether', symbol: '₮', network: 'Tron' },
  correlation_key: null,
  from_address: null,
  to_address: null,
  tx_hash: null,
  failure_reason: null,
  user_ref_id: 'u',
  inserted_at: '2026-11-20T09:59:00Z',
  updated_at: '2026-11-20T09:59:00Z',
  completed_at: null,
  cashier_status: 'processing',
  ...over,
})

test('the newest 200 transactions are kept', () => {
  const uuids = Array.from({ length: 300 }, (_uuid, n) => `t${n}`)
  const live = uuids.reduce<ReturnType<typeof addLive>>(
    (all, uuid) => addLive(all, event({ transaction_uuid: uuid })),
    [],
  )
  expect(live.map(({ transaction_uuid }) => transaction_uuid)).toEqual(uuids.slice(100))
})

test('a later event replaces an earlier event of the same transaction', () => {
  const live = addLive(addLive([], event({})), event({ status: 'succeeded', tx_hash: '0xa' }))
  expect(live).toEqual([event({ status: 'succeeded', tx_hash: '0xa' })])
})

test('a withdrawal is one entry before and after it has a transaction, and keeps its id', () => {
  const asked = event({ kind: 'payout', transaction_uuid: null, withdrawal_id: 'w1', status: 'processing' })
  const named = event({ kind: 'payout', transaction_uuid: 't9', withdrawal_id: 'w1', status: 'processing' })
  const settled = event({ kind: 'payout', transaction_uuid: 't9', status: 'succeeded' })
  const live = [asked, named, settled].reduce<readonly TransactionEvent[]>(addLive, [])
  expect(live).toEqual([{ ...settled, withdrawal_id: 'w1' }])
})

test('two withdrawals without a transaction stay two', () => {
  const first = event({ kind: 'payout', transaction_uuid: null, withdrawal_id: 'w1' })
  const second = event({ kind: 'payout', transaction_uuid: null, withdrawal_id: 'w2' })
  expect(addLive(addLive([], first), second)).toHaveLength(2)
})

test('a node is updated by its event', () => {
  const row = mergeLive(node({}), [event({ status: 'succeeded', tx_hash: '0xa', amount: '5.5' })])
  expect(row).toMatchObject({ cashier_status: 'succeeded', tx_hash: '0xa', amount: '5.5' })
})

test.each([
  ['settled in the list, open in the event', 'succeeded', 'processing', '2026-11-20T10:00:00Z', 'succeeded'],
  ['settled in the list, a later settlement in the event', 'failed', 'succeeded', '2026-11-20T10:00:00Z', 'succeeded'],
  ['settled in the list, an older settlement in the event', 'failed', 'succeeded', '2026-11-20T09:00:00Z', 'failed'],
  [
    'open, an older open status in the event',
    'awaiting_approval',
    'processing',
    '2026-11-20T09:00:00Z',
    'awaiting_approval',
  ],
  ['open, an older settlement in the event', 'processing', 'succeeded', '2026-11-20T09:00:00Z', 'succeeded'],
] as const)('%s', (_name, listed, reported, at, shown) => {
  const row = mergeLive(node({ cashier_status: listed }), [event({ status: reported, updated_at: at })])
  expect(row.cashier_status).toBe(shown)
})

test('an unknown status is `other`', () => {
  expect(mergeLive(node({}), [event({ status: 'constructor' })]).cashier_status).toBe('other')
})

test('events without a node are unlisted', () => {
  const other = event({ transaction_uuid: 't2' })
  expect(unlisted([event({}), other], [node({})])).toEqual([other])
})
