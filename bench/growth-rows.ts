/** Transactions of the gateway's list for the growth bench. One heavy user has a twentieth of them. */
import { randomUUID } from 'node:crypto'
import { decimal } from '../lib/contract/money.ts'
import { listedRecords } from '../lib/server/gateway/listed-records.ts'
import { createStatusReader } from '../lib/server/gateway/status-words.ts'
import { sampleTransactionRecord } from '../lib/server/gateway/testing/sample-record.ts'
import type { TransactionRecord, TransactionsList } from '../lib/server/gateway/types.ts'
import type { Store } from '../lib/server/store/types.ts'

export const HEAVY = 'heavy'
const EACH = 200
const START_MS = Date.UTC(2026, 0, 1)

const currency = {
  id: '7b0d3a3e-2f0c-4a59-9d5e-0c8f2f6f0a01',
  code: 'USDT',
  name: 'Tether USD',
  symbol: 'USDT',
  network: 'Tron',
  currency_icon: null,
  network_icon: null,
  token_address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
}

function deposit(user: string, atMs: number): TransactionRecord {
  const uuid = randomUUID()
  const at = new Date(atMs).toISOString()
  return sampleTransactionRecord({
    transaction_uuid: uuid,
    status: 'TXN_PROVIDER_SUCCEEDED',
    merchant_status: 'CALLBACK_SUCCEEDED',
    amount: decimal('12.5'),
    amount_usd: decimal('12.5'),
    currency,
    from_address: 'TJcFi7HPVdrNsttMsR5beocUoWM1wgpxJG',
    to_address: 'TGFw8hUXtARFaTqzFX9CcuP6WLNaK7NqzE',
    tx_hash: uuid.replaceAll('-', '').repeat(2),
    provider_transaction_id: `p-${uuid}`,
    user_ref_id: user,
    inserted_at: at,
    updated_at: at,
    completed_at: at,
  })
}

/** A page as the gateway returns it, newest first. */
export const pageOfNodes = (nodes: readonly TransactionRecord[], total: number): TransactionsList => ({
  edges: nodes.map((node) => ({ cursor: node.transaction_uuid, inserted_at: node.inserted_at, node })),
  page_info: { start_cursor: null, end_cursor: null, has_next_page: total > nodes.length, has_previous_page: false },
  total_count: total,
})

/**
 * Stores more transactions, of many users and the heavy user. Returns the heavy user's newest transactions, newest
 * first.
 */
export async function fill(store: Store, from: number, until: number): Promise<readonly TransactionRecord[]> {
  let newest: readonly TransactionRecord[] = []
  for (let done = from; done < until; done += EACH) {
    const user = (done / EACH) % 20 === 0 ? HEAVY : `user-${done}`
    await store.users.ensure(user, Date.now())
    const nodes = Array.from({ length: Math.min(EACH, until - done) }, (_item, at) =>
      deposit(user, START_MS + (done + at) * 10),
    ).toReversed()
    const records = listedRecords(pageOfNodes(nodes, nodes.length).edges, createStatusReader(new Map()))
    await store.applyRecords(user, records, { ledgerMode: 'embedded', ledgerStartMs: 0 })
    if (user === HEAVY) newest = nodes.slice(0, 20)
  }
  return newest
}
