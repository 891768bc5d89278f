import { sql, type Kysely } from 'kysely'
import type { Tables } from '../database/schema.ts'

/**
 * Deletes rows whose `time` is before `beforeMs`, the oldest first, at most `limit` of them; rows without a time stay.
 * Resolves with how many.
 */
export async function deleteOldest<Table extends keyof Tables>(
  db: Kysely<Tables>,
  table: Table,
  { key, time }: { readonly key: keyof Tables[Table] & string; readonly time: keyof Tables[Table] & string },
  beforeMs: number,
  limit: number,
): Promise<number> {
  const [rows, id, at] = [sql.table(table), sql.ref(key), sql.ref(time)]
  const { numAffectedRows } = await sql`delete from ${rows} where ${id} in
    (select ${id} from ${rows} where ${at} < ${beforeMs} order by ${at} limit ${limit})`.execute(db)
  return Number(numAffectedRows ?? 0n)
}
