import { sql, type Kysely } from 'kysely'
import { listKey } from '../../ledger/overdue.ts'
import type { TransactionRow, WithdrawalRow } from '../../ledger/rows.ts'
import type { DatabaseTime } from '../database/database-time.ts'
import type { Tables } from '../database/schema.ts'

export type DueWithdrawal = Pick<WithdrawalRow, 'id' | 'user_reference_id'>
export type DueTransaction = Pick<TransactionRow, 'kind' | 'transaction_uuid' | 'user_reference_id'>

export interface UnreadableList {
  readonly user_reference_id: string
  /** By the database's time. */
  readonly unreadable_ms: number
}

/** How the key of a list's report begins (`listKey`). */
const LIST = listKey('')

/**
 * What has waited for the gateway since this time or longer, longest first (`ledger/overdue.ts`). Uses literals, since
 * partial indexes are not used for parameters.
 */
export const overdueOf = (db: Kysely<Tables>, time: DatabaseTime) => ({
  async withdrawals(sinceMs: number, limit: number): Promise<readonly DueWithdrawal[]> {
    return db
      .selectFrom('withdrawals')
      .select(['id', 'user_reference_id'])
      .where(
        sql<boolean>`overdue_ms is null and called_ms is not null
          and status in ('processing', 'awaiting_approval', 'unknown')`,
      )
      .where(sql<boolean>`coalesce(call_ended_ms, called_ms) <= ${sinceMs}`)
      .orderBy(sql`coalesce(call_ended_ms, called_ms)`)
      .limit(limit)
      .execute()
  },

  /** Without the payouts of withdrawals that have not ended. */
  async transactions(sinceMs: number, limit: number): Promise<readonly DueTransaction[]> {
    return db
      .selectFrom('transactions')
      .select(['kind', 'transaction_uuid', 'user_reference_id'])
      .where(
        sql<boolean>`overdue_ms is null and (withdrawal_id is null or standing = 'withheld') and standing <> 'before'
          and (user_reference_id is not null or onramp_session_id is not null)
          and (status in ('other', 'processing', 'awaiting_approval') or standing in ('unconfirmed', 'withheld')
            or (kind = 'onramp' and status = 'succeeded' and deposit_uuid is null
          and (user_reference_id is null or onramp_session_id is null)))`,
      )
      .where('updated_ms', '<=', sinceMs)
      .where((where) =>
        where.not(
          where.exists(
            where
              .selectFrom('withdrawals')
              .select('withdrawals.id')
              .whereRef('withdrawals.transaction_uuid', '=', 'transactions.transaction_uuid')
              .where('withdrawals.status', 'not in', ['succeeded', 'failed']),
          ),
        ),
      )
      .orderBy('updated_ms')
      .limit(limit)
      .execute()
  },

  /** The users whose lists have been partly unreadable for this long, without a line since then, longest first. */
  async lists(forMs: number, limit: number): Promise<readonly UnreadableList[]> {
    return db
      .selectFrom('users')
      .select(['user_reference_id', sql<number>`unreadable_ms`.as('unreadable_ms')])
      .where('unreadable_ms', 'is not', null)
      .where('unreadable_ms', '<=', time.after(-forMs))
      .where((where) =>
        where.not(
          where.exists(
            where
              .selectFrom('quarantine')
              .select('quarantine.id')
              .whereRef('quarantine.user_reference_id', '=', 'users.user_reference_id')
              .where('reason', '=', 'overdue')
              .where('transaction_uuid', '=', sql<string>`${LIST} || users.user_reference_id`)
              .whereRef('received_ms', '>=', 'unreadable_ms'),
          ),
        ),
      )
      .orderBy('unreadable_ms')
      .limit(limit)
      .execute()
  },

  /** The users about whose lists an open line stands, although all of the list is readable again. */
  async readableAgain(limit: number): Promise<readonly string[]> {
    const rows = await db
      .selectFrom('quarantine')
      .innerJoin('users', 'users.user_reference_id', 'quarantine.user_reference_id')
      .select('users.user_reference_id')
      .where('reason', '=', 'overdue')
      .where('settled_ms', 'is', null)
      .where('transaction_uuid', '=', sql<string>`${LIST} || users.user_reference_id`)
      .where('unreadable_ms', 'is', null)
      .limit(limit)
      .execute()
    return rows.map(({ user_reference_id }) => user_reference_id)
  },
})
