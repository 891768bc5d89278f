/** When users' lists are read next: makes users due in the queue of reconciliation (`reconcile-queue.ts`). */
import { sql, type Kysely, type RawBuilder } from 'kysely'
import { RECONCILE_PRIORITIES, RECONCILE_PRIORITY } from '../../ledger/reconcile-priority.ts'
import type { DatabaseTime } from '../database/database-time.ts'
import type { Flavour } from '../database/migrations/0001-initial.ts'
import type { Tables } from '../database/schema.ts'
import { chosenUsers } from './chosen-users.ts'

/** A position in the list of users, ordered by when they were last seen. */
export interface SeenPlace {
  readonly last_seen_ms: number
  readonly user_reference_id: string
}

/** Longer than anybody waits for the next read of their list (`reconcile/next-reconciliation.ts`). */
const LONGEST_WAIT_MS = 2 * 86_400_000

/** A user who is due within this time need not be made due. */
const SOON_MS = 300_000

export const dueUsersOf = (db: Kysely<Tables>, flavour: Flavour, time: DatabaseTime) => {
  const { among, inOrder } = chosenUsers(flavour)
  /** In a fixed order, so that two transactions cannot wait for each other. */
  const makeDue = async (users: readonly string[], where: RawBuilder<unknown>, also = sql``): Promise<void> => {
    await sql`
      with chosen as materialized (
        select user_reference_id from users where user_reference_id in (${sql.join(users)}) and ${where} ${inOrder})
      update users set reconcile_at_ms = ${time.now()}${also}
      where user_reference_id ${among('chosen')}`.execute(db)
  }

  return {
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
  }
}
