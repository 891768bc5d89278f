import { sql, type Kysely } from 'kysely'
import type { TransactionRow, WithdrawalRow } from '../../ledger/rows.ts'
import type { Tables } from '../database/schema.ts'

export type DueWithdrawal = Pick<WithdrawalRow, 'id' | 'user_reference_id'>
export type DueTransaction = Pick<TransactionRow, 'kind' | 'transaction_uuid' | 'user_reference_id'>

/**
 * What has waited for the gateway since this time or longer, longest first (`ledger/overdue.ts`). Uses literals, since
 * partial indexes are not used for parameters.
 */
export const overdueOf = (db: Kysely<Tables>) => ({
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

  /** Without the payouts of withdrawals. */
  async transactions(sinceMs: number, limit: number): Promise<readonly DueTransaction[]> {
    return db
      .selectFrom('transactions')
      .select(['kind', 'transaction_uuid', 'user_reference_id'])
      .where(
        sql<boolean>`overdue_ms is null and withdrawal_id is null and standing <> 'before'
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
              .whereRef('withdrawals.transaction_uuid', '=', 'transactions.transaction_uuid'),
          ),
        ),
      )
      .orderBy('updated_ms')
      .limit(limit)
      .execute()
  },
})
