import { expect, test } from 'vitest'
import type { TransactionNode, TransactionsPage } from '#lib/contract/cashier.ts'
import type { TransactionEvent } from '#lib/contract/stream.ts'
import { purchaseOf, shownTheme } from './purchases.ts'

const event = (over: Partial<TransactionEvent>): TransactionEvent => ({
  transaction_uuid: null,
  kind: 'onramp',
  status: 'processing',
  amount: null,
  currency_code: 'USDT',
  network: 'Tron',
  tx_hash: null,
  updated_at: '2026-11-20T10:00:00Z',
  session_reference: 's1',
  ...over,
})

const list = (over: Partial<TransactionNode>): TransactionsPage => ({
  edges: [
    {
      cursor: 'c',
      inserted_at: '2026-11-20T09:59:00Z',
      node: {
        transaction_uuid: 't1',
        type: 'Deposit',
        status: 'TXN_NEW',
        merchant_status: null,
        amount: '77.25',
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
        session_reference: 's1',
        ...over,
      },
    },
  ],
  page_info: { start_cursor: null, end_cursor: null, has_next_page: false, has_previous_page: false },
  total_count: 1,
})

const started = { id: 's1', status: 'pending' }

test('without a list and an event, a purchase is pending', () => {
  expect(purchaseOf(started, undefined, [])).toEqual({ status: 'pending', amount: null })
})

test('the list and events of another purchase are ignored', () => {
  expect(purchaseOf({ ...started, id: 's2' }, list({}), [event({})])).toEqual({ status: 'pending', amount: null })
})

test('an event without a list is enough', () => {
  expect(purchaseOf(started, undefined, [event({ status: 'succeeded', amount: '77.25' })])).toEqual({
    status: 'succeeded',
    amount: '77.25',
  })
})

test('the list alone is enough, and its amount counts only once the purchase succeeded', () => {
  expect(purchaseOf(started, list({}), [])).toEqual({ status: 'processing', amount: null })
  expect(purchaseOf(started, list({ cashier_status: 'succeeded' }), [])).toEqual({
    status: 'succeeded',
    amount: '77.25',
  })
})

test('an event that is newer than the list wins', () => {
  expect(purchaseOf(started, list({}), [event({ status: 'succeeded', amount: '77.25' })])).toEqual({
    status: 'succeeded',
    amount: '77.25',
  })
})

test('without a row or an event, a purchase has the status with which it was read', () => {
  expect(purchaseOf({ ...started, status: 'failed' }, list({ session_reference: 's2' }), [])).toEqual({
    status: 'failed',
    amount: null,
  })
})

const themed = (theme: string | undefined, deviceIsDark: boolean) =>
  ({
    document: { documentElement: { dataset: { theme } } },
    matchMedia: () => ({ matches: deviceIsDark }),
  }) as unknown as Window

test.each([
  ['light', true, 'light'],
  ['dark', false, 'dark'],
  ['auto', true, 'dark'],
  ['auto', false, 'light'],
  [undefined, true, 'dark'],
])('page %s, dark device %s: %s', (theme, dark, shown) => {
  expect(shownTheme(themed(theme, dark))).toBe(shown)
})
