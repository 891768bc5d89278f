import type { Kysely, Selectable } from 'kysely'
import type { OperatorSessionsTable, OperatorsTable, Tables } from '../database/schema.ts'

export type OperatorRow = Selectable<OperatorsTable>
export type OperatorSessionRow = Selectable<OperatorSessionsTable>

/** A session with its operator. */
export interface OperatorOfSession {
  readonly session: OperatorSessionRow
  readonly operator: OperatorRow
}

/** Persons who use the console, and their sessions. Times are milliseconds since 1970. */
export const operatorsOf = (db: Kysely<Tables>) => ({
  /** Whether anybody was ever invited. */
  async any(): Promise<boolean> {
    return (await db.selectFrom('operators').select('id').limit(1).executeTakeFirst()) !== undefined
  },

  async add(operator: OperatorRow): Promise<void> {
    await db.insertInto('operators').values(operator).execute()
  },

  async addSession(session: OperatorSessionRow): Promise<void> {
    await db.insertInto('operator_sessions').values(session).execute()
  },

  async findSession(id: string): Promise<OperatorOfSession | null> {
    const session = await db.selectFrom('operator_sessions').selectAll().where('id', '=', id).executeTakeFirst()
    if (session === undefined) return null
    const operator = await db
      .selectFrom('operators')
      .selectAll()
      .where('id', '=', session.operator_id)
      .executeTakeFirst()
    return operator === undefined ? null : { session, operator }
  },

  /** Stores that a session is in use. */
  async useSession(id: string, now: number): Promise<void> {
    await db.updateTable('operator_sessions').set({ last_used_ms: now }).where('id', '=', id).execute()
  },

  /** Ends a session; one that has ended stays as it is. */
  async endSession(id: string, now: number): Promise<void> {
    await db
      .updateTable('operator_sessions')
      .set({ ended_ms: now })
      .where('id', '=', id)
      .where('ended_ms', 'is', null)
      .execute()
  },
})
