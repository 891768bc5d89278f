import type { Kysely } from 'kysely'
import type { DepositAddress } from '#lib/contract/cashier.ts'
import { compiledOnce } from '../database/compiled-once.ts'
import type { Tables } from '../database/schema.ts'

export const depositAddressesOf = (db: Kysely<Tables>) => {
  const byKey = compiledOnce(db, () =>
    db
      .selectFrom('deposit_addresses')
      .select(['address', 'currency', 'network'])
      .where('user_reference_id', '=', '')
      .where('currency_id', '=', ''),
  )
  const insert = compiledOnce(db, () =>
    db
      .insertInto('deposit_addresses')
      .values({ user_reference_id: '', currency_id: '', address: '', currency: '', network: '', created_ms: 0 })
      .onConflict((conflict) => conflict.columns(['user_reference_id', 'currency_id']).doNothing())
      .returning(['address', 'currency', 'network']),
  )
  return {
    async find(user: string, currencyId: string): Promise<DepositAddress | null> {
      const [row] = await byKey(user, currencyId)
      return row ?? null
    },

    async ofUser(user: string): Promise<readonly DepositAddress[]> {
      return db
        .selectFrom('deposit_addresses')
        .select(['address', 'currency', 'network'])
        .where('user_reference_id', '=', user)
        .execute()
    },

    /** Stores an address unless one is stored; a stored address does not change. Returns the stored one. */
    async saveFirst(user: string, currencyId: string, given: DepositAddress, now: number): Promise<DepositAddress> {
      const { address, currency, network } = given
      const [stored] = await insert(user, currencyId, address, currency, network, now)
      return stored ?? (await this.find(user, currencyId)) ?? given
    },

    /** Deletes all addresses of currencies whose ids now mean other currencies. */
    async deleteOf(currencyIds: readonly string[]): Promise<void> {
      if (currencyIds.length === 0) return
      await db.deleteFrom('deposit_addresses').where('currency_id', 'in', currencyIds).execute()
    },
  }
}
