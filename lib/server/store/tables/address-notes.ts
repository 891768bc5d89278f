import type { Kysely, Selectable } from 'kysely'
import type { AddressNotesTable, Tables } from '../database/schema.ts'

export type AddressNote = Pick<Selectable<AddressNotesTable>, 'address_id' | 'name' | 'forgotten_ms'>

/** The names that users gave to addresses, and the addresses that they want to be forgotten. */
export const addressNotesOf = (db: Kysely<Tables>) => ({
  async ofUser(user: string): Promise<readonly AddressNote[]> {
    return db
      .selectFrom('address_notes')
      .select(['address_id', 'name', 'forgotten_ms'])
      .where('user_reference_id', '=', user)
      .execute()
  },

  /** Replaces the note of an address. */
  async put(user: string, { address_id, name, forgotten_ms }: AddressNote, now: number): Promise<void> {
    const content = { name, forgotten_ms, updated_ms: now }
    await db
      .insertInto('address_notes')
      .values({ user_reference_id: user, address_id, ...content })
      .onConflict((conflict) => conflict.columns(['user_reference_id', 'address_id']).doUpdateSet(content))
      .execute()
  },
})
