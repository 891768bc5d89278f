import type { Kysely, Selectable } from 'kysely'
import type { TransactionKind } from '#lib/contract/stream.ts'
import type { TransactionRow } from '../ledger/rows.ts'
import type { FactsTable, Tables } from './schema.ts'

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
