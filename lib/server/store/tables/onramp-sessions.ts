import type { Kysely } from 'kysely'
import type { OnrampRow } from '../../ledger/rows.ts'
import type { RowUser } from '../../ledger/row-users.ts'
import type { Flavour } from '../database/migrations/0001-initial.ts'
import { insertRows } from '../database/multi-row.ts'
import type { Tables } from '../database/schema.ts'

type Key = Pick<OnrampRow, 'id' | 'user_reference_id'>

export const onrampSessionsOf = (db: Kysely<Tables>, flavour: Flavour) => {
  const insertNames = insertRows<RowUser>(
    flavour,
    'row_users',
    { name: 'text', kind: 'text', user_reference_id: 'text' },
    'keep',
    ['name', 'kind'],
  )
  /** Before the row has it: a name that leads to no row does no harm. The first session keeps a key. */
  const noteName = (kind: 'session' | 'key', name: string | null | undefined, user: string): Promise<unknown> =>
    insertNames(db, name == null ? [] : [{ kind, name, user_reference_id: user }])

  return {
    async insert(row: OnrampRow): Promise<void> {
      await noteName('session', row.id, row.user_reference_id)
      await noteName('key', row.correlation_key, row.user_reference_id)
      await db.insertInto('onramp_sessions').values(row).execute()
    },

    async find({ user_reference_id, id }: Key): Promise<OnrampRow | null> {
      const row = await db
        .selectFrom('onramp_sessions')
        .selectAll()
        .where('user_reference_id', '=', user_reference_id)
        .where('id', '=', id)
        .executeTakeFirst()
      return row ?? null
    },

    /** The user's newest sessions, newest first. */
    async ofUser(user: string, limit: number): Promise<readonly OnrampRow[]> {
      return db
        .selectFrom('onramp_sessions')
        .selectAll()
        .where('user_reference_id', '=', user)
        .orderBy('created_ms', 'desc')
        .limit(limit)
        .execute()
    },

    /** Removes a session, unless an event has named it. */
    async removeUnused({ user_reference_id, id }: Key): Promise<void> {
      await db
        .deleteFrom('onramp_sessions')
        .where('user_reference_id', '=', user_reference_id)
        .where('id', '=', id)
        .where('transaction_uuid', 'is', null)
        .execute()
    },

    async update({ user_reference_id, id }: Key, change: Partial<Omit<OnrampRow, keyof Key>>): Promise<void> {
      await noteName('key', change.correlation_key, user_reference_id)
      await db
        .updateTable('onramp_sessions')
        .set(change)
        .where('user_reference_id', '=', user_reference_id)
        .where('id', '=', id)
        .execute()
    },
  }
}
