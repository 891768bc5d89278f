import type { Kysely } from 'kysely'
import type { DepositAddress } from '#lib/contract/cashier.ts'
import type { Tables } from './schema.ts'

export const depositAddressesOf = (db: Kysely<Tables>) => ({
  async find(user: string, currencyId: string): Promise<DepositAddress | null> {
    const row = await db
      .selectFrom('deposit_addresses')
      .select(['address', 'currency', 'network'])
      .where('user_reference_id', '=', user)
      .where('currency_id', '=', currencyId)
      .executeTakeFirst()
    return row ?? null
  },

  /** Stores the first address for ever. Returns the stored one. */
  async saveFirst(user: string, currencyId: string, address: DepositAddress, now: number): Promise<DepositAddress> {
    await db
      .insertInto('deposit_addresses')
      .values({ user_reference_id: user, currency_id: currencyId, ...address, created_ms: now })
      .onConflict((conflict) => conflict.columns(['user_reference_id', 'currency_id']).doNothing())
      .execute()
    return (await this.find(user, currencyId)) ?? address
  },
})
