import { sql, type Kysely } from 'kysely'
import type { QuarantineRow } from './quarantine.ts'
import type { QuarantineReason } from '../../ledger/rows.ts'
import type { Tables } from '../database/schema.ts'
import { withUser } from './row-users.ts'

/** `release_ms` of an event whose user has become known: due, before all others. */
export const USER_KNOWN_MS = -1

/** Reasons for quarantine that may disappear by themselves. */
export type ReleasableReason = Extract<QuarantineReason, `unknown_${string}`>

/** An open quarantined event that is due for another try. */
export type DueRelease = QuarantineRow & { readonly user_known: 0 | 1 }

/** Finds events that may leave quarantine now, without reading those that cannot. */
export const quarantineReleasesOf = (db: Kysely<Tables>) => ({
  /** Due events, longest due first: new ones, those whose user became known, and every event once a day. */
  async due(reason: ReleasableReason, now: number, limit: number): Promise<readonly DueRelease[]> {
    const found = await db
      .selectFrom('quarantine as q')
      .leftJoin('users as u', 'u.user_reference_id', 'q.user_reference_id')
      .selectAll('q')
      .select(sql<0 | 1>`coalesce(u.known, 0)`.as('user_known'))
      .where('q.reason', '=', reason)
      .where('q.settled_ms', 'is', null)
      .where('q.release_ms', '<=', now)
      .orderBy('q.release_ms')
      .orderBy('q.id')
      .limit(limit)
      .execute()
    return found.map(withUser)
  },

  /** When the first event with these reasons is due, by the clock that scheduled it; null if there is none. */
  async nextDueMs(reasons: readonly ReleasableReason[]): Promise<number | null> {
    const earliest = reasons.map(
      (reason) => sql`select (select min(release_ms) from quarantine
        where reason = ${reason} and settled_ms is null) as ms`,
    )
    const { rows } = await sql<{ ms: number | null }>`
      select min(at.ms) as ms from (${sql.join(earliest, sql` union all `)}) as at`.execute(db)
    return rows[0]?.ms ?? null
  },

  /**
   * Sets the time of the next try, except of events that have become due for another reason since they were read: their
   * user may have become known after the try.
   */
  async postpone(rows: readonly Pick<QuarantineRow, 'id' | 'release_ms'>[], untilMs: number): Promise<void> {
    for (const [readMs, read] of Map.groupBy(rows, ({ release_ms }) => release_ms))
      await db
        .updateTable('quarantine')
        .set({ release_ms: untilMs })
        .where(
          'id',
          'in',
          read.map(({ id }) => id),
        )
        .where('release_ms', '=', readMs)
        .execute()
  },

  /** A text that changes whenever an event of `unknown_currency` may find its currency. */
  async currenciesVersion(): Promise<string> {
    const { count, listed, updates } = await db
      .selectFrom('currencies')
      .select([
        sql<number>`count(*)`.as('count'),
        sql<number>`coalesce(sum(listed), 0)`.as('listed'),
        // Of all rows: the latest row may be from a machine whose clock is ahead.
        sql<number | string>`coalesce(sum(updated_ms), 0)`.as('updates'),
      ])
      .executeTakeFirstOrThrow()
    return [count, listed, updates].join(' ')
  },
})
