import { sql, type Kysely, type Selectable } from 'kysely'
import type { OperatorViewsTable, Tables } from '../database/schema.ts'

export type OperatorViewRow = Selectable<OperatorViewsTable>

/** The views of lists that operators have saved. */
export const operatorViewsOf = (db: Kysely<Tables>) => ({
  /** By list and name. */
  async ofOperator(operator: string): Promise<readonly OperatorViewRow[]> {
    return db
      .selectFrom('operator_views')
      .selectAll()
      .where('operator_id', '=', operator)
      .orderBy('list')
      .orderBy('name')
      .execute()
  },

  /** False if the operator has `most` views, or one of this list with this name. */
  async add(row: OperatorViewRow, most: number): Promise<boolean> {
    const { id, operator_id, list, name, query, created_ms } = row
    const result = await sql`
      insert into operator_views (id, operator_id, list, name, query, created_ms)
      select ${id}, ${operator_id}, ${list}, ${name}, ${query}, cast(${created_ms} as bigint)
      where (select count(*) from operator_views where operator_id = ${operator_id}) < ${most}
      on conflict (operator_id, list, name) do nothing`.execute(db)
    return result.numAffectedRows === 1n
  },

  /** False if the operator has no such view, or another one with the new name. */
  async change(row: Pick<OperatorViewRow, 'id' | 'operator_id' | 'list' | 'name' | 'query'>): Promise<boolean> {
    const { id, operator_id, list, name, query } = row
    const result = await sql`
      update operator_views set name = ${name}, query = ${query} where id = ${id} and operator_id = ${operator_id}
        and not exists (select 1 from operator_views other where other.operator_id = ${operator_id}
          and other.list = ${list} and other.name = ${name} and other.id <> ${id})`.execute(db)
    return result.numAffectedRows === 1n
  },

  /** False if the operator has no such view. */
  async remove(operator: string, id: string): Promise<boolean> {
    const result = await db
      .deleteFrom('operator_views')
      .where('id', '=', id)
      .where('operator_id', '=', operator)
      .executeTakeFirst()
    return result.numDeletedRows > 0n
  },

  /** Removes the views of all operators whose query names this user. */
  async removeAbout(user: string): Promise<void> {
    const rows = await db.selectFrom('operator_views').select(['id', 'query']).execute()
    const about = rows.filter(({ query }) => [...new URLSearchParams(query).values()].includes(user))
    for (const { id } of about) await db.deleteFrom('operator_views').where('id', '=', id).execute()
  },
})
