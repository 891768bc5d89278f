import { sql, type Kysely, type Selectable } from 'kysely'
import type { DatabaseTime } from '../database/database-time.ts'
import type { Flavour } from '../database/migrations/0001-initial.ts'
import { RECONCILE_PRIORITY, type ReconcilePriority } from '../../ledger/reconcile-priority.ts'
import { selectByKeys } from '../database/multi-row.ts'
import type { Tables, UsersTable } from '../database/schema.ts'

/** When a user's list is read next. */
export interface NextReconciliation {
  readonly inMs: number
  readonly priority: ReconcilePriority
}

/** What is known of the reads of a user's list. Times are milliseconds since 1970. */
export interface ListReads {
  /** When the last read of the whole list began that reached its end. */
  readonly whole_ms: number | null
  /** Since when a part is unreadable. */
  readonly unreadable_ms: number | null
  /** Since when no read was complete, and how many were tried. */
  readonly incomplete_ms: number | null
  readonly incomplete_reads: number
}

/** What a scan of a user's list has shown. */
export interface ShownList {
  /** Whether a part of the list is unreadable; null: the scan does not show it. */
  readonly unreadable?: boolean | null
  /** When a read of the whole list began that has now reached its end; null: none has. */
  readonly wholeMs?: number | null
  /** `restoredMs` of the reconciliation's state when that read began: after another restore it counts as none. */
  readonly restoredMs?: number | null
  /** Whether it was a complete read of the whole list; null if no such read was tried. */
  readonly isComplete?: boolean | null
}

/** A user as an operator sees them. */
export interface StoredUser extends Pick<
  Selectable<UsersTable>,
  'known' | 'created_ms' | 'last_seen_ms' | 'whole_ms' | 'totals_ms' | 'cleared_ms' | 'unreadable_ms'
> {
  /** Milliseconds until the list is read next; null: that is not scheduled, or it is being read. */
  readonly reconcile_in_ms: number | null
  readonly is_claimed: boolean
}

const COMPLETE = { incomplete_ms: null, incomplete_reads: 0 } as const

/** The columns of a user that a scan changes. */
export const columnsOf = (
  { unreadable = null, wholeMs = null, restoredMs = null, isComplete = null }: ShownList,
  time: DatabaseTime,
) => ({
  ...(unreadable === true ? { unreadable_ms: sql<number>`coalesce(unreadable_ms, ${time.now()})` } : {}),
  ...(unreadable === false ? { unreadable_ms: null } : {}),
  ...(isComplete === false
    ? {
        incomplete_ms: sql<number>`coalesce(incomplete_ms, ${time.now()})`,
        incomplete_reads: sql<number>`incomplete_reads + 1`,
      }
    : {}),
  ...(isComplete === true ? COMPLETE : {}),
  ...(wholeMs === null
    ? {}
    : {
        whole_ms: sql<number>`case
          when coalesce((select value from reconciliation where name = 'restored'), 0) = ${restoredMs ?? 0}
          then ${wholeMs} else whole_ms end`,
      }),
})

const newUser = (id: string, now: number) => ({
  user_reference_id: id,
  known: 0 as const,
  created_ms: now,
  last_seen_ms: now,
  reconcile_at_ms: null,
  reconciled_ms: null,
})

export function usersOf(db: Kysely<Tables>, flavour: Flavour, time: DatabaseTime) {
  const scheduledAfter = ({ inMs, priority }: NextReconciliation) => {
    const rank = RECONCILE_PRIORITY[priority]
    return {
      reconcile_at_ms: time.earlier(sql`reconcile_at_ms`, time.after(inMs)),
      reconcile_priority: sql<number>`case when reconcile_priority < ${rank} then reconcile_priority else ${rank} end`,
    }
  }

  return {
    /** Whether the user's whole list was read at least once. */
    async isWhole(id: string): Promise<boolean> {
      const user = await db
        .selectFrom('users')
        .select('whole_ms')
        .where('user_reference_id', '=', id)
        .executeTakeFirst()
      return user?.whole_ms != null
    },

    /** Null if nothing is stored about the user. */
    async listReads(id: string): Promise<ListReads | null> {
      const query = db
        .selectFrom('users')
        .select(['whole_ms', 'unreadable_ms', 'incomplete_ms', 'incomplete_reads'])
        .where('user_reference_id', '=', id)
      return (await query.executeTakeFirst()) ?? null
    },

    /** Makes the user known (a first session); true the first time. */
    async ensure(id: string, now: number): Promise<boolean> {
      const result = await db
        .insertInto('users')
        .values({ ...newUser(id, now), known: 1, reconcile_at_ms: time.now() })
        .onConflict((conflict) =>
          conflict
            .column('user_reference_id')
            .doUpdateSet({ known: 1, reconcile_at_ms: time.now() })
            .where('users.known', '=', 0),
        )
        .executeTakeFirst()
      return (result.numInsertedOrUpdatedRows ?? 0n) > 0n
    },

    /**
     * Creates a row to lock for a user who may have no session yet: the merchant may adjust the balance before that.
     */
    async insertIfMissing(id: string, now: number): Promise<void> {
      await db
        .insertInto('users')
        .values(newUser(id, now))
        .onConflict((conflict) => conflict.column('user_reference_id').doNothing())
        .execute()
    },

    /** What is stored of a user, and when the list is read next; null if there is no such user. */
    async find(id: string): Promise<StoredUser | null> {
      const { rows } = await sql<Omit<StoredUser, 'is_claimed'> & { readonly is_claimed: 0 | 1 }>`
        select known, created_ms, last_seen_ms, reconcile_at_ms - ${time.now()} as reconcile_in_ms, whole_ms, totals_ms,
          cleared_ms, unreadable_ms, case when ${time.isHeld(sql.ref('claimed_until_ms'))} then 1 else 0 end as is_claimed
        from users where user_reference_id = ${id}`.execute(db)
      const [row] = rows
      return row === undefined ? null : { ...row, is_claimed: row.is_claimed === 1 }
    },

    async exists(id: string): Promise<boolean> {
      const row = await db.selectFrom('users').select('known').where('user_reference_id', '=', id).executeTakeFirst()
      return row?.known === 1
    },

    /** The known ones among these users. */
    async knownAmong(ids: readonly string[]): Promise<ReadonlySet<string>> {
      const rows = await selectByKeys<{ user_reference_id: string; known: number }>(flavour, 'users', [
        'user_reference_id',
      ])(
        db,
        ids.map((id) => [id]),
      )
      return new Set(rows.filter(({ known }) => known === 1).map((row) => row.user_reference_id))
    },

    /**
     * Inside a transaction: no other transaction changes these users' money or streams until it ends. Returns the known
     * ones. Ids are locked in a fixed order, so that two transactions cannot wait for each other.
     */
    async lock(ids: readonly string[]): Promise<ReadonlySet<string>> {
      if (ids.length === 0) return new Set()
      const sorted = [...new Set(ids)].sort()
      const query = db
        .selectFrom('users')
        .select(['user_reference_id', 'known'])
        .where('user_reference_id', 'in', sorted)
        .orderBy('user_reference_id')
      const rows = await (flavour === 'postgres' ? query.forUpdate() : query).execute()
      return new Set(rows.filter((row) => row.known === 1).map((row) => row.user_reference_id))
    },

    /**
     * Schedules the user's reconciliation for this time of our own clock, or leaves it if it is due earlier; and with
     * this priority, or leaves a more urgent one.
     */
    async scheduleReconciliation(id: string, atMs: number, priority: ReconcilePriority = 'open'): Promise<void> {
      const at = time.at(atMs)
      const rank = RECONCILE_PRIORITY[priority]
      await db
        .updateTable('users')
        .set({
          reconcile_at_ms: time.earlier(sql`reconcile_at_ms`, at),
          reconcile_priority: sql<number>`case when reconcile_priority < ${rank} then reconcile_priority else ${rank} end`,
        })
        .where('user_reference_id', '=', id)
        .where((where) =>
          where.or([
            where('reconcile_at_ms', 'is', null),
            where('reconcile_at_ms', '>', at),
            where('reconcile_priority', '>', rank),
          ]),
        )
        .execute()
    },

    /**
     * Ends a claim after a scan of the user's list that began at `scannedMs`, by the gateway's clock (null: no scan was
     * ever complete). A schedule that was set meanwhile stays. `next` is null if nothing more must be read.
     */
    async reconciled(
      id: string,
      scannedMs: number | null,
      next: NextReconciliation | null,
      shown: ShownList = {},
    ): Promise<void> {
      await db
        .updateTable('users')
        .set({
          reconciled_ms: scannedMs,
          claimed_until_ms: null,
          ...columnsOf({ unreadable: false, ...shown }, time),
          ...(next === null ? {} : scheduledAfter(next)),
        })
        .where('user_reference_id', '=', id)
        .execute()
    },

    /** Stores that a read of the whole list, or its comparison with the books, failed. */
    async wholeReadFailed(id: string): Promise<void> {
      const shown = columnsOf({ isComplete: false }, time)
      await db.updateTable('users').set(shown).where('user_reference_id', '=', id).execute()
    },

    /** Ends a claim whose list could not be read; `next` says when it is read again. */
    async reconciliationFailed(id: string, next: NextReconciliation): Promise<void> {
      await db
        .updateTable('users')
        .set({ claimed_until_ms: null, ...scheduledAfter(next) })
        .where('user_reference_id', '=', id)
        .execute()
    },

    /** Stores that a person was told that the user's list is unreadable, or was not read completely. */
    async listTold(id: string): Promise<void> {
      const told = { list_told_ms: time.now() }
      await db.updateTable('users').set(told).where('user_reference_id', '=', id).execute()
    },

    /** Stores that the books were compared with the user's whole list. */
    async totalsChecked(id: string): Promise<void> {
      const checked = { totals_ms: time.now(), ...COMPLETE }
      await db.updateTable('users').set(checked).where('user_reference_id', '=', id).execute()
    },

    /** Whether the books were not compared with the user's whole list for this long, or since a backup was restored. */
    async mustCheckTotals(id: string, everyMs: number): Promise<boolean> {
      const { rows } = await sql<{ due: number }>`
        select case when totals_ms > ${time.after(-everyMs)}
          and totals_ms >= coalesce((select value from reconciliation where name = 'restored'), 0) then 0 else 1 end as due
        from users where user_reference_id = ${id}`.execute(db)
      return rows[0]?.due === 1
    },

    /** Allows the user's withdrawals after a backup was restored. */
    async clearRestored(id: string): Promise<void> {
      await db.updateTable('users').set({ cleared_ms: time.now() }).where('user_reference_id', '=', id).execute()
      await db
        .updateTable('payouts')
        .set({ unbooked: 0 })
        .where('user_reference_id', '=', id)
        .where('unbooked', '=', 1)
        .execute()
    },

    /** Every user, in the order of their ids, after this one. */
    async idsAfter(after: string, limit: number): Promise<readonly string[]> {
      const rows = await db
        .selectFrom('users')
        .select('user_reference_id')
        .where('user_reference_id', '>', after)
        .orderBy('user_reference_id')
        .limit(limit)
        .execute()
      return rows.map((row) => row.user_reference_id)
    },

    /** Stores that the user is active. */
    async markSeen(id: string, now: number): Promise<void> {
      await db.updateTable('users').set({ last_seen_ms: now }).where('user_reference_id', '=', id).execute()
    },
  }
}
