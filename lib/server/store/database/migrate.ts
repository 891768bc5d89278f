import { setTimeout as sleep } from 'node:timers/promises'
import { sql, type Kysely } from 'kysely'
import { storeFaultOf } from './store-fault.ts'
import * as initial from './migrations/0001-initial.ts'
import type { Flavour } from './migrations/0001-initial.ts'
import type { Tables } from './schema.ts'
import { NewerSchemaError, type SchemaGuard } from './schema-guard.ts'

interface Migration {
  readonly name: string
  readonly up: (db: Kysely<never>, flavour: Flavour) => Promise<void>
}

interface Target {
  readonly db: Kysely<Tables>
  readonly flavour: Flavour
}

/** In order. */
export const MIGRATIONS: readonly Migration[] = [{ name: '0001-initial', up: initial.up }]

/** Any number that no other program on this database uses for its advisory lock. */
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

/** Transactions of instances that run already queue behind the lock that a migration waits for. */
const LOCK_TIMEOUT = '2s'
/** In which they go on, before the migration tries again. */
const PAUSE_MS = 1000

/** @throws as PostgreSQL does on a lock that was not given in time; nothing has run then */
const runPending = ({ db, flavour }: Target, migrations: readonly Migration[]): Promise<void> =>
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
      await migration.up(transaction as unknown as Kysely<never>, flavour)
      await sql`insert into schema_migrations (name, applied_ms) values (${migration.name}, ${Date.now()})`.execute(
        transaction,
      )
    }
  })

/**
 * Runs the migrations that have not run yet. Each instance waits for the one that holds the lock (SQLite: the write lock;
 * PostgreSQL: an advisory lock of the transaction). All or nothing. Transactions of instances that run already end
 * before, and later ones see what was run. A long transaction of another program, such as a dump, that reads the tables
 * delays the migration, and the instances that run already work on meanwhile.
 * @param onWait called once, when it has waited in vain for the first time
 * @throws NewerSchemaError where a newer version has run migrations that this one does not know
 */
export async function migrate(
  target: Target,
  migrations = MIGRATIONS,
  onWait: () => void = () => undefined,
): Promise<void> {
  for (let waited = false; ; waited = true) {
    try {
      await runPending(target, migrations)
      return
    } catch (error) {
      if (storeFaultOf(error) !== 'locked') throw error
      if (!waited) onWait()
      await sleep(PAUSE_MS)
    }
  }
}

/**
 * The names of migrations that this build knows and the database has not run.
 * @param guard refuses all further statements where the database has run one that this build does not know
 * @throws NewerSchemaError where it has run one that this build does not know
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
