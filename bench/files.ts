/**
 * A million rows as a file: a user's history, and the merchant's statement, on SQLite and PostgreSQL. Memory and the
 * write-ahead log stay as they are at a hundred thousand, and other calls wait for milliseconds only.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Writable } from 'node:stream'
import { sql } from 'kysely'
import { historyLine } from '../lib/browser/history-lines.ts'
import { csvLine } from '../lib/contract/csv.ts'
import { loadCatalogue } from '../lib/i18n/catalogue.ts'
import { createTranslator } from '../lib/i18n/translator.ts'
import { createHistoryFile } from '../lib/server/cashier/history-file.ts'
import { createStatusReader } from '../lib/server/gateway/status-words.ts'
import { createStatement } from '../lib/server/merchant/statement.ts'
import { csvAnswer } from '../lib/server/runtime/http/file-answer.ts'
import { openStore, type Store } from '../lib/server/store/store.ts'
import type { CashierSession } from '../lib/server/store/types.ts'
import { startPostgres } from '../scripts/postgres.ts'
import { fill, HEAVY } from './growth-rows.ts'
import type { Row } from './table.ts'

const MILLION = 1_000_000
const TENTH = MILLION / 10

/** Copies the heavy user's one stored deposit, so that the user has this many more. */
async function copyDeposit(store: Store, from: number, until: number): Promise<void> {
  const { db, flavour } = store.database
  const sqlite = flavour === 'sqlite'
  const numbers = sqlite
    ? sql`(with recursive n(i) as (select ${from} union all select i + 1 from n where i < ${until - 1}) select i from n)`
    : sql`(select generate_series(${from}::int, ${until - 1}::int) as i)`
  const id = sqlite ? sql`('copy-' || i)` : sql`('copy-' || i::text)`
  await sql`insert into records select user_reference_id, ${id}, type, status, inserted_ms + i, inserted_at, cursor,
      replace(record, transaction_uuid, ${id}), seen_ms
    from (select * from records where user_reference_id = ${HEAVY} and transaction_uuid not like 'copy-%' limit 1) one,
      ${numbers} n`.execute(db)
  await sql`insert into postings (posting_key, user_reference_id, currency_id, kind, created_ms, detail, from_account,
      to_account, amount)
    select 'credit:deposit:' || ${id}, user_reference_id, currency_id, kind, created_ms, detail, from_account,
      to_account, amount
    from (select * from postings where user_reference_id = ${HEAVY} and posting_key not like '%copy-%' limit 1) one,
      ${numbers} n`.execute(db)
  if (sqlite) await sql`pragma wal_checkpoint(truncate)`.execute(db)
}

const nothingNew = {
  edges: [],
  page_info: { start_cursor: null, end_cursor: null, has_next_page: false, has_previous_page: false },
  total_count: 0,
}

async function historyLines(store: Store): Promise<AsyncIterable<string>> {
  const { text } = createTranslator(await loadCatalogue('en'))
  const file = createHistoryFile({
    store,
    statuses: createStatusReader(new Map()),
    listTransactions: () => Promise.resolve(nothingNew),
    clock: Date.now,
  })
  const steps = await file({ user_reference_id: HEAVY } as CashierSession, {})
  return (async function* () {
    for await (const nodes of steps) yield nodes.map((node) => csvLine(historyLine(node, text, true))).join('')
  })()
}

const statementLines = (store: Store): Promise<AsyncIterable<string>> =>
  createStatement(store, Date.now)({ from: 1, to: null, user_reference_id: null })

interface Measured {
  readonly seconds: number
  readonly megabytes: number
  readonly rssMb: number
  readonly walMb: number
  readonly pauseMs: number
}

async function measure(store: Store, lines: Promise<AsyncIterable<string>>): Promise<Measured> {
  const { file } = store.database
  const [wal, delay, began] = [{ mb: 0 }, monitorEventLoopDelay({ resolution: 1 }), performance.now()]
  let [rss, bytes] = [0, 0]
  const sample = setInterval(() => {
    rss = Math.max(rss, process.memoryUsage().rss)
    if (file !== null) wal.mb = Math.max(wal.mb, statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0)
  }, 100)
  delay.enable()
  const read = await lines
  await new Promise<void>((resolve, reject) => {
    const sink = new Writable({
      write(chunk: Buffer, _encoding, done) {
        bytes += chunk.length
        setImmediate(done)
      },
    })
    sink.once('finish', resolve)
    csvAnswer({ name: 'file.csv', lines: read, onError: reject }).writeTo(sink)
  })
  delay.disable()
  clearInterval(sample)
  return {
    seconds: (performance.now() - began) / 1000,
    megabytes: bytes / 1e6,
    rssMb: rss / 1e6,
    walMb: wal.mb / 1e6,
    pauseMs: delay.percentile(99.9) / 1e6,
  }
}

async function filesOn(name: string, url: string): Promise<readonly Row[]> {
  const store = await openStore({ url, clock: Date.now, deliver: false })
  try {
    await fill(store, 0, 1)
    const rows: Row[] = []
    const measured: Record<string, Measured> = {}
    for (const [from, until] of [
      [1, TENTH],
      [TENTH, MILLION],
    ] as const) {
      await copyDeposit(store, from, until)
      for (const [what, lines] of [
        ['history', historyLines],
        ['statement', statementLines],
      ] as const) {
        const before = measured[what]
        const now = await measure(store, lines(store))
        measured[what] = now
        if (before === undefined) continue
        rows.push(
          { what: `${name}: ${what} of a million: seconds (of a tenth)`, ours: now.seconds, peer: before.seconds },
          { what: `${name}: ${what}: megabytes of the file`, ours: now.megabytes, peer: before.megabytes },
          { what: `${name}: ${what}: largest memory of the process, MB`, ours: now.rssMb, peer: before.rssMb },
          { what: `${name}: ${what}: longest wait of others, ms (p99.9)`, ours: now.pauseMs, peer: before.pauseMs },
          ...(url.startsWith('file:')
            ? [{ what: `${name}: ${what}: write-ahead log, MB`, ours: now.walMb, peer: before.walMb }]
            : []),
        )
      }
    }
    return rows
  } finally {
    await store.close()
  }
}

/** The peer's figures are those of a tenth of the rows. */
export async function files(): Promise<readonly Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'files-'))
  const postgres = await startPostgres()
  try {
    const onSqlite = await filesOn('SQLite', `file:${join(folder, 'cashier.db')}`)
    return [...onSqlite, ...(await filesOn('PostgreSQL', postgres.url))]
  } finally {
    await postgres.stop()
    rmSync(folder, { recursive: true })
  }
}
