/**
 * Median milliseconds for a page of 100 records of a user's list, on both databases: with all records new (stored,
 * applied, credited, published), and with all records known (one read).
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decimal } from '../lib/contract/money.ts'
import type { ListedRecord } from '../lib/server/ledger/facts.ts'
import { openStore } from '../lib/server/store/store.ts'
import { sampleFact } from '../lib/server/store/testing/sample-rows.ts'
import { startPostgres } from '../scripts/postgres.ts'
import type { Row } from './table.ts'

const PAGES = 40
const PAGE = 100

const currency = { id: 'c1', name: 'Tether', currency_code: 'USDT', symbol: 'USDT', network: 'Tron' }

function deposit(user: string, uuid: string): ListedRecord {
  const inserted_at = '2026-11-20T10:00:00Z'
  const node = {
    transaction_uuid: uuid,
    type: 'Deposit',
    status: 'TXN_PROVIDER_SUCCEEDED',
    amount: '12.5',
    inserted_at,
  }
  return {
    transaction_uuid: uuid,
    user_reference_id: user,
    type: node.type,
    status: node.status,
    inserted_at,
    cursor: uuid,
    record: JSON.stringify(node),
    currency,
    fact: sampleFact({
      transaction_uuid: uuid,
      status: 'succeeded',
      source: 'reconciliation',
      user_reference_id: user,
      currency_id: currency.id,
      currency_code: currency.currency_code,
      network: currency.network,
      amount: decimal('12.5'),
      to_address: 'TGFw8hUXtARFaTqzFX9CcuP6WLNaK7NqzE',
      tx_hash: uuid,
      occurred_at: inserted_at,
    }),
  }
}

const median = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0

async function measure(url: string): Promise<{ readonly fresh: number; readonly known: number }> {
  const store = await openStore({ url, clock: Date.now, deliver: true })
  const times = { fresh: [] as number[], known: [] as number[] }
  try {
    for (let page = 0; page < PAGES; page += 1) {
      const user = `bench-${page}`
      await store.users.ensure(user, Date.now())
      const records = Array.from({ length: PAGE }, (_item, index) => deposit(user, `${user}-${index}`))
      for (const kind of ['fresh', 'known'] as const) {
        const began = performance.now()
        await store.applyRecords(user, records, { ledgerMode: 'embedded', ledgerStartMs: 0 })
        times[kind].push(performance.now() - began)
      }
    }
  } finally {
    await store.close()
  }
  return { fresh: median(times.fresh), known: median(times.known) }
}

export async function records(): Promise<readonly Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'cashier-bench-'))
  const postgres = await startPostgres()
  try {
    const sqlite = await measure(`file:${join(folder, 'cashier.db')}`)
    const other = await measure(postgres.url)
    return [
      { what: 'ms, 100 new records, SQLite', ours: sqlite.fresh, peer: null },
      { what: 'ms, 100 new records, PostgreSQL', ours: other.fresh, peer: null },
      { what: 'ms, 100 known records, SQLite', ours: sqlite.known, peer: null },
      { what: 'ms, 100 known records, PostgreSQL', ours: other.known, peer: null },
    ]
  } finally {
    await postgres.stop()
    rmSync(folder, { recursive: true })
  }
}
