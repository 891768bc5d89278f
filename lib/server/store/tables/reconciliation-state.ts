import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { LedgerMode } from '../../ledger/accounts.ts'
import { listKey } from '../../ledger/line-key.ts'
import { chosenUsers } from './chosen-users.ts'
import type { DatabaseTime } from '../database/database-time.ts'
import type { Flavour } from '../database/migrations/0001-initial.ts'
import { BOOKS_LEASE, INSTANCE_LEASE } from './leases.ts'
import { RECONCILE_PRIORITIES, RECONCILE_PRIORITY, type ReconcilePriority } from '../../ledger/reconcile-priority.ts'
import type { ReconciliationTable, Tables } from '../database/schema.ts'

/** A position in the list of users, ordered by when they were last seen. */
export interface SeenPlace {
  readonly last_seen_ms: number
  readonly user_reference_id: string
}

/** Users who are due and whose list no instance reads yet. */
export interface WaitingUsers {
  readonly priority: 'unknown' | ReconcilePriority
  readonly count: number
  /** For how long the first of them has been due; 0 if nobody waits. */
  readonly oldestMs: number
}

/** If calls are reserved further ahead than this, the database's clock was wrong at that time. */
const MOST_AHEAD_MS = 300_000

/** Longer than anybody waits for the next read of their list (`reconcile/next-reconciliation.ts`). */
const LONGEST_WAIT_MS = 2 * 86_400_000

/** A user who is due within this time need not be made due. */
const SOON_MS = 300_000

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

/** The state that the instances share: the rate of calls, when any of them was alive, and which users wait. */
export const reconciliationStateOf = (db: Kysely<Tables>, flavour: Flavour, time: DatabaseTime) => {
  const { among, inOrder } = chosenUsers(flavour)
  const put = (name: ReconciliationTable['name']) =>
    db
      .insertInto('reconciliation')
      .values({ name, value: time.now() })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: time.now() }))
      .execute()

  const waitingBy = async (
    priority: WaitingUsers['priority'],
    query: ReturnType<typeof sql<{ count: number | string; oldest: number | null }>>,
  ): Promise<WaitingUsers> => {
    const [row] = (await query.execute(db)).rows
    return { priority, count: Number(row?.count ?? 0), oldestMs: Math.max(0, row?.oldest ?? 0) }
  }

  /** In a fixed order, so that two transactions cannot wait for each other. */
  const makeDue = async (users: readonly string[], where: RawBuilder<unknown>, also = sql``): Promise<void> => {
    await sql`
      with chosen as materialized (
        select user_reference_id from users where user_reference_id in (${sql.join(users)}) and ${where} ${inOrder})
      update users set reconcile_at_ms = ${time.now()}${also}
      where user_reference_id ${among('chosen')}`.execute(db)
  }

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

    /** Makes these users due now, like users with an open state. Unknown users are left out. */
    async scheduleAsOpen(users: readonly string[]): Promise<void> {
      if (users.length === 0) return
      const { open } = RECONCILE_PRIORITY
      await makeDue(
        users,
        sql`(reconcile_at_ms is null or reconcile_at_ms > ${time.now()} or reconcile_priority <> ${open})`,
        sql`, reconcile_priority = ${open}`,
      )
    },

    /**
     * Makes users due who were seen since then: the next `limit` after this position. They come after all other users.
     * Returns the next position; null at the end.
     */
    async scheduleSeen(sinceMs: number, after: SeenPlace | null, limit: number): Promise<SeenPlace | null> {
      const from = after ?? { last_seen_ms: sinceMs, user_reference_id: '' }
      const users = await db
        .selectFrom('users')
        .select(['last_seen_ms', 'user_reference_id'])
        .where(sql<boolean>`(last_seen_ms, user_reference_id) > (${from.last_seen_ms}, ${from.user_reference_id})`)
        .orderBy('last_seen_ms')
        .orderBy('user_reference_id')
        .limit(limit)
        .execute()
      if (users.length === 0) return null
      const ids = users.map((user) => user.user_reference_id)
      await makeDue(ids, sql`claimed_until_ms is null and (reconcile_at_ms is null or reconcile_at_ms > ${time.now()})`)
      return users.length < limit ? null : (users.at(-1) ?? null)
    },

    /**
     * Makes users due who were seen since then, at most `limit`: those whose list was read longest ago. Users who are
     * due soon anyway, such as after a failed read, are left out.
     */
    async scheduleLongestUnread(sinceMs: number, limit: number): Promise<void> {
      const isLater = sql<boolean>`(claimed_until_ms is null
        and (reconcile_at_ms is null or reconcile_at_ms > ${time.after(SOON_MS)}))`
      const users = await db
        .selectFrom('users')
        .select('user_reference_id')
        .where('last_seen_ms', '>', sinceMs)
        .where(isLater)
        .orderBy(sql`coalesce(reconciled_ms, 0)`)
        .orderBy('user_reference_id')
        .limit(limit)
        .execute()
      if (users.length > 0)
        await makeDue(
          users.map((user) => user.user_reference_id),
          isLater,
        )
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

    /**
     * Makes users due, at most `limit`, whose whole list was not compared with the books for this long, and who are not
     * scheduled. They come after all other users.
     */
    async scheduleUncompared(sinceMs: number, limit: number): Promise<void> {
      const before = time.after(-sinceMs)
      const users = await db
        .selectFrom('users')
        .select('user_reference_id')
        .where('reconcile_at_ms', 'is', null)
        .where(sql<boolean>`(totals_ms is null or totals_ms < ${before})`)
        .where('claimed_until_ms', 'is', null)
        // A list that cannot be read completely leaves no totals. A time far ahead is from a clock that was wrong.
        .where(sql<boolean>`(whole_ms is null or whole_ms < ${before} or whole_ms > ${time.after(LONGEST_WAIT_MS)})`)
        .limit(limit)
        .execute()
      if (users.length > 0)
        await makeDue(
          users.map((user) => user.user_reference_id),
          sql`claimed_until_ms is null and reconcile_at_ms is null`,
        )
    },

    /** Makes users due who are scheduled for later than anybody is: by a clock that was ahead. */
    async endLongWaits(): Promise<void> {
      for (const priority of RECONCILE_PRIORITIES)
        await sql`
          with chosen as materialized (
            select user_reference_id from users where reconcile_priority = ${RECONCILE_PRIORITY[priority]}
              and reconcile_at_ms > ${time.after(LONGEST_WAIT_MS)} ${inOrder})
          update users set reconcile_at_ms = ${time.now()} where user_reference_id ${among('chosen')}`.execute(db)
    },

    /** Whether a webhook came since then, by the clock of the instance that received it. */
    async hasWebhookSince(sinceMs: number): Promise<boolean> {
      const row = await db
        .selectFrom('webhooks')
        .select('received_ms')
        .where('received_ms', '>=', sinceMs)
        .limit(1)
        .executeTakeFirst()
      return row !== undefined
    },

    /** When the oldest withdrawal with this status was created; null if there is none. */
    async oldestWithdrawalMs(status: 'unknown' | 'processing'): Promise<number | null> {
      const row = await db
        .selectFrom('withdrawals')
        .select('created_ms')
        .where('status', '=', status)
        .orderBy('created_ms')
        .limit(1)
        .executeTakeFirst()
      return row?.created_ms ?? null
    },

    async waiting(): Promise<readonly WaitingUsers[]> {
      const now = time.now()
      const found = [
        await waitingBy(
          'unknown',
          sql`select count(distinct user_reference_id) as count, ${now} - min(next_check_ms) as oldest
            from withdrawals where next_check_ms <= ${now}`,
        ),
      ]
      for (const priority of RECONCILE_PRIORITIES)
        found.push(
          await waitingBy(
            priority,
            sql`select count(*) as count, ${now} - min(reconcile_at_ms) as oldest
              from users where reconcile_priority = ${RECONCILE_PRIORITY[priority]} and reconcile_at_ms <= ${now}`,
          ),
        )
      return found
    },

    /** How many users have a list with an unreadable part. */
    async countUnreadable(): Promise<number> {
      const row = await db
        .selectFrom('users')
        .select((select) => select.fn.countAll<number | string>().as('count'))
        .where('unreadable_ms', 'is not', null)
        .executeTakeFirstOrThrow()
      return Number(row.count)
    },
  }
}
