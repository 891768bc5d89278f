/**
 * Measures what grows with the number of transactions, on SQLite and PostgreSQL: each figure beside the figure at a
 * thousand. Units of work fill the store, and this process queries it. The peer of the disk size is three tables: raw
 * events, transactions and entries, as in the Fastify server of `fastify-webhooks.ts`.
 */
import { createPublicKey, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { MERCHANT_REFERENCE, rsaKeyPair } from '../e2e/fixtures/keys.ts'
import { depositEvent } from '../e2e/system/deposit-event.ts'
import { webhookHeaders } from '../e2e/system/gateway-signature.ts'
import { createListTransactions } from '../lib/server/cashier/list-transactions.ts'
import { createCircuit, createListCircuits } from '../lib/server/gateway/circuit.ts'
import { listedRecords } from '../lib/server/gateway/listed-records.ts'
import { createStatusReader } from '../lib/server/gateway/status-words.ts'
import type { TransactionRecord } from '../lib/server/gateway/types.ts'
import { openStore, type Store } from '../lib/server/store/store.ts'
import { createReceiveWebhook } from '../lib/server/webhooks/receive-webhook.ts'
import { startPostgres } from '../scripts/postgres.ts'
import { fill, HEAVY, pageOfNodes } from './growth-rows.ts'
import type { Row } from './table.ts'

const THOUSAND = 1000
const TIMES = 300

const keys = rsaKeyPair()
const publicKey = createPublicKey(keys.publicKey)

/** The median and the 99th percentile, in milliseconds. */
async function timesOf(work: (index: number) => Promise<unknown>): Promise<readonly [p50: number, p99: number]> {
  for (let index = 0; index < 20; index += 1) await work(index - 20)
  const times: number[] = []
  for (let index = 0; index < TIMES; index += 1) {
    const began = performance.now()
    await work(index)
    times.push(performance.now() - began)
  }
  times.sort((one, other) => one - other)
  return [times[Math.floor(TIMES / 2)] ?? 0, times[Math.floor(TIMES * 0.99)] ?? 0]
}

function webhook(user: string) {
  const body = depositEvent({ uuid: randomUUID(), user, amount: '12.5', status: 'succeeded' })
  const headers = webhookHeaders(keys.privateKey, body)
  return {
    rawBody: Buffer.from(body),
    signature: headers['x-signature'],
    timestamp: headers['x-timestamp'],
  }
}

async function diskBytes(store: Store): Promise<number> {
  const { file, db } = store.database
  if (file !== null) {
    await sql`pragma wal_checkpoint(truncate)`.execute(db)
    return statSync(file).size
  }
  const { rows } = await sql<{ size: number }>`select pg_database_size(current_database()) as size`.execute(db)
  return rows[0]?.size ?? 0
}

type Figures = Map<string, number>

async function figuresOf(store: Store, newest: readonly TransactionRecord[], count: number): Promise<Figures> {
  const figures: Figures = new Map()
  const note = async (what: string, work: (index: number) => Promise<unknown>): Promise<void> => {
    const [p50, p99] = await timesOf(work)
    figures.set(`ms, ${what}, p50`, p50)
    figures.set(`ms, ${what}, p99`, p99)
  }
  const receive = createReceiveWebhook({
    store,
    publicKey,
    clock: Date.now,
    toleranceS: 300,
    ledgerMode: 'embedded',
    ledgerStartMs: 0,
    merchantReference: MERCHANT_REFERENCE,
  })
  const page = pageOfNodes(newest, Math.ceil(count / 20))
  const statuses = createStatusReader(new Map())
  const history = createListTransactions({
    store,
    gateway: {
      showUserTransactions: () => Promise.resolve({ ...page, left_out: 0 }),
      statuses,
      clockOffsetMs: () => 0,
    },
    circuits: createListCircuits(Date.now, createCircuit(Date.now)),
    ledgerMode: 'embedded',
    ledgerStartMs: 0,
    clock: Date.now,
  })
  const session = { user_reference_id: HEAVY } as Parameters<typeof history>[0]
  const known = listedRecords(page.edges, statuses)
  const head = (await store.feedEpoch.position()).head
  const events = Array.from({ length: TIMES + 20 }, () => webhook(HEAVY))
  await note('webhook', (index) => receive(events[index + 20] ?? webhook(HEAVY)))
  await note('history of the heavy user', () => history(session, { first: 20 }))
  await note('balances', () => store.ledger.balances(HEAVY))
  await note('feed, a page in the middle', () => store.events.feedAfter(Math.floor(head / 2), 100))
  await note('quarantine list', () => store.quarantine.list({ reason: null, settled: false, after: 0, limit: 100 }))
  await note('reconciliation of the heavy user', async () => {
    await store.reconcileQueue.claimDue('open', 16, 1000)
    await store.applyRecords(HEAVY, known, { ledgerMode: 'embedded', ledgerStartMs: 0 })
    await store.openStates.span(HEAVY)
  })
  figures.set('kilobytes of disk a transaction', (await diskBytes(store)) / (count + TIMES) / 1000)
  figures.set('megabytes of this process', process.memoryUsage.rss() / 1e6)
  return figures
}

/** Kilobytes per transaction in a server that keeps raw events, transactions and entries. */
function peerDisk(folder: string): number {
  const file = join(folder, 'peer.db')
  const db = new DatabaseSync(file)
  const count = 20_000
  db.exec(`pragma journal_mode = wal; pragma synchronous = off;
    create table events (uuid text, status text, body text not null, primary key (uuid, status));
    create table transactions (uuid text primary key, user text not null, status text not null, amount text not null);
    create table entries (id integer primary key, uuid text not null, user text not null, amount text not null); begin`)
  const insert = ['insert into events values (?, ?, ?)', 'insert into transactions values (?, ?, ?, ?)'].map((text) =>
    db.prepare(text),
  )
  const entry = db.prepare('insert into entries (uuid, user, amount) values (?, ?, ?)')
  for (let index = 0; index < count; index += 1) {
    const uuid = randomUUID()
    insert[0]?.run(uuid, 'succeeded', depositEvent({ uuid, user: HEAVY, amount: '12.5', status: 'succeeded' }))
    insert[1]?.run(uuid, HEAVY, 'succeeded', '12.5')
    entry.run(uuid, HEAVY, '12.5')
  }
  db.exec('commit; pragma wal_checkpoint(truncate)')
  db.close()
  return statSync(file).size / count / 1000
}

async function grow(name: string, url: string, sizes: readonly number[], disk: number): Promise<readonly Row[]> {
  const open = (): Promise<Store> => openStore({ url, clock: Date.now, deliver: false })
  const rows: Row[] = []
  let before = 0
  let first: Figures | null = null
  for (const size of sizes) {
    let store = await open()
    const newest = await fill(store, before, size)
    before = size
    await store.close()
    const began = performance.now()
    store = await open()
    const openMs = performance.now() - began
    const figures = await figuresOf(store, newest, size)
    figures.set('ms to open the store', openMs)
    await store.close()
    first ??= figures
    for (const [what, value] of figures) {
      if (size === THOUSAND) continue
      const peer = what.includes('disk') ? disk : (first.get(what) ?? null)
      rows.push({ what: `${name} ${size / 1000}k: ${what}`, ours: value, peer })
    }
  }
  return rows
}

const growth = (sizes: readonly number[]) => async (): Promise<readonly Row[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'cashier-growth-'))
  const postgres = await startPostgres({ fsync: true })
  try {
    const disk = peerDisk(folder)
    return [
      ...(await grow('SQLite', `file:${join(folder, 'cashier.db')}`, sizes, disk)),
      ...(await grow('PostgreSQL', postgres.url, sizes, disk)),
    ]
  } finally {
    await postgres.stop()
    rmSync(folder, { recursive: true })
  }
}

export const growthTo100k = growth([THOUSAND, 100_000])
export const growthToAMillion = growth([THOUSAND, 100_000, 1_000_000])
