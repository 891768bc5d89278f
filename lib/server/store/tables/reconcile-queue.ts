import { sql, type Kysely } from 'kysely'
import { chosenUsers } from './chosen-users.ts'
import type { DatabaseTime } from '../database/database-time.ts'
import type { Flavour } from '../database/migrations/0001-initial.ts'
import { RECONCILE_PRIORITIES, RECONCILE_PRIORITY, type ReconcilePriority } from '../../ledger/reconcile-priority.ts'
import type { SqlBoolean } from '../../ledger/rows.ts'
import type { Tables } from '../database/schema.ts'
import { columnsOf, type ShownList } from './users.ts'

/** A user whose list this instance is reading. */
export interface ClaimedUser {
  readonly user_reference_id: string
  readonly priority: ReconcilePriority
  readonly reconciled_ms: number | null
  readonly last_seen_ms: number
  /** When the last read of the whole list began, by our clock; null: never. */
  readonly whole_ms: number | null
  /** For how long reads of the whole list were tried and none was complete; null: the last one was. */
  readonly incomplete_for_ms: number | null
  /** 1 if a backup was restored, and withdrawals wait for a read of the whole list or for the end of a difference. */
  readonly waits_for_whole: SqlBoolean
}

/** The latest time of a check, from now: a later time was written by a wrong clock. */
const LATEST_CHECK_MS = 15_000

/**
 * The users whose lists must be read. All instances take users from it. No instance takes a user whom another instance
 * has claimed, until that claim expires by the database's time.
 */
export const reconcileQueueOf = (db: Kysely<Tables>, flavour: Flavour, time: DatabaseTime) => {
  const { among, skipLocked } = chosenUsers(flavour)

  return {
    /** Claims users whose `unknown` withdrawals are due for a check, the longest due first. */
    async claimUnknown(limit: number, forMs: number): Promise<readonly string[]> {
      const { rows } = await sql<{ user_reference_id: string }>`
        with found as materialized (
          select distinct user_reference_id from (
            select user_reference_id from withdrawals
            where (next_check_ms <= ${time.now()} or next_check_ms > ${time.after(LATEST_CHECK_MS)})
              and (select claimed_until_ms is null
                  and (check_after_ms <= ${time.now()} or check_after_ms > ${time.after(LATEST_CHECK_MS)}) from users
                where users.user_reference_id = withdrawals.user_reference_id)
            order by next_check_ms limit ${limit}) as due),
        chosen as materialized (
          select user_reference_id from users
          where user_reference_id ${among('found')} and claimed_until_ms is null ${skipLocked})
        update users set claimed_until_ms = ${time.after(forMs)}
        where user_reference_id ${among('chosen')}
        returning user_reference_id`.execute(db)
      return rows.map((row) => row.user_reference_id)
    },

    /** Claims users who are due with this priority, the longest due first. A schedule that is set from now on stays. */
    async claimDue(priority: ReconcilePriority, limit: number, forMs: number): Promise<readonly ClaimedUser[]> {
      const { rows } = await sql<Omit<ClaimedUser, 'priority'>>`
        with chosen as materialized (
          select user_reference_id from users
          where reconcile_priority = ${RECONCILE_PRIORITY[priority]} and reconcile_at_ms <= ${time.now()}
            and claimed_until_ms is null
          order by reconcile_at_ms limit ${limit} ${skipLocked})
        update users set claimed_until_ms = ${time.after(forMs)}, reconcile_at_ms = null,
          reconcile_priority = ${RECONCILE_PRIORITY.sweep}
        where user_reference_id ${among('chosen')}
        returning user_reference_id, reconciled_ms, last_seen_ms, whole_ms, ${time.now()} - incomplete_ms as incomplete_for_ms,
          coalesce((select case when users.cleared_ms >= r.value then 0
              when users.totals_ms >= r.value and not exists (
                select 1 from quarantine q where q.user_reference_id = users.user_reference_id
                  and q.reason = 'totals_differ' and q.settled_ms is null) then 0
              else 1 end
            from reconciliation r where r.name = 'restored'), 0) as waits_for_whole`.execute(db)
      return rows.map((row) => ({ ...row, priority }))
    },

    /** The milliseconds until the first unclaimed user may be due; null if none is scheduled. */
    async nextDueMs(): Promise<number | null> {
      const scheduled = RECONCILE_PRIORITIES.map(
        (priority) => sql`(select min(reconcile_at_ms) from users
          where reconcile_priority = ${RECONCILE_PRIORITY[priority]} and reconcile_at_ms is not null
            and claimed_until_ms is null)`,
      )
      const checks = sql`(select min(next_check_ms) from withdrawals where next_check_ms is not null)`
      const { rows } = await sql<{ ms: number | null }>`
        select min(at.ms) - ${time.now()} as ms
        from (${sql.join(
          [...scheduled, checks].map((query) => sql`select ${query} as ms`),
          sql` union all `,
        )}) as at`.execute(db)
      return rows[0]?.ms ?? null
    },

    /** Renews the claims on lists that take long. */
    async renew(users: readonly string[], forMs: number): Promise<void> {
      if (users.length === 0) return
      await sql`
        with chosen as materialized (
          select user_reference_id from users
          where user_reference_id in (${sql.join(users)}) and claimed_until_ms is not null ${skipLocked})
        update users set claimed_until_ms = ${time.after(forMs)}
        where user_reference_id ${among('chosen')}`.execute(db)
    },

    /** Makes users due again whose claims have expired, since their instance died; `all`: every claimed user. */
    async requeue(all = false): Promise<void> {
      const expired = all
        ? sql`claimed_until_ms is not null`
        : sql`claimed_until_ms is not null and not ${time.isHeld(sql.ref('claimed_until_ms'))}`
      await sql`
        with chosen as materialized (select user_reference_id from users where ${expired} ${skipLocked})
        update users set claimed_until_ms = null, reconcile_priority = ${RECONCILE_PRIORITY.open},
          reconcile_at_ms = ${time.earlier(sql`reconcile_at_ms`, time.now())}
        where user_reference_id ${among('chosen')}`.execute(db)
    },

    /**
     * Ends the claim of a user whose `unknown` withdrawals were checked. They are due again at the earliest of their
     * own times, which our clock wrote, but not before `atLeastMs` has passed.
     */
    async checked(user: string, { atLeastMs, ...shown }: ShownList & { readonly atLeastMs: number }): Promise<void> {
      const next = await db
        .selectFrom('withdrawals')
        .select((select) => select.fn.min('next_check_ms').as('ms'))
        .where('user_reference_id', '=', user)
        .where('next_check_ms', 'is not', null)
        .executeTakeFirst()
      const own = time.at(next?.ms ?? 0)
      await db
        .updateTable('users')
        .set({
          claimed_until_ms: null,
          check_after_ms: time.later(time.after(atLeastMs), own),
          ...columnsOf(shown, time),
        })
        .where('user_reference_id', '=', user)
        .execute()
    },
  }
}
