import { sql, type Kysely } from 'kysely'
import type { Flavour } from './migrations/0001-initial.ts'
import type { Tables } from './schema.ts'

const newUser = (id: string, now: number) => ({
  user_reference_id: id,
  known: 0 as const,
  created_ms: now,
  last_seen_ms: now,
  reconcile_at_ms: null,
  reconciled_ms: null,
})

export const usersOf = (db: Kysely<Tables>, flavour: Flavour) => ({
  /** Makes the user known (a first session); true the first time. */
  async ensure(id: string, now: number): Promise<boolean> {
    const result = await db
      .insertInto('users')
      .values({ ...newUser(id, now), known: 1, reconcile_at_ms: now })
      .onConflict((conflict) =>
        conflict
          .column('user_reference_id')
          .doUpdateSet({ known: 1, reconcile_at_ms: now })
          .where('users.known', '=', 0),
      )
      .executeTakeFirst()
    return (result.numInsertedOrUpdatedRows ?? 0n) > 0n
  },

  /** A row to lock for a user who may have no session yet: the merchant may adjust its balance before. */
  async insertIfMissing(id: string, now: number): Promise<void> {
    await db
      .insertInto('users')
      .values(newUser(id, now))
      .onConflict((conflict) => conflict.column('user_reference_id').doNothing())
      .execute()
  },

  async exists(id: string): Promise<boolean> {
    const row = await db.selectFrom('users').select('known').where('user_reference_id', '=', id).executeTakeFirst()
    return row?.known === 1
  },

  /**
   * Inside a transaction: nobody else changes these users' money or stream until it ends. Returns those that are known.
   * Ids are taken in one order, so that two transactions cannot wait for each other.
   */
  async lock(ids: readonly string[]): Promise<ReadonlySet<string>> {
    if (ids.length === 0) return new Set()
    const sorted = [...new Set(ids)].sort()
    const query = db
      .selectFrom('users')
      .select(['user_reference_id', 'known'])
      .where('user_reference_id', 'in', sorted)
      .orderBy('user_reference_id')
    const rows = await (flavour === 'postgres' ? query.forUpdate() : query).execute()
    return new Set(rows.filter((row) => row.known === 1).map((row) => row.user_reference_id))
  },

  /** Schedules the user's reconciliation for this time, unless it is due earlier. */
  async scheduleReconciliation(id: string, atMs: number): Promise<void> {
    await db
      .updateTable('users')
      .set({ reconcile_at_ms: atMs })
      .where('user_reference_id', '=', id)
      .where((where) => where.or([where('reconcile_at_ms', 'is', null), where('reconcile_at_ms', '>', atMs)]))
      .execute()
  },

  async dueForReconciliation(
    now: number,
    limit: number,
  ): Promise<readonly { user_reference_id: string; reconciled_ms: number | null; last_seen_ms: number }[]> {
    return db
      .selectFrom('users')
      .select(['user_reference_id', 'reconciled_ms', 'last_seen_ms'])
      .where('reconcile_at_ms', '<=', now)
      .orderBy('reconcile_at_ms')
      .limit(limit)
      .execute()
  },

  /** `parkedMs`: what the schedule was set to for the time of the scan; one that is earlier came meanwhile, and stays. */
  async reconciled(id: string, now: number | null, nextMs: number | null, parkedMs = 0): Promise<void> {
    const reconcile_at_ms = sql<
      number | null
    >`case when reconcile_at_ms < ${parkedMs} then reconcile_at_ms else ${nextMs} end`
    await db
      .updateTable('users')
      .set({ reconciled_ms: now, reconcile_at_ms })
      .where('user_reference_id', '=', id)
      .execute()
  },

  /** Stores that the user is active. */
  async markSeen(id: string, now: number): Promise<void> {
    await db.updateTable('users').set({ last_seen_ms: now }).where('user_reference_id', '=', id).execute()
  },
})
