/** The history where the merchant keeps the books, so that no credit ties a purchase to its deposit. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Gateway, TransactionRecord } from '../gateway/port.ts'
import { sampleTransactionRecord } from '../gateway/testing/sample-record.ts'
import type { CashierSession } from '../store/port.ts'
import { openStore, type Store } from '../store/store.ts'
import { sampleFact, sampleOnramp } from '../store/testing/sample-rows.ts'
import { applyOneFact } from '../store/testing/seed.ts'
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

/** The history's rows, with the gateway's list as it is or, where null, away. */
async function rowsOf(records: readonly TransactionRecord[] | null) {
  const edges = (records ?? []).map((node) => ({ node, cursor: node.transaction_uuid, inserted_at: node.inserted_at }))
  const list = {
    edges,
    page_info: { start_cursor: null, end_cursor: null, has_next_page: false, has_previous_page: false },
    total_count: edges.length,
  }
  const gateway = { listUserTransactions: () => Promise.resolve(list) } as Partial<Gateway> as Gateway
  const circuits = { run: <T>(_: string, read: () => Promise<T>) => read(), isDown: () => records === null }
  const listTransactions = createListTransactions({
    store,
    gateway,
    circuits,
    ledgerMode: 'merchant',
    clock: () => NOW,
  })
  return (await listTransactions(SESSION, {})).edges.map(({ node }) => node.transaction_uuid)
}

const purchase = { kind: 'onramp', status: 'succeeded', transaction_uuid: 'o', tx_hash: '0xAB' } as const
const deposit = { kind: 'deposit', status: 'succeeded', transaction_uuid: 'd', currency_id: 'c2' } as const

test('a purchase and its deposit are one row although the list has given their currency another id', async () => {
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
