import type { Insertable, Kysely, Selectable } from 'kysely'
import type { Decimal } from '#lib/contract/money.ts'
import type { TransactionKind } from '#lib/contract/stream.ts'
import type { FactsTable, Tables, TransactionsTable } from './schema.ts'

export type TransactionRow = Selectable<TransactionsTable>
export type FactRow = Selectable<FactsTable>

/** What two transactions are recognized as one transfer by. */
export type TransferKey = Pick<
  TransactionRow,
  'user_reference_id' | 'currency_id' | 'transaction_uuid' | 'tx_hash_key' | 'correlation_key'
>

export const transactionsOf = (db: Kysely<Tables>) => ({
  async facts(kind: TransactionKind, uuid: string): Promise<readonly FactRow[]> {
    return db.selectFrom('facts').selectAll().where('kind', '=', kind).where('transaction_uuid', '=', uuid).execute()
  },

  /** Stores the fact of a status and source; the first stays. */
  async putFact(fact: FactRow): Promise<void> {
    await db
      .insertInto('facts')
      .values(fact)
      .onConflict((conflict) => conflict.columns(['kind', 'transaction_uuid', 'status', 'source']).doNothing())
      .execute()
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

  async put(row: Insertable<TransactionsTable> & { credited: Decimal }): Promise<void> {
    await db
      .insertInto('transactions')
      .values(row)
      .onConflict((conflict) => conflict.columns(['kind', 'transaction_uuid']).doUpdateSet(row))
      .execute()
  },

  async setCredited(kind: TransactionKind, uuid: string, credited: Decimal): Promise<void> {
    await db
      .updateTable('transactions')
      .set({ credited })
      .where('kind', '=', kind)
      .where('transaction_uuid', '=', uuid)
      .execute()
  },

  /**
   * Deposits and on-ramps that may be one transfer with this: of the same user and currency, with the same hash, uuid
   * (the gateway may list an on-ramp as the deposit that it became) or correlation key.
   */
  async sameTransfer(row: TransferKey): Promise<readonly TransactionRow[]> {
    const { user_reference_id: user, currency_id: currency } = row
    // One select for each condition, so that each uses its own index.
    let query = db.selectFrom('transactions').selectAll().where('transaction_uuid', '=', row.transaction_uuid)
    if (row.tx_hash_key !== null)
      query = query.union(
        db
          .selectFrom('transactions')
          .selectAll()
          .where('user_reference_id', '=', user)
          .where('currency_id', '=', currency)
          .where('tx_hash_key', '=', row.tx_hash_key),
      )
    if (row.correlation_key !== null)
      query = query.union(
        db
          .selectFrom('transactions')
          .selectAll()
          .where('user_reference_id', '=', user)
          .where('currency_id', '=', currency)
          .where('correlation_key', '=', row.correlation_key),
      )
    return (await query.execute()).filter(
      (other) => other.kind !== 'payout' && other.user_reference_id === user && other.currency_id === currency,
    )
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
