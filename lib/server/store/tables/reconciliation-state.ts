import { sql, type Kysely } from 'kysely'
import type { LedgerMode } from '../../ledger/accounts.ts'
import { listKey } from '../../ledger/line-key.ts'
import type { DatabaseTime } from '../database/database-time.ts'
import { BOOKS_LEASE, INSTANCE_LEASE } from './leases.ts'
import type { ReconciliationTable, Tables } from '../database/schema.ts'

/** If calls are reserved further ahead than this, the database's clock was wrong at that time. */
const MOST_AHEAD_MS = 300_000

const valueOf = async (db: Kysely<Tables>, name: ReconciliationTable['name']): Promise<number | null> =>
  (await db.selectFrom('reconciliation').select('value').where('name', '=', name).executeTakeFirst())?.value ?? null

/** The time before which nothing is booked; null before the first start. */
export const ledgerStartOf = (db: Kysely<Tables>): Promise<number | null> => valueOf(db, 'ledger_start')

/**
 * When the database was last restored, or lost commits; null: never. What was read before it may be lost since
 * (`ShownList`).
 */
export const restoredMsOf = (db: Kysely<Tables>): Promise<number | null> => valueOf(db, 'restored')

/** The stored numbers of who keeps the books. */
export const BOOKS = { embedded: 0, merchant: 1 } as const satisfies Record<LedgerMode, number>

/** Who keeps the books of the instances; null before the first start. */
export const booksOf = async (db: Kysely<Tables>): Promise<LedgerMode | null> => {
  const value = await valueOf(db, 'books')
  return value === null ? null : value === BOOKS.embedded ? 'embedded' : 'merchant'
}

/** The state that the instances share: the rate of calls, when any of them was alive, who keeps the books, what was lost. */
export const reconciliationStateOf = (db: Kysely<Tables>, time: DatabaseTime) => {
  const put = (name: ReconciliationTable['name']) =>
    db
      .insertInto('reconciliation')
      .values({ name, value: time.now() })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: time.now() }))
      .execute()

  return {
    /**
     * Reserves the next `count` calls, spaced by `everyMs`, for this instance, so that all instances together keep to
     * one rate. Returns the milliseconds until the first call.
     */
    async reserveCalls(count: number, everyMs: number): Promise<number> {
      // In microseconds, so that the spacing is an integer for more than a thousand calls a second too.
      const span = sql`cast(${Math.round(count * everyMs * 1000)} as bigint)`
      const now = sql<number>`(${time.now()} * 1000)`
      const limit = sql<number>`(${time.after(MOST_AHEAD_MS)} * 1000)`
      const { rows } = await sql<{ ahead: number }>`
        insert into reconciliation (name, value) values ('calls', ${now} + ${span})
        on conflict (name) do update set value =
          case when reconciliation.value > ${limit} then ${now} else ${time.later(sql`reconciliation.value`, now)} end
          + ${span}
        returning value - ${span} - ${now} as ahead`.execute(db)
      return (rows[0]?.ahead ?? 0) / 1000
    },

    /**
     * Stores that an instance is alive. After a longer time without any instance, every user's list must be read once.
     * A second downtime replaces one for which that has not finished.
     */
    async noteAlive(downtimeMs: number): Promise<void> {
      await sql`
        insert into reconciliation (name, value)
        select 'catch_up', coalesce((select value from reconciliation where name = 'alive'), ${time.now()})
        where not exists (
          select 1 from reconciliation where name = 'alive' and value >= ${time.after(-downtimeMs)})
        on conflict (name) do update set value = excluded.value`.execute(db)
      await put('alive')
    },

    /** The database's time. */
    async nowMs(): Promise<number> {
      const { rows } = await sql<{ ms: number }>`select ${time.now()} as ms`.execute(db)
      return Number(rows[0]?.ms)
    },

    /** When the last downtime began, by the database's time; null if all lists were read after it. */
    catchUpSince: () => valueOf(db, 'catch_up'),

    /** The time before which nothing is booked; null before the first start. */
    ledgerStart: () => ledgerStartOf(db),

    /** Stores the time unless there is one. Returns the stored time: that of the first start, for ever. */
    async keepLedgerStart(value: number): Promise<number> {
      await db
        .insertInto('reconciliation')
        .values({ name: 'ledger_start', value })
        .onConflict((conflict) => conflict.column('name').doNothing())
        .execute()
      return (await ledgerStartOf(db)) ?? value
    },

    /** Who keeps the books of the instances; null before the first start. */
    books: () => booksOf(db),

    /**
     * Stores who keeps the books from now on, unless another instance is alive that does not start by the same rule.
     * Returns who keeps them.
     */
    async keepBooks(mode: LedgerMode, instance: string): Promise<LedgerMode> {
      await sql`
        insert into reconciliation (name, value) values ('books', ${BOOKS[mode]})
        on conflict (name) do update set value = excluded.value
        where not exists (select 1 from leases where name like ${`${INSTANCE_LEASE}%`}
          and holder <> ${instance} and ${time.isHeld(sql.ref('expires_ms'))}
          and not exists (select 1 from leases wanted where wanted.name = ${`${BOOKS_LEASE}${mode}:`} || leases.holder
            and ${time.isHeld(sql.ref('wanted.expires_ms'))}))`.execute(db)
      return (await booksOf(db)) ?? mode
    },

    restoredMs: () => restoredMsOf(db),

    async endCatchUp(since: number): Promise<void> {
      await db.deleteFrom('reconciliation').where('name', '=', 'catch_up').where('value', '=', since).execute()
    },

    /**
     * Inside a transaction, after a backup was restored: every user's whole list must be read and compared with the
     * books, the user who was seen last first.
     */
    async noteRestored(): Promise<void> {
      await put('restored')
      for (const table of ['scanned_records', 'list_scans'] as const) await db.deleteFrom(table).execute()
      // A millisecond apart: reconciliation takes the users in the order of this time.
      await sql`
        with seen as materialized (
          select user_reference_id, row_number() over (order by last_seen_ms desc, user_reference_id) as place from users)
        update users set totals_ms = null, cleared_ms = null, whole_ms = null, list_told_ms = null,
          unreadable_ms = case when unreadable_ms is null then null else ${time.now()} end,
          incomplete_ms = case when incomplete_ms is null then null else ${time.now()} end, incomplete_reads = 0,
          reconcile_at_ms = ${time.now()} + seen.place
        from seen where seen.user_reference_id = users.user_reference_id`.execute(db)
      // What a person was told before, and has dismissed, says nothing about what was lost. An open line is still read.
      await sql`
        update users set list_told_ms = ${time.now()} where user_reference_id in (
          select user_reference_id from quarantine where reason = 'overdue' and settled_ms is null
            and transaction_uuid = ${sql.lit(listKey(''))} || user_reference_id)`.execute(db)
    },

    /** Inside a transaction, after `noteRestored`: commits were lost just now, and the gateway's list may lag. */
    noteLost: () => put('lost'),

    /** When the database lost commits, if the gateway's lists may not show yet what they were; else null. */
    lostMs: () => valueOf(db, 'lost'),

    /** Inside a transaction: if the loss was this long ago, lists show what was lost, and are read again. */
    async endLoss(afterMs: number): Promise<void> {
      // A time in the future was written by a wrong clock: the loss counts from now on.
      await db
        .updateTable('reconciliation')
        .set({ value: time.now() })
        .where('name', '=', 'lost')
        .where('value', '>', time.now())
        .execute()
      const { numDeletedRows } = await db
        .deleteFrom('reconciliation')
        .where('name', '=', 'lost')
        .where(sql<boolean>`value <= ${time.after(-afterMs)}`)
        .executeTakeFirstOrThrow()
      if (numDeletedRows > 0n) await this.noteRestored()
    },

    /** The next start finds no loss by the server's timeline (`database/lost-commits.ts`). */
    async forgetTimeline(): Promise<void> {
      await db.deleteFrom('reconciliation').where('name', 'in', ['timeline', 'recovered']).execute()
    },
  }
}
