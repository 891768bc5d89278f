import type { Kysely, Selectable } from 'kysely'
import type { OperatorRole } from '#lib/contract/operate/operators.ts'
import type { Flavour } from '../database/migrations/0001-initial.ts'
import type { OperatorSessionsTable, OperatorsTable, Tables } from '../database/schema.ts'
import { deleteOldest } from './delete-oldest.ts'

export type OperatorRow = Selectable<OperatorsTable>
export type OperatorSessionRow = Selectable<OperatorSessionsTable>

/** A session with its operator. */
export interface OperatorOfSession {
  readonly session: OperatorSessionRow
  readonly operator: OperatorRow
}

/** Persons who use the console, and their sessions. Times are milliseconds since 1970. */
export const operatorsOf = (db: Kysely<Tables>, flavour: Flavour) => ({
  /** Whether anybody was ever invited. */
  async any(): Promise<boolean> {
    return (await db.selectFrom('operators').select('id').limit(1).executeTakeFirst()) !== undefined
  },

  async find(id: string): Promise<OperatorRow | null> {
    return (await db.selectFrom('operators').selectAll().where('id', '=', id).executeTakeFirst()) ?? null
  },

  /** All, in the order of their names. */
  async list(): Promise<readonly OperatorRow[]> {
    return db.selectFrom('operators').selectAll().orderBy('name_key').execute()
  },

  /** Inside a transaction: until it ends, nobody else locks the operator. */
  async lock(id: string): Promise<OperatorRow | null> {
    const query = db.selectFrom('operators').selectAll().where('id', '=', id)
    return (await (flavour === 'postgres' ? query.forUpdate() : query).executeTakeFirst()) ?? null
  },

  /** The same for all operators. A new one may still be added, but not under an existing name. */
  async lockAll(): Promise<readonly OperatorRow[]> {
    const query = db.selectFrom('operators').selectAll().orderBy('id')
    return (flavour === 'postgres' ? query.forUpdate() : query).execute()
  },

  async changeRole(id: string, role: OperatorRole): Promise<void> {
    await db.updateTable('operators').set({ role }).where('id', '=', id).execute()
  },

  /** @param disabled_ms null: the operator may sign in again */
  async setDisabled(id: string, disabled_ms: number | null): Promise<void> {
    await db.updateTable('operators').set({ disabled_ms }).where('id', '=', id).execute()
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

  /** Stores that a passkey was used in a session. */
  async touchSession(id: string, now: number): Promise<void> {
    const used = { last_used_ms: now, touched_ms: now }
    await db.updateTable('operator_sessions').set(used).where('id', '=', id).execute()
  },

  /** When each operator last used a session, by the operator's id; who has none is left out. */
  async lastUses(): Promise<ReadonlyMap<string, number>> {
    const rows = await db
      .selectFrom('operators')
      .select((build) => [
        'id',
        build
          .selectFrom('operator_sessions')
          .select(({ fn }) => fn.max('last_used_ms').as('last'))
          .whereRef('operator_id', '=', 'operators.id')
          .as('last_used_ms'),
      ])
      .orderBy('id')
      .execute()
    return new Map(rows.flatMap(({ id, last_used_ms: ms }) => (ms === null ? [] : [[id, ms] as const])))
  },

  /** Ends all sessions of an operator. */
  async endSessionsOf(operatorId: string, now: number): Promise<void> {
    await db
      .updateTable('operator_sessions')
      .set({ ended_ms: now })
      .where('operator_id', '=', operatorId)
      .where('ended_ms', 'is', null)
      .execute()
  },

  /** Deletes sessions that were not used since `beforeMs`, oldest first. Returns how many. */
  deleteUnusedSessions: (beforeMs: number, limit: number): Promise<number> =>
    deleteOldest(db, 'operator_sessions', { key: 'id', time: 'last_used_ms' }, beforeMs, limit),

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
