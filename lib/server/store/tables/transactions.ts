import type { Kysely, Selectable } from 'kysely'
import type { TransactionKind } from '#lib/contract/stream.ts'
import { UNCONFIRMED_STANDINGS } from '../../ledger/transaction-statuses.ts'
import { OPEN_WITHDRAWAL_STATUSES } from '../../ledger/withdrawal-statuses.ts'
import { parseFact, type Fact } from '../../ledger/facts.ts'
import type { TransactionRow } from '../../ledger/rows.ts'
import type { TransactionKey } from '../../ledger/unit-of-work.ts'
import type { FactsTable, Tables } from '../database/schema.ts'

/** Below the databases' limits of parameters. */
const UUIDS_A_QUERY = 1000

export type FactRow = Selectable<FactsTable>

export const transactionsOf = (db: Kysely<Tables>) => ({
  async facts(kind: TransactionKind, uuid: string): Promise<readonly FactRow[]> {
    return db.selectFrom('facts').selectAll().where('kind', '=', kind).where('transaction_uuid', '=', uuid).execute()
  },

  async find(kind: TransactionKind, uuid: string): Promise<TransactionRow | null> {
    const row = await db
      .selectFrom('transactions')
      .selectAll()
      .where('kind', '=', kind)
      .where('transaction_uuid', '=', uuid)
      .executeTakeFirst()
    return row ?? null
  },

  async byUuids(uuids: readonly string[]): Promise<readonly TransactionRow[]> {
    if (uuids.length === 0) return []
    return db.selectFrom('transactions').selectAll().where('transaction_uuid', 'in', uuids).execute()
  },

  /**
   * Of these transactions, those that wait for the list: known only from unconfirmed webhooks, or the payout of an open
   * withdrawal. There may be any number of `uuids`.
   */
  async awaitingRecords(uuids: readonly string[]): Promise<readonly string[]> {
    const found: string[] = []
    for (let from = 0; from < uuids.length; from += UUIDS_A_QUERY) {
      const part = uuids.slice(from, from + UUIDS_A_QUERY)
      const rows = await db
        .selectFrom('transactions')
        .select('transaction_uuid')
        .where('transaction_uuid', 'in', part)
        .where('standing', 'in', UNCONFIRMED_STANDINGS)
        .union(
          db
            .selectFrom('withdrawals')
            .select((select) => select.ref('transaction_uuid').$notNull().as('transaction_uuid'))
            .where('transaction_uuid', 'in', part)
            .where('status', 'in', OPEN_WITHDRAWAL_STATUSES),
        )
        .execute()
      found.push(...rows.map((row) => row.transaction_uuid))
    }
    return found
  },

  /** Every fact of these transactions. */
  async factsOf(uuids: readonly string[]): Promise<readonly Fact[]> {
    if (uuids.length === 0) return []
    const rows = await db.selectFrom('facts').select('content').where('transaction_uuid', 'in', uuids).execute()
    return rows.map(({ content }) => parseFact(content))
  },

  /**
   * The user's deposits, and payouts of withdrawals, that only webhooks have called succeeded, since this time or longer,
   * and nobody was told.
   */
  async unlistedSuccesses(user: string, sinceMs: number): Promise<readonly TransactionKey[]> {
    return db
      .selectFrom('transactions')
      .select(['kind', 'transaction_uuid'])
      .where('user_reference_id', '=', user)
      .where((where) => where.or([where('kind', '=', 'deposit'), where('withdrawal_id', 'is not', null)]))
      .where('status', '=', 'succeeded')
      .where('standing', '=', 'confirmed')
      .where('overdue_ms', 'is', null)
      .where('updated_ms', '<=', sinceMs)
      .where((where) =>
        where.not(
          where.exists(
            where
              .selectFrom('facts')
              .select('facts.status')
              .whereRef('facts.transaction_uuid', '=', 'transactions.transaction_uuid')
              .whereRef('facts.kind', '=', 'transactions.kind')
              .where('facts.status', '=', 'succeeded')
              .where('facts.source', '=', 'reconciliation'),
          ),
        ),
      )
      .execute()
  },

  /** The user's rows since a time, newest first. */
  async ofUser(user: string, sinceMs: number, limit: number): Promise<readonly TransactionRow[]> {
    return db
      .selectFrom('transactions')
      .selectAll()
      .where('user_reference_id', '=', user)
      .where('created_ms', '>=', sinceMs)
      .orderBy('created_ms', 'desc')
      .limit(limit)
      .execute()
  },
})
