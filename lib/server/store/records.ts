import type { Kysely, Selectable } from 'kysely'
import type { RecordsTable, Tables } from './schema.ts'

export type RecordRow = Selectable<RecordsTable>

export interface RecordsFilter {
  readonly types?: readonly string[]
  readonly fromMs?: number
  readonly untilMs?: number
}

/** The gateway's list as last seen. */
export const recordsOf = (db: Kysely<Tables>) => ({
  async byUuids(user: string, uuids: readonly string[]): Promise<readonly RecordRow[]> {
    if (uuids.length === 0) return []
    return db
      .selectFrom('records')
      .selectAll()
      .where('user_reference_id', '=', user)
      .where('transaction_uuid', 'in', uuids)
      .execute()
  },

  async put(row: RecordRow): Promise<void> {
    await db
      .insertInto('records')
      .values(row)
      .onConflict((conflict) => conflict.columns(['user_reference_id', 'transaction_uuid']).doUpdateSet(row))
      .execute()
  },

  /** All that pass the filter, newest first. */
  async list(user: string, filter: RecordsFilter): Promise<readonly RecordRow[]> {
    let query = db.selectFrom('records').selectAll().where('user_reference_id', '=', user)
    if (filter.types !== undefined) query = query.where('type', 'in', filter.types)
    if (filter.fromMs !== undefined) query = query.where('inserted_ms', '>=', filter.fromMs)
    if (filter.untilMs !== undefined) query = query.where('inserted_ms', '<', filter.untilMs)
    return query.orderBy('inserted_ms', 'desc').orderBy('transaction_uuid', 'desc').execute()
  },
})
