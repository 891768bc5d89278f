import { setTimeout as sleep } from 'node:timers/promises'
import { sql, type Kysely } from 'kysely'
import { storeFaultOf } from './store-fault.ts'
import * as initial from './migrations/0001-initial.ts'
import type { Flavour } from './migrations/0001-initial.ts'
import type { Tables } from './schema.ts'
import { NewerSchemaError, type SchemaGuard } from './schema-guard.ts'

interface Migration {
  readonly name: string
  readonly up: (db: Kysely<never>, flavour: Flavour, partitions: number | null) => Promise<void>
}

interface Target {
  readonly db: Kysely<Tables>
  readonly flavour: Flavour
  /** For the migration that makes the tables of PostgreSQL; null: without partitions. */
  readonly partitions?: number | null
}

/** In order. */
export const MIGRATIONS: readonly Migration[] = [{ name: '0001-initial', up: initial.up }]

/** An arbitrary number; no other program on this database may use it for its advisory lock. */
const MIGRATION_LOCK = 7_215_310_442

function refuseNewer(
  names: ReadonlySet<string>,
  migrations: readonly Migration[],
  guard?: Pick<SchemaGuard, 'check'>,
): void {
  const unknown = [...names].find((name) => migrations.every((migration) => migration.name !== name))
  if (unknown !== undefined) guard?.check([{ name: unknown }])
  if (unknown !== undefined) throw new NewerSchemaError(unknown)
}

export interface MigrationReports {
  /** Called once if the migrations must wait for a long transaction of another program. */
  readonly onMigrationWait?: (() => void) | undefined
  /** Called for each migration that this call has run, after its commit. */
  readonly onMigrated?: (name: string) => void
}

/** While a migration waits for a lock, the transactions of running instances queue behind it. */
const LOCK_TIMEOUT = '2s'
/** The pause before the migration tries again, in which those transactions continue. */
const PAUSE_MS = 1000

/** @throws PostgreSQL's error if a lock was not granted in time; then nothing has run */
const runPending = (
  { db, flavour, partitions = null }: Target,
  migrations: readonly Migration[],
): Promise<readonly string[]> =>
  db.transaction().execute(async (transaction) => {
    if (flavour === 'postgres') await sql`select pg_advisory_xact_lock(${sql.lit(MIGRATION_LOCK)})`.execute(transaction)
    await sql`create table if not exists schema_migrations (name text primary key, applied_ms bigint not null)`.execute(
      transaction,
    )
    const done = await sql<{ name: string }>`select name from schema_migrations`.execute(transaction)
    const names = new Set(done.rows.map((row) => row.name))
    refuseNewer(names, migrations)
    const pending = migrations.filter(({ name }) => !names.has(name))
    if (pending.length > 0 && flavour === 'postgres') {
      await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT)}`.execute(transaction)
      await sql`lock table schema_migrations in access exclusive mode`.execute(transaction)
    }
    for (const migration of pending) {
      await migration.up(transaction as unknown as Kysely<never>, flavour, partitions)
      await sql`insert into schema_migrations (name, applied_ms) values (${migration.name}, ${Date.now()})`.execute(
        transaction,
      )
    }
    return pending.map(({ name }) => name)
  })

/**
 * Runs the pending migrations, all or none. Each instance waits for the one that holds the lock (SQLite: the write
 * lock; PostgreSQL: an advisory lock of the transaction). Transactions of running instances end before it, and later
 * transactions see the migrations. A long transaction of another program that reads the tables, such as a dump, delays
 * the migration; running instances continue to work meanwhile.
 * @throws NewerSchemaError if a newer version has run migrations that this version does not know
 */
export async function migrate(
  target: Target,
  migrations = MIGRATIONS,
  { onMigrationWait, onMigrated }: MigrationReports = {},
): Promise<void> {
  for (let waited = false; ; waited = true) {
    try {
      for (const name of await runPending(target, migrations)) onMigrated?.(name)
      return
    } catch (error) {
      if (storeFaultOf(error) !== 'locked') throw error
      if (!waited) onMigrationWait?.()
      await sleep(PAUSE_MS)
    }
  }
}

/**
 * The names of migrations that this build knows and the database has not run.
 * @param guard refuses all further statements if the database has run a migration that this build does not know
 * @throws NewerSchemaError if the database has run a migration that this build does not know
 */
export async function pendingMigrations(
  { db }: Pick<Target, 'db'>,
  guard?: Pick<SchemaGuard, 'check'>,
): Promise<readonly string[]> {
  const done = await sql<{ name: string }>`select name from schema_migrations`.execute(db)
  const names = new Set(done.rows.map((row) => row.name))
  refuseNewer(names, MIGRATIONS, guard)
  return MIGRATIONS.filter((migration) => !names.has(migration.name)).map((migration) => migration.name)
}
