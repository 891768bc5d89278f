import type { Insertable, Kysely, Selectable } from 'kysely'
import type { FactsTable, Tables, TransactionsTable } from './schema.ts'

export type Kind = 'deposit' | 'payout' | 'onramp'
export type TransactionRow = Selectable<TransactionsTable>
export type FactRow = Selectable<FactsTable>

export const transactionsOf = (db: Kysely<Tables>) => ({
  async facts(kind: Kind, uuid: string): Promise<readonly FactRow[]> {
    return db.selectFrom('facts').selectAll().where('kind', '=', kind).where('transaction_uuid', '=', uuid).execute()
  },

  /** Keeps what was said under a status; the webhook replaces what the list had told under it. */
  async putFact(fact: FactRow): Promise<void> {
    const { source, content, recorded_ms } = fact
    await db
      .insertInto('facts')
      .values(fact)
      .onConflict((conflict) =>
        conflict
          .columns(['kind', 'transaction_uuid', 'status'])
          .doUpdateSet({ source, content, recorded_ms })
          .where('facts.source', '=', 'reconciliation'),
      )
      .execute()
  },

  async find(kind: Kind, uuid: string): Promise<TransactionRow | null> {
    const row = await db
      .selectFrom('transactions')
      .selectAll()
      .where('kind', '=', kind)
      .where('transaction_uuid', '=', uuid)
      .executeTakeFirst()
    return row ?? null
  },

  async put(row: Insertable<TransactionsTable> & { credited: string }): Promise<void> {
    await db
      .insertInto('transactions')
      .values(row)
      .onConflict((conflict) => conflict.columns(['kind', 'transaction_uuid']).doUpdateSet(row))
      .execute()
  },

  async setCredited(kind: Kind, uuid: string, credited: string): Promise<void> {
    await db
      .updateTable('transactions')
      .set({ credited })
      .where('kind', '=', kind)
      .where('transaction_uuid', '=', uuid)
      .execute()
  },

  /** Deposits and on-ramps of one transfer: same user, currency and hash. */
  async sameTransfer(user: string, currencyId: string, hashKey: string): Promise<readonly TransactionRow[]> {
    return db
      .selectFrom('transactions')
      .selectAll()
      .where('user_reference_id', '=', user)
      .where('currency_id', '=', currencyId)
      .where('tx_hash_key', '=', hashKey)
      .where('kind', 'in', ['deposit', 'onramp'])
      .execute()
  },

  /** All kinds under one uuid: the gateway may list an on-ramp as the deposit that it became. */
  async byUuid(uuid: string): Promise<readonly TransactionRow[]> {
    return db.selectFrom('transactions').selectAll().where('transaction_uuid', '=', uuid).execute()
  },

  async byCorrelation(key: string): Promise<readonly TransactionRow[]> {
    return db.selectFrom('transactions').selectAll().where('correlation_key', '=', key).execute()
  },

  async byUuids(uuids: readonly string[]): Promise<readonly TransactionRow[]> {
    if (uuids.length === 0) return []
    return db.selectFrom('transactions').selectAll().where('transaction_uuid', 'in', uuids).execute()
  },

  async byOnrampSessions(ids: readonly string[]): Promise<readonly TransactionRow[]> {
    if (ids.length === 0) return []
    return db.selectFrom('transactions').selectAll().where('onramp_session_id', 'in', ids).execute()
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
