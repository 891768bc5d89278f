import type { Kysely } from 'kysely'
import type { OnrampRow } from '../../ledger/rows.ts'
import type { Tables } from '../database/schema.ts'

export const onrampSessionsOf = (db: Kysely<Tables>) => ({
  async insert(row: OnrampRow): Promise<void> {
    await db.insertInto('onramp_sessions').values(row).execute()
  },

  async find(id: string): Promise<OnrampRow | null> {
    return (await db.selectFrom('onramp_sessions').selectAll().where('id', '=', id).executeTakeFirst()) ?? null
  },

  async byCorrelations(keys: readonly string[]): Promise<readonly OnrampRow[]> {
    if (keys.length === 0) return []
    return db.selectFrom('onramp_sessions').selectAll().where('correlation_key', 'in', keys).execute()
  },

  /** Removes a session, unless an event has named it. */
  async removeUnused(id: string): Promise<void> {
    await db.deleteFrom('onramp_sessions').where('id', '=', id).where('transaction_uuid', 'is', null).execute()
  },

  async update(id: string, change: Partial<OnrampRow>): Promise<void> {
    await db.updateTable('onramp_sessions').set(change).where('id', '=', id).execute()
  },
})
