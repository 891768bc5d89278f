import { sql, type Kysely, type Selectable, type Updateable } from 'kysely'
import type { Tables, WithdrawalsTable } from './schema.ts'

export type WithdrawalRow = Selectable<WithdrawalsTable>
export type WithdrawalChange = Updateable<WithdrawalsTable>

/** What two withdrawals, or a withdrawal and a payout, are compared by. */
export interface PayoutKey {
  readonly user_reference_id: string
  readonly currency_id: string
  readonly amount_key: string
  readonly address_key: string
}

export const withdrawalsOf = (db: Kysely<Tables>) => ({
  async insert(row: WithdrawalRow): Promise<void> {
    await db.insertInto('withdrawals').values(row).execute()
  },

  async find(id: string): Promise<WithdrawalRow | null> {
    return (await db.selectFrom('withdrawals').selectAll().where('id', '=', id).executeTakeFirst()) ?? null
  },

  async byKey(user: string, idempotencyKey: string): Promise<WithdrawalRow | null> {
    const row = await db
      .selectFrom('withdrawals')
      .selectAll()
      .where('user_reference_id', '=', user)
      .where('idempotency_key', '=', idempotencyKey)
      .executeTakeFirst()
    return row ?? null
  },

  async byTransaction(uuid: string): Promise<WithdrawalRow | null> {
    const row = await db.selectFrom('withdrawals').selectAll().where('transaction_uuid', '=', uuid).executeTakeFirst()
    return row ?? null
  },

  async byTransactions(uuids: readonly string[]): Promise<readonly WithdrawalRow[]> {
    if (uuids.length === 0) return []
    return db.selectFrom('withdrawals').selectAll().where('transaction_uuid', 'in', uuids).execute()
  },

  /** Every withdrawal of these details, oldest first. */
  async matching(key: PayoutKey): Promise<readonly WithdrawalRow[]> {
    return db
      .selectFrom('withdrawals')
      .selectAll()
      .where('user_reference_id', '=', key.user_reference_id)
      .where('currency_id', '=', key.currency_id)
      .where('amount_key', '=', key.amount_key)
      .where('address_key', '=', key.address_key)
      .orderBy('created_ms')
      .orderBy('id')
      .execute()
  },

  async ofUser(user: string, sinceMs: number, limit: number): Promise<readonly WithdrawalRow[]> {
    return db
      .selectFrom('withdrawals')
      .selectAll()
      .where('user_reference_id', '=', user)
      .where('created_ms', '>=', sinceMs)
      .orderBy('created_ms', 'desc')
      .limit(limit)
      .execute()
  },

  async update(id: string, change: WithdrawalChange): Promise<void> {
    await db.updateTable('withdrawals').set(change).where('id', '=', id).execute()
  },

  /** Takes the step from one state to the next; false where somebody else did. */
  async advance(id: string, from: string, change: WithdrawalChange): Promise<boolean> {
    const result = await db
      .updateTable('withdrawals')
      .set(change)
      .where('id', '=', id)
      .where('step', '=', from)
      .executeTakeFirst()
    return result.numUpdatedRows > 0n
  },

  /** Those whose evidence is to be looked for now. */
  async dueForCheck(now: number, limit: number): Promise<readonly WithdrawalRow[]> {
    return db
      .selectFrom('withdrawals')
      .selectAll()
      .where('next_check_ms', '<=', now)
      .orderBy('next_check_ms')
      .limit(limit)
      .execute()
  },

  /** Those whose process stopped between two steps, as far as the steps tell. */
  async inFlight(limit: number): Promise<readonly WithdrawalRow[]> {
    return (
      db
        .selectFrom('withdrawals')
        .selectAll()
        // Written out, or the partial index would not be used.
        .where(sql<boolean>`step in ('authorizing', 'calling')`)
        .limit(limit)
        .execute()
    )
  },
})
