import { CompiledQuery, sql, type Transaction } from 'kysely'
import { wholeLedgerOf, type WholeLedger } from '../tables/whole-ledger.ts'
import { openDatabase } from '../database/database.ts'
import { openSqlite } from '../database/node-sqlite-dialect.ts'
import type { Tables } from '../database/schema.ts'
import { readSnapshot } from '../tables/snapshot.ts'

/** Parameters of one statement; PostgreSQL accepts 65,535. */
const MOST_PARAMETERS = 30_000
/** The other tables belong to each database itself. */
const isCopied = (table: string): boolean => table !== 'schema_migrations' && !table.startsWith('sqlite_')

/** Tables whose rows show that the target is in use. A webhook that was answered 200 may be of an unknown user. */
const NOT_TO_BE_LOST = ['users', 'webhooks', 'quarantine'] as const

type Sqlite = ReturnType<typeof openSqlite>
type Value = string | number | null

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

/**
 * Copies a SQLite database into an empty PostgreSQL database, in one transaction: all or nothing. Writers of SQLite
 * wait meanwhile.
 * @param check compares the ledgers of both databases, and throws if they differ
 * @returns rows by table
 * @throws if the target has users, webhooks or quarantined events, or if rows are missing after the copy
 */
export async function copyDatabase(
  file: string,
  url: string,
  check: (from: WholeLedger, to: WholeLedger) => Promise<void>,
): Promise<ReadonlyMap<string, number>> {
  // Both get the tables of this version.
  const source = await openDatabase(`file:${file}`)
  const target = await openDatabase(url)
  const from = openSqlite(file)
  try {
    from.exec('begin immediate')
    return await target.lanes.commands.transaction().execute(async (to) => {
      for (const table of NOT_TO_BE_LOST)
        if ((await rowsOf(to, table)) > 0) throw new Error(`the target is in use: it has ${table}`)
      const counts = new Map<string, number>()
      for (const table of tablesOf(from)) {
        const copied = await copyTable(from, to, table)
        const arrived = await rowsOf(to, table)
        if (arrived !== copied) throw new Error(`${table} has ${copied} rows, but ${arrived} arrived`)
        counts.set(table, copied)
      }
      await continueNumbers(from, to)
      await readSnapshot(source, (ledger) => check(ledger, wholeLedgerOf(to)))
      return counts
    })
  } finally {
    from.close()
    await source.close()
    await target.close()
  }
}
