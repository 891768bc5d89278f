import { existsSync } from 'node:fs'
import { sql } from 'kysely'
import { connectDatabase } from '../database/database.ts'
import { pendingMigrations } from '../database/migrate.ts'

export type Probe =
  /** SQLite without a file: the first start creates it. */
  | { readonly state: 'absent' }
  /** It accepts writes and has no tables of the cashier: the first start creates them. */
  | { readonly state: 'empty'; readonly version: string }
  /** It accepts writes. `pending`: migrations that the next start runs. */
  | { readonly state: 'open'; readonly version: string; readonly pending: readonly string[] }

/** Thrown to roll back what the probe wrote. */
class Rollback extends Error {}

/**
 * Checks whether the database answers and accepts writes, without a lasting change.
 * @throws the database's own error
 */
export async function probeDatabase(url: string): Promise<Probe> {
  if (url.startsWith('file:') && !existsSync(url.slice('file:'.length))) return { state: 'absent' }
  const database = connectDatabase(url)
  try {
    await database.serverFacts()
    const { db, flavour } = database
    await db
      .transaction()
      .execute(async (transaction) => {
        await sql`create table cashier_doctor_probe (n integer)`.execute(transaction)
        throw new Rollback()
      })
      .catch((error: unknown) => {
        if (!(error instanceof Rollback)) throw error
      })
    const found = await (
      flavour === 'sqlite'
        ? sql<{ version: string }>`select 'SQLite ' || sqlite_version() as version`
        : sql<{ version: string }>`select 'PostgreSQL ' || current_setting('server_version') as version`
    ).execute(db)
    const tables = await db.introspection.getTables()
    const migrated = tables.some((table) => table.name === 'schema_migrations')
    const version = found.rows[0]?.version ?? ''
    return migrated
      ? { state: 'open', version, pending: await pendingMigrations(database) }
      : { state: 'empty', version }
  } finally {
    await database.close()
  }
}
