/** Whether the database can be written, learnt from its statements and from writes of its own. */
import { randomBytes } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import type { Database } from './database/database.ts'
import type { Tables } from './database/schema.ts'
import type { leasesOf } from './tables/leases.ts'

/** The prefix of an instance's lease that shows that it can write. */
const WRITE_LEASE = 'writes:'
const FOR_MS = 60_000
/** After a failure: more than one write needs. */
const LARGE_BYTES = 128 * 1024
/** As many rows of a new table are larger than that. */
const ROWS = 4000

type Write = <T>(work: (tx: { readonly leases: ReturnType<typeof leasesOf> }) => Promise<T>) => Promise<T>

/**
 * On PostgreSQL a table may have free space although the disk has none: then its rows are written, and those of others
 * are not. A new table has no free space. False if this role may not make one.
 */
async function writeNewTable(db: Kysely<Tables>): Promise<boolean> {
  const { rows } = await sql<{ may: boolean }>`
    select has_database_privilege(current_database(), 'temporary') as may`.execute(db)
  if (rows[0]?.may !== true) return false
  await db.transaction().execute(async (tx) => {
    // Where the tables are.
    await sql`set local temp_tablespaces = ''`.execute(tx)
    await sql`create temporary table cashier_space on commit drop as
      select md5(i::text) as row from generate_series(1, ${sql.lit(ROWS)}) as i`.execute(tx)
  })
  return true
}

/** The tables of SQLite share the free space of the file. */
async function writeLargeLease(write: Write, instance: string): Promise<void> {
  const name = `${WRITE_LEASE}${instance}:large`
  const holder = randomBytes(LARGE_BYTES).toString('hex')
  await write((tx) => tx.leases.take(name, holder, FOR_MS))
  await write((tx) => tx.leases.release(name, holder))
}

/**
 * Commits a write; after any statement found the database full or read-only, a large write too.
 * @throws the error of the database that cannot be written
 */
type WriteCheck = (write: Write, instance: string) => Promise<void>

export function writeCheck({ flavour, lanes, writeFailures }: Database): WriteCheck {
  let forgiven = 0
  return async (write, instance) => {
    const failures = writeFailures.count
    if (failures > forgiven) {
      const isNew = flavour === 'postgres' && (await writeNewTable(lanes.webhooks))
      if (!isNew) await writeLargeLease(write, instance)
    }
    await write((tx) => tx.leases.take(`${WRITE_LEASE}${instance}`, instance, FOR_MS))
    // A statement that failed meanwhile counts at the next check.
    forgiven = failures
  }
}
