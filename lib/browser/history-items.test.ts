import { expect, test } from 'vitest'
import type { TransactionNode } from '#lib/contract/cashier.ts'
import { findAgain, historyDays, historyItem } from './history-items.ts'

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
  updated_at: null,
  completed_at: null,
  cashier_status: 'processing',
  ...over,
})

test.each([
  [{ type: 'Deposit' }, 'deposit', '+'],
  [{ type: 'Payout' }, 'payout', '\u2212'],
  [{ type: 'payout' }, 'payout', '\u2212'],
  [{ type: 'Deposit', session_reference: 's' }, 'onramp', '+'],
  [{ type: 'Chargeback' }, null, null],
])('%o is %s with %s', (over, kind, sign) => {
  const item = historyItem(node(over))
  expect([item.kind, item.amount.sign ?? null]).toEqual([kind, sign])
})

const purchase = { type: 'Deposit', session_reference: 's', from_amount: '150', from_currency: 'EUR' } as const
test.each([
  ['before its crypto amount is known', 'pending', '0', { value: '150.00', code: 'EUR' }, null],
  ['failed without a crypto amount', 'failed', '0.00', { value: '150.00', code: 'EUR' }, null],
  ['under way', 'processing', '157.95', { value: '157.95', code: 'USDT', sign: '+' }, null],
  ['done', 'succeeded', '157.950000', { value: '157.95', code: 'USDT', sign: '+' }, { value: '150.00', code: 'EUR' }],
] as const)('a purchase %s', (_name, cashier_status, amount, shown, paid) => {
  const item = historyItem(node({ ...purchase, cashier_status, amount }))
  expect([item.amount, item.paid]).toEqual([shown, paid])
})

test('an unknown status is neutral, and an item without a transaction has a key', () => {
  const item = historyItem(node({ cashier_status: 'other', transaction_uuid: null, withdrawal_id: 'w1' }))
  expect(item.display.tone).toBe('plain')
  expect(item.key).toBe('w1')
})

test.each([
  ['Payout', 'declined', 'status.declined'],
  ['Payout', 'refused', 'status.failed'],
  ['Payout', null, 'status.failed'],
  ['Deposit', 'declined', 'status.failed'],
])('a failed %s with the reason %s has the label %s', (type, failure_reason, label) => {
  const { display } = historyItem(node({ type, failure_reason, cashier_status: 'failed' }))
  expect(display).toEqual({ tone: 'bad', label, settled: true })
})

test('items are grouped by the days in the user’s zone', () => {
  const items = ['2026-11-20T00:30:00Z', '2026-11-19T23:30:00Z', '2026-11-19T01:00:00Z'].map((inserted_at, index) =>
    historyItem(node({ inserted_at, transaction_uuid: String(index) })),
  )
  expect(historyDays(items, 'UTC').map(({ day, items: own }) => [day, own.length])).toEqual([
    ['2026-11-20', 1],
    ['2026-11-19', 2],
  ])
  expect(historyDays(items, 'Asia/Tokyo').map(({ day, items: own }) => [day, own.length])).toEqual([
    ['2026-11-20', 2],
    ['2026-11-19', 1],
  ])
})

test.each([
  ['a withdrawal that the gateway lists now', { withdrawal_id: 'w1' }, { withdrawal_id: 'w1' }, 'after'],
  ['a purchase whose deposit is listed now', { session_reference: 's1' }, { session_reference: 's1' }, 'after'],
  ['another withdrawal', { withdrawal_id: 'w1' }, { withdrawal_id: 'w2' }, null],
  ['another deposit', {}, {}, null],
])('%s is found again: %o as %o', (_name, before, after, found) => {
  const opened = historyItem(node({ ...before, transaction_uuid: 'before' }))
  const items = [
    historyItem(node({ transaction_uuid: 'other' })),
    historyItem(node({ ...after, transaction_uuid: 'after' })),
  ]
  expect(findAgain(items, opened)?.key ?? null).toBe(found)
  expect(findAgain([...items, opened], opened)).toBe(opened)
})
