/** How late reconciliation is, and whether webhooks come. */
import { sql, type Kysely } from 'kysely'
import { RECONCILE_PRIORITIES, RECONCILE_PRIORITY, type ReconcilePriority } from '../../ledger/reconcile-priority.ts'
import type { DatabaseTime } from '../database/database-time.ts'
import type { Tables } from '../database/schema.ts'

/** Users who are due and whose list no instance reads yet. */
export interface WaitingUsers {
  readonly priority: 'unknown' | ReconcilePriority
  readonly count: number
  /** For how long the first of them has been due; 0 if nobody waits. */
  readonly oldestMs: number
}

export const reconciliationDelaysOf = (db: Kysely<Tables>, time: DatabaseTime) => {
  const waitingBy = async (
    priority: WaitingUsers['priority'],
    query: ReturnType<typeof sql<{ count: number | string; oldest: number | null }>>,
  ): Promise<WaitingUsers> => {
    const [row] = (await query.execute(db)).rows
    return { priority, count: Number(row?.count ?? 0), oldestMs: Math.max(0, row?.oldest ?? 0) }
  }

  return {
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
