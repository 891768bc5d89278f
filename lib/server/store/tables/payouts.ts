import { sql, type Kysely } from 'kysely'
import type { PayoutOwner, PayoutRow } from '../../ledger/rows.ts'
import type { Flavour } from '../database/migrations/0001-initial.ts'
import { selectByKeys } from '../database/multi-row.ts'
import type { Tables } from '../database/schema.ts'
import { rowUsersOf } from './row-users.ts'

export interface PayoutsFilter {
  /** Undefined for all; null for those that nobody owns. */
  readonly owner: PayoutOwner | undefined
  readonly user_reference_id: string | null
}

/** A position in the list of payouts, newest first. */
export type PayoutsPlace = Pick<PayoutRow, 'first_seen_ms' | 'transaction_uuid'>

/** Every payout that the gateway has shown. */
export const payoutsOf = (db: Kysely<Tables>, flavour: Flavour) => ({
  async find(transactionUuid: string): Promise<PayoutRow | null> {
    const keys = (await rowUsersOf(flavour)(db, [transactionUuid])).keys(['paid'], [transactionUuid])
    const [row] = await selectByKeys<PayoutRow>(flavour, 'payouts', ['user_reference_id', 'transaction_uuid'])(db, keys)
    return row ?? null
  },

  /** The payouts of these users that nobody owns. */
  async openOf(users: readonly string[]): Promise<readonly PayoutRow[]> {
    if (users.length === 0) return []
    return db
      .selectFrom('payouts')
      .selectAll()
      .where('owner', 'is', null)
      .where('user_reference_id', 'in', users)
      .execute()
  },

  /** How many payouts nobody owns; without those for which the list is awaited. */
  async countOpen(): Promise<number> {
    const row = await db
      .selectFrom('payouts')
      .select((select) => select.fn.countAll<number | string>().as('count'))
      .where('owner', 'is', null)
      .where('awaits_list', '=', 0)
      .executeTakeFirstOrThrow()
    return Number(row.count)
  },

  /** Payouts that pass the filter, newest first, after this position. */
  async page(filter: PayoutsFilter, after: PayoutsPlace, limit: number): Promise<readonly PayoutRow[]> {
    let query = db
      .selectFrom('payouts')
      .selectAll()
      .where(sql<boolean>`(first_seen_ms, transaction_uuid) < (${after.first_seen_ms}, ${after.transaction_uuid})`)
    if (filter.owner === null) query = query.where('owner', 'is', null)
    else if (filter.owner !== undefined) query = query.where('owner', '=', filter.owner)
    if (filter.user_reference_id !== null) query = query.where('user_reference_id', '=', filter.user_reference_id)
    return query.orderBy('first_seen_ms', 'desc').orderBy('transaction_uuid', 'desc').limit(limit).execute()
  },
})
