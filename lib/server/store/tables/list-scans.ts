import type { Kysely, Selectable } from 'kysely'
import type { Flavour } from '../database/migrations/0001-initial.ts'
import { insertRows } from '../database/multi-row.ts'
import type { ListScansTable, ScannedRecordsTable, Tables } from '../database/schema.ts'

export type ListScan = Selectable<ListScansTable>

/** The scans of lists that take more than one round: one for a user. The instance that has claimed the user writes. */
export const listScansOf = (db: Kysely<Tables>, flavour: Flavour) => {
  const addRecords = insertRows<ScannedRecordsTable>(
    flavour,
    'scanned_records',
    { user_reference_id: 'text', transaction_uuid: 'text' },
    'keep',
    ['user_reference_id', 'transaction_uuid'],
  )
  return {
    async find(user: string): Promise<ListScan | null> {
      const query = db.selectFrom('list_scans').selectAll().where('user_reference_id', '=', user)
      return (await query.executeTakeFirst()) ?? null
    },

    /** Notes the records that a round has read; returns the number of distinct ones of the whole scan. */
    async addRecords(user: string, uuids: readonly string[]): Promise<number> {
      await addRecords(
        db,
        uuids.map((transaction_uuid) => ({ user_reference_id: user, transaction_uuid })),
      )
      const { count } = await db
        .selectFrom('scanned_records')
        .select((select) => select.fn.countAll().as('count'))
        .where('user_reference_id', '=', user)
        .executeTakeFirstOrThrow()
      return Number(count)
    },

    async put(row: ListScan): Promise<void> {
      const { user_reference_id: _user, ...others } = row
      await db
        .insertInto('list_scans')
        .values(row)
        .onConflict((conflict) => conflict.column('user_reference_id').doUpdateSet(others))
        .execute()
    },

    /** Ends the user's scan, if there is one. */
    async remove(user: string): Promise<void> {
      for (const table of ['scanned_records', 'list_scans'] as const)
        await db.deleteFrom(table).where('user_reference_id', '=', user).execute()
    },
  }
}
