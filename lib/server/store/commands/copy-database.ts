import { CompiledQuery, sql, type Transaction } from 'kysely'
import { wholeLedgerOf, type WholeLedger } from '../tables/whole-ledger.ts'
import { databaseTime } from '../database/database-time.ts'
import { connectDatabase, openDatabase } from '../database/database.ts'
import { openSqlite } from '../database/node-sqlite-dialect.ts'
import { COPIED, GIVEN_UP } from '../database/schema-guard.ts'
import type { Tables } from '../database/schema.ts'
import { distrust } from '../restored.ts'
import { findLiveInstances, liveInstancesFault, liveInstancesOf, type LiveInstances } from './live-instances.ts'
import { feedEpochOf } from '../tables/feed-epoch.ts'
import { ledgerStartOf, reconciliationStateOf } from '../tables/reconciliation-state.ts'
import { unseenNumbersOf } from '../tables/unseen-numbers.ts'
import { withdrawalsOf } from '../tables/withdrawals.ts'
import { readSnapshot } from '../tables/snapshot.ts'

/** Parameters of one statement; PostgreSQL accepts 65,535. */
const MOST_PARAMETERS = 30_000
/** The other tables belong to each database itself. */
const isCopied = (table: string): boolean => table !== 'schema_migrations' && !table.startsWith('sqlite_')

/** Tables whose rows show that the target is in use. A webhook that was answered 200 may be of an unknown user. */
const NOT_TO_BE_LOST = ['users', 'webhooks', 'quarantine', 'audit_entries'] as const

type Sqlite = ReturnType<typeof openSqlite>
type Value = string | number | Uint8Array | null

const quoted = (name: string): string => `"${name}"`

function tablesOf(from: Sqlite): readonly string[] {
  const rows = from.prepare("select name from sqlite_master where type = 'table' order by name").all()
  return rows.map((row) => String(row['name'])).filter(isCopied)
}

/** Returns how many rows were copied. */
async function copyTable(from: Sqlite, to: Transaction<Tables>, table: string): Promise<number> {
  const columns = from.prepare(`select name from pragma_table_info('${table}')`).all()
  const names = columns.map((column) => String(column['name']))
  // A new database has its own rows in some tables, such as the epoch of the feed.
  await sql.raw(`delete from ${quoted(table)}`).execute(to)
  const into = `insert into ${quoted(table)} (${names.map(quoted).join(', ')}) overriding system value values `
  const insert = async (rows: readonly Value[][]): Promise<void> => {
    if (rows.length === 0) return
    const line = (_row: unknown, at: number): string =>
      `(${names.map((_name, n) => `$${at * names.length + n + 1}`).join(', ')})`
    await to.executeQuery(CompiledQuery.raw(into + rows.map(line).join(', '), rows.flat()))
  }
  let [count, waiting] = [0, [] as Value[][]]
  for (const row of from.prepare(`select * from ${quoted(table)}`).iterate()) {
    waiting.push(names.map((name) => row[name] as Value))
    count += 1
    if ((waiting.length + 1) * names.length > MOST_PARAMETERS) {
      await insert(waiting)
      waiting = []
    }
  }
  await insert(waiting)
  return count
}

/** PostgreSQL's generated numbers continue after SQLite's last ones, even if the last rows were deleted. */
async function continueNumbers(from: Sqlite, to: Transaction<Tables>): Promise<void> {
  for (const row of from.prepare('select name, seq from sqlite_sequence').all()) {
    const [table, last] = [String(row['name']), Number(row['seq'])]
    if (last > 0) await sql`select setval(pg_get_serial_sequence(${table}, 'id'), ${last})`.execute(to)
  }
}

async function rowsOf(to: Transaction<Tables>, table: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(to)
  return rows[0]?.count ?? 0
}

function refuse(what: string, found: LiveInstances): void {
  const fault = liveInstancesFault(what, found)
  if (fault !== null) throw new Error(fault)
}

const refuseLiveInstances = async (what: string, url: string): Promise<void> =>
  refuse(what, await findLiveInstances(url, Date.now))

/** Locks an unused target: what an instance writes from now on waits for the copy. @throws if the target is in use */
async function lockTarget(to: Transaction<Tables>, url: string): Promise<void> {
  await sql.raw(`lock table ${[...NOT_TO_BE_LOST, 'leases'].join(', ')} in exclusive mode`).execute(to)
  await refuseLiveInstances('the target', url)
  for (const table of NOT_TO_BE_LOST)
    if ((await rowsOf(to, table)) > 0) throw new Error(`the target is in use: it has ${table}`)
}

/** Marks the source as copied, with the commit of its transaction: nobody starts or writes on it from then on. */
function markSource(from: Sqlite): void {
  const now = new Date()
  from
    .prepare('insert into schema_migrations (name, applied_ms) values (?, ?)')
    .run(`${COPIED}${now.toISOString()}`, now.getTime())
}

/**
 * Marks a copy that is given up: nobody starts or writes on it from then on, nor who was suspended.
 * @param ledgerStartMs of the source
 * @throws if it is the database of another cashier
 */
async function markCopy(url: string, ledgerStartMs: number | null): Promise<void> {
  const copy = connectDatabase(url)
  const now = new Date()
  try {
    if ((await ledgerStartOf(copy.db)) !== ledgerStartMs) throw new Error('that database is not the copy')
    await sql`insert into schema_migrations (name, applied_ms)
      values (${`${GIVEN_UP}${now.toISOString()}`}, ${now.getTime()})`.execute(copy.db)
  } finally {
    await copy.close()
  }
}

function commitMark(from: Sqlite): Error | null {
  try {
    from.exec('commit')
    return null
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

export interface Copied {
  /** Rows by table. */
  readonly counts: ReadonlyMap<string, number>
  /** The error if the source could not be marked as copied; else null. */
  readonly unmarked: Error | null
}

/**
 * Copies a SQLite database into an empty PostgreSQL database, in one transaction: all or nothing. The copy holds the
 * write lock of SQLite until the source is marked as copied, so nothing is written there after its snapshot: neither by
 * an instance that starts meanwhile, nor by a suspended instance whose lease has ended.
 * @param check compares the ledgers of both databases, and throws if they differ
 * @param partitions of a target without tables (`DATABASE_PARTITIONS`)
 * @throws if an instance runs on either database, if the target has users, webhooks or quarantined events, or if rows
 * are missing after the copy
 */
export async function copyDatabase(
  file: string,
  url: string,
  check: (from: WholeLedger, to: WholeLedger) => Promise<void>,
  partitions: number | null = null,
): Promise<Copied> {
  // Before the migrations, which would stop an instance of an older version.
  await refuseLiveInstances('the source', `file:${file}`)
  await refuseLiveInstances('the target', url)
  // Both get the tables of this version.
  const source = await openDatabase(`file:${file}`)
  const target = await openDatabase(url, { partitions })
  const from = openSqlite(file)
  try {
    from.exec('begin immediate')
    // The file is not opened and closed once more: with that, SQLite would lose the locks of this process.
    refuse('the source', await liveInstancesOf(source, Date.now))
    const counts = await target.lanes.commands.transaction().execute(async (to) => {
      await lockTarget(to, url)
      const copied = new Map<string, number>()
      for (const table of tablesOf(from)) {
        const count = await copyTable(from, to, table)
        const arrived = await rowsOf(to, table)
        if (arrived !== count) throw new Error(`${table} has ${count} rows, but ${arrived} arrived`)
        copied.set(table, count)
      }
      await continueNumbers(from, to)
      await readSnapshot(source, (ledger) => check(ledger, wholeLedgerOf(to)))
      markSource(from)
      return copied
    })
    return { counts, unmarked: commitMark(from) }
  } finally {
    from.close()
    await source.close()
    await target.close()
  }
}

/**
 * Gives up a copy: the source can be used again, in its state before the copy. What was done on the copy is unknown to
 * it, as after a restore. Returns how many withdrawals the copy may have sent; null if there was no copy, and nothing
 * changed.
 * @param url the copy; null: it does not exist any more
 * @throws if an instance runs on the copy: both would send the same withdrawals
 */
export async function undoCopy(file: string, url: string | null): Promise<number | null> {
  const source = connectDatabase(`file:${file}`)
  try {
    return await source.db.transaction().execute(async (tx) => {
      const marks = await sql`delete from schema_migrations where name like ${`${COPIED}%`}`.execute(tx)
      if ((marks.numAffectedRows ?? 0n) === 0n) return null
      if (url !== null) {
        await refuseLiveInstances('the copy', url)
        await markCopy(url, await ledgerStartOf(tx))
      }
      const time = databaseTime(source.flavour, Date.now)
      const { doubted } = await distrust({
        feedEpoch: feedEpochOf(tx),
        reconciliation: reconciliationStateOf(tx, time),
        unseenNumbers: unseenNumbersOf(tx, source.flavour, time),
        withdrawals: withdrawalsOf(tx, source.flavour, time),
      })
      return doubted
    })
  } finally {
    await source.close()
  }
}
