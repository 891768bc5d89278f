import { afterEach, beforeEach, expect, test } from 'vitest'
import { decimal } from '#lib/contract/money.ts'
import type { TransactionsQuery } from '#lib/contract/cashier-requests.ts'
import type { TransactionRecord } from '../gateway/types.ts'
import { sampleTransactionRecord, STATUSES } from '../gateway/testing/sample-record.ts'
import type { LedgerMode } from '../ledger/accounts.ts'
import type { CashierSession } from '../store/types.ts'
import { openStore, type Store } from '../store/store.ts'
import { sampleFact, sampleOnramp, sampleWithdrawal } from '../store/testing/sample-rows.ts'
import { applyOneFact, seed } from '../store/testing/seed.ts'
import { createListTransactions } from './list-transactions.ts'

const NOW = Date.parse('2026-11-20T12:00:00Z')

const SESSION: CashierSession = {
  id: 's',
  user_reference_id: 'u',
  flows: ['history'],
  locale: null,
  theme: null,
  tokens: null,
  support_url: null,
  country: null,
  currency_ids: null,
  return_url: null,
  account_label: null,
  merchant_name: null,
  metadata: null,
  own_wallet: false,
  time_zone: null,
  created_ms: NOW,
  last_used_ms: NOW,
}

let store: Store
beforeEach(async () => {
  store = await openStore({ url: 'file::memory:', clock: () => NOW, deliver: false })
  await store.users.ensure('u', NOW)
})
afterEach(() => store.close())

/** The history's rows, with these records as the gateway's list; null: the gateway is down. */
async function rowsOf(
  records: readonly TransactionRecord[] | null,
  { ledgerMode = 'merchant', clockOffset = 0 }: { ledgerMode?: LedgerMode; clockOffset?: number } = {},
) {
  return (await pageOf(records, { ledgerMode, clockOffset })).edges.map(({ node }) => node.transaction_uuid)
}

function pageOf(
  records: readonly TransactionRecord[] | null,
  {
    ledgerMode = 'merchant',
    clockOffset = 0,
    input = {},
    ...said
  }: {
    ledgerMode?: LedgerMode
    clockOffset?: number
    input?: TransactionsQuery
    total_count?: number | null
    left_out?: number
  } = {},
) {
  const edges = (records ?? []).map((node) => ({ node, cursor: node.transaction_uuid, inserted_at: node.inserted_at }))
  const list = {
    edges,
    page_info: { start_cursor: null, end_cursor: null, has_next_page: false, has_previous_page: false },
    total_count: edges.length,
    left_out: 0,
    ...said,
  }
  const gateway = {
    showUserTransactions: () => Promise.resolve(list),
    clockOffsetMs: () => clockOffset,
    statuses: STATUSES,
  }
  const circuits = { run: <T>(_name: string, read: () => Promise<T>) => read(), isDown: () => records === null }
  const listTransactions = createListTransactions({
    store,
    gateway,
    circuits,
    ledgerMode,
    ledgerStartMs: 0,
    clock: () => NOW,
  })
  return listTransactions(SESSION, input)
}

test('a page says how many records it lacks, and omits a total count that cannot be right', async () => {
  await seed(store, { withdrawals: [sampleWithdrawal({ created_ms: NOW, user_reference_id: 'u' })] })
  const listed = [sampleTransactionRecord({ user_ref_id: 'u' })]
  const whole = await pageOf(listed)
  expect(whole.total_count).toBe(2)
  expect(whole).not.toHaveProperty('left_out')
  const odd = await pageOf(listed, { total_count: null, left_out: 3 })
  expect(odd.edges).toHaveLength(2)
  expect(odd).toMatchObject({ total_count: null, left_out: 3 })
})

/** If the merchant keeps the books, no credit links a purchase to its deposit. */
const purchase = { kind: 'onramp', status: 'succeeded', transaction_uuid: 'o', tx_hash: '0xAB' } as const
const deposit = { kind: 'deposit', status: 'succeeded', transaction_uuid: 'd', currency_id: 'c2' } as const

test('a purchase and its deposit are one row although the list has given their currency a new id', async () => {
  await store.onramps.insert(sampleOnramp({ created_ms: NOW }))
  const { currency } = sampleTransactionRecord()
  await applyOneFact(store, sampleFact({ ...purchase, correlation_key: 'k1' }), { ledgerMode: 'merchant' })
  await applyOneFact(store, sampleFact({ ...deposit, tx_hash: 'ab' }), { ledgerMode: 'merchant' })
  expect(await rowsOf(null)).toEqual(['o'])
  const listed = sampleTransactionRecord({
    transaction_uuid: 'd',
    status: 'TXN_PROVIDER_SUCCEEDED',
    currency: { ...currency, id: 'c2', network: 'Tron' },
    tx_hash: 'ab',
    to_address: 'TAddress',
    user_ref_id: 'u',
  })
  expect(await rowsOf([listed])).toEqual(['d'])
  expect(await rowsOf(null)).toEqual(['d'])
  expect(await rowsOf([])).toEqual([])
})

test.each([
  ['under way', { status: 'processing', step: 'calling', call_ended_ms: null }],
  ['uncertain', { status: 'unknown', step: 'ended', call_ended_ms: NOW, next_check_ms: NOW }],
] as const)(
  'a payout from before a call that is %s is not its payout, by the gateway’s clock',
  async (_name, state) => {
    const HOUR_MS = 3_600_000
    const amount = decimal('25')
    const address = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
    const { currency } = sampleTransactionRecord()
    const row = sampleWithdrawal({
      amount,
      wallet_address: address,
      created_ms: NOW,
      called_ms: NOW,
      clock_offset_ms: null,
      ...state,
    })
    const booking = { user_reference_id: 'u', currency_id: row.currency_id, amount }
    await seed(store, {
      withdrawals: [row],
      bookings: [
        { ...booking, booking: 'adjustment', posting_key: 'adjustment:1' },
        { ...booking, booking: 'hold', posting_key: 'hold:1' },
      ],
    })
    const earlier = sampleTransactionRecord({
      transaction_uuid: 'p',
      type: 'Payout',
      status: 'TXN_PROVIDER_SUCCEEDED',
      amount,
      currency: { ...currency, id: 'c1', network: 'Tron' },
      to_address: address,
      user_ref_id: 'u',
      // An hour before the call: our clock is two hours behind.
      inserted_at: new Date(NOW + HOUR_MS).toISOString(),
    })
    await rowsOf([earlier], { ledgerMode: 'embedded', clockOffset: 2 * HOUR_MS })
    expect(await store.withdrawals.find(row.id)).toMatchObject({ status: state.status, transaction_uuid: null })
  },
)

test('while the gateway is down a filter hides no record from the rows that only webhooks have told', async () => {
  const record = sampleTransactionRecord({ transaction_uuid: 'd', user_ref_id: 'u', to_address: 'TAddress' })
  await rowsOf([record])
  const told = { kind: 'deposit', status: 'succeeded', user_reference_id: 'u' } as const
  for (const transaction_uuid of ['d', 'w']) await applyOneFact(store, sampleFact({ ...told, transaction_uuid }))
  const whole = await pageOf(null)
  expect(whole.edges.map(({ node }) => node.transaction_uuid).sort()).toEqual(['d', 'w'])
  const page = await pageOf(null, { input: { transaction_types: ['Deposit'] } })
  expect(page.edges.map(({ node }) => node.transaction_uuid).sort()).toEqual(['d', 'w'])
  const others = await pageOf(null, { input: { transaction_types: ['Payout'] } })
  expect(others.edges).toEqual([])
})

test('a withdrawal of which another amount was paid has both amounts, listed or not; any has the time of its call', async () => {
  const paid = (id: string, amount: string) =>
    sampleWithdrawal({
      id,
      idempotency_key: id,
      status: 'succeeded',
      amount: decimal(amount),
      paid_amount: decimal('9.50'),
      transaction_uuid: id,
      created_ms: NOW,
      called_ms: NOW,
    })
  await seed(store, { withdrawals: [paid('w1', '10.0'), paid('w2', '9.5'), paid('w3', '10')] })
  const record = { type: 'Payout', status: 'TXN_PROVIDER_SUCCEEDED', amount: decimal('9.5') }
  const listed = ['w1', 'w2'].map((transaction_uuid) => sampleTransactionRecord({ ...record, transaction_uuid }))
  const called_at = new Date(NOW).toISOString()
  for (const records of [listed, null]) {
    const { edges } = await pageOf(records)
    const told = edges.map(({ node }) => [
      node.withdrawal_id,
      { called_at: node.called_at, asked_amount: node.asked_amount, paid_amount: node.paid_amount },
    ])
    expect(Object.fromEntries(told)).toMatchObject({
      w1: { called_at, asked_amount: '10', paid_amount: '9.5' },
      w2: { called_at, asked_amount: undefined, paid_amount: undefined },
    })
  }
})
