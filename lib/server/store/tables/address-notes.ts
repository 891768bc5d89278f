import { sql, type Kysely, type Selectable } from 'kysely'
import type { Flavour } from '../database/migrations/0001-initial.ts'
import type { AddressNotesTable, Tables } from '../database/schema.ts'

export type AddressNote = Pick<Selectable<AddressNotesTable>, 'address_id' | 'name' | 'forgotten_ms'>

/** The names that users gave to addresses, and the addresses that they want to be forgotten. */
export const addressNotesOf = (db: Kysely<Tables>, flavour: Flavour) => ({
  async ofUser(user: string): Promise<readonly AddressNote[]> {
    return db
      .selectFrom('address_notes')
      .select(['address_id', 'name', 'forgotten_ms'])
      .where('user_reference_id', '=', user)
      .execute()
  },

  /** Replaces the note of an address; a user who is erased meanwhile gets none. */
  async put(user: string, { address_id, name, forgotten_ms }: AddressNote, now: number): Promise<void> {
    await sql`
      insert into address_notes (user_reference_id, address_id, name, forgotten_ms, updated_ms)
      select user_reference_id, cast(${address_id} as text), cast(${name} as text), cast(${forgotten_ms} as bigint),
        cast(${now} as bigint) from users where user_reference_id = ${user}
      ${sql.raw(flavour === 'postgres' ? 'for key share' : '')}
      on conflict (user_reference_id, address_id) do update set
        name = excluded.name, forgotten_ms = excluded.forgotten_ms, updated_ms = excluded.updated_ms`.execute(db)
  },
})
