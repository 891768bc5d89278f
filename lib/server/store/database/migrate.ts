import { setTimeout as sleep } from 'node:timers/promises'
import { sql, type Kysely } from 'kysely'
import { storeFaultOf } from './store-fault.ts'
import * as initial from './migrations/0001-initial.ts'
import { keepSettledQuarantine } from './migrations/0004-entries-and-quarantine.ts'
import { numberPostings } from './migrations/0005-numbered-postings.ts'
import { factsBySource } from './migrations/0002-facts-by-source.ts'
import type { Flavour } from './migrations/0001-initial.ts'
import { addUnmatchedPayouts } from './migrations/0003-unmatched-payouts.ts'
import { addPaidAmounts } from './migrations/0009-paid-amounts.ts'
import { narrowKeys } from './migrations/0008-narrow-keys.ts'
import { addTimeZone } from './migrations/0012-time-zone.ts'
import { addPurchaseWallets } from './migrations/0013-purchase-wallets.ts'
import { addNetworkIcons } from './migrations/0014-network-icons.ts'
import { widenTransferKeys } from './migrations/0015-transfer-keys.ts'
import { addReplyTransactions } from './migrations/0016-reply-transactions.ts'
import { foldEthereumKeys } from './migrations/0017-ethereum-keys.ts'
import { boundReads } from './migrations/0007-bounded-reads.ts'
import { addSessionDetails } from './migrations/0010-session-details.ts'
import { indexOnramps } from './migrations/0011-history-reads.ts'
import { addReconciliationQueue } from './migrations/0006-reconciliation-queue.ts'
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

/** In order. A released migration is never changed. */
export const MIGRATIONS: readonly Migration[] = [
  { name: '0001-initial', up: initial.up },
  { name: '0002-facts-by-source', up: factsBySource },
  { name: '0003-unmatched-payouts', up: addUnmatchedPayouts },
  { name: '0004-entries-and-quarantine', up: keepSettledQuarantine },
  { name: '0005-numbered-postings', up: numberPostings },
  { name: '0006-reconciliation-queue', up: addReconciliationQueue },
  { name: '0007-bounded-reads', up: boundReads },
  { name: '0008-narrow-keys', up: narrowKeys },
  { name: '0009-paid-amounts', up: addPaidAmounts },
  { name: '0010-session-details', up: addSessionDetails },
  { name: '0011-history-reads', up: indexOnramps },
  { name: '0012-time-zone', up: addTimeZone },
  { name: '0013-purchase-wallets', up: addPurchaseWallets },
  { name: '0014-network-icons', up: addNetworkIcons },
  { name: '0015-transfer-keys', up: widenTransferKeys },
  { name: '0016-reply-transactions', up: addReplyTransactions },
  { name: '0017-ethereum-keys', up: foldEthereumKeys },
]

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
