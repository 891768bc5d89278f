import { expect, test } from 'vitest'
import type { TransactionNode, TransactionsPage } from '#lib/contract/cashier.ts'
import type { TransactionEvent } from '#lib/contract/stream.ts'
import { sessionDeposits } from './session-deposits.ts'

const START = '2026-11-20T10:00:00Z'

const page = (...nodes: Partial<TransactionNode>[]): TransactionsPage => ({
  edges: nodes.map((over, index) => ({
    cursor: String(index),
    inserted_at: '2026-11-20T10:01:00Z',
    node: {
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
      inserted_at: '2026-11-20T10:01:00Z',
      updated_at: null,
      completed_at: null,
      cashier_status: 'processing',
      ...over,
    },
  })),
  page_info: { start_cursor: null, end_cursor: null, has_next_page: false, has_previous_page: false },
  total_count: nodes.length,
})

const event = (over: Partial<TransactionEvent>): TransactionEvent => ({
  transaction_uuid: 't1',
  kind: 'deposit',
  status: 'processing',
  amount: '5',
  currency_code: 'USDT',
  network: 'Tron',
  tx_hash: null,
  updated_at: '2026-11-20T10:02:00Z',
  ...over,
})

const shown = (list: TransactionsPage | undefined, live: readonly TransactionEvent[]) =>
  sessionDeposits(list, live, START).map(({ key, status }) => [key, status])

test('a deposit in list and stream is one entry, with the later status', () => {
  expect(shown(page({}), [event({ status: 'succeeded' })])).toEqual([['t1', 'succeeded']])
})

test('a deposit of the stream is shown before the list has it', () => {
  expect(shown(undefined, [event({})])).toEqual([['t1', 'processing']])
  expect(shown(page({}), [event({ transaction_uuid: 't2' })])).toEqual([
    ['t2', 'processing'],
    ['t1', 'processing'],
  ])
})

const EARLIER = { inserted_at: '2026-11-20T09:00:00Z' }

test('deposits that were settled before the session are left out', () => {
  expect(shown(page({ ...EARLIER, cashier_status: 'succeeded' }), [])).toEqual([])
  const updated_at = '2026-11-20T09:59:59Z'
  expect(shown(page({ ...EARLIER, updated_at, cashier_status: 'failed' }), [])).toEqual([])
})

test('an older deposit that is still on its way is shown, and so is its credit in this session', () => {
  expect(shown(page(EARLIER), [])).toEqual([['t1', 'processing']])
  expect(shown(page(EARLIER), [event({ status: 'succeeded' })])).toEqual([['t1', 'succeeded']])
  const updated_at = '2026-11-20T10:02:00Z'
  expect(shown(page({ ...EARLIER, updated_at, cashier_status: 'succeeded' }), [])).toEqual([['t1', 'succeeded']])
})

test('purchases and payouts are left out', () => {
  expect(
    shown(page({ type: 'Payout' }, { session_reference: 's' }), [event({ kind: 'payout', transaction_uuid: 't7' })]),
  ).toEqual([])
})
