import type { Kysely } from 'kysely'
import type { DatabaseTime } from '../database/database-time.ts'
import type { Tables } from '../database/schema.ts'

/** Before the name of an instance: it is alive. */
export const INSTANCE_LEASE = 'instance:'

/** Before the id of a withdrawal: somebody resumes it. */
export const RESUME_LEASE = 'resume:'

/**
 * Named leases: which instance runs a job, and which instances are alive. By the database's time, so that the lease of
 * an instance whose clock is wrong runs out as any other.
 */
export const leasesOf = (db: Kysely<Tables>, time: DatabaseTime) => ({
  /** Takes or renews the lease for this time. True if `holder` has it. */
  async take(name: string, holder: string, forMs: number): Promise<boolean> {
    const result = await db
      .insertInto('leases')
      .values({ name, holder, expires_ms: time.after(forMs) })
      .onConflict((conflict) =>
        conflict
          .column('name')
          .doUpdateSet({ holder, expires_ms: time.after(forMs) })
          .where((where) =>
            where.or([where('leases.holder', '=', holder), where('leases.expires_ms', '<=', time.now())]),
          ),
      )
      .executeTakeFirst()
    return (result.numInsertedOrUpdatedRows ?? 0n) > 0n
  },

  /** Says for this time that the instance is alive, so that nobody resumes what it drives. */
  keepAlive(instance: string, forMs: number): Promise<boolean> {
    return this.take(`${INSTANCE_LEASE}${instance}`, instance, forMs)
  },

  /** True if `holder` is the one to resume this withdrawal. */
  takeToResume(withdrawal: string, holder: string, forMs: number): Promise<boolean> {
    return this.take(`${RESUME_LEASE}${withdrawal}`, holder, forMs)
  },

  async release(name: string, holder: string): Promise<void> {
    await db.deleteFrom('leases').where('name', '=', name).where('holder', '=', holder).execute()
  },

  /** All that this holder has, but for withdrawals that it could not resume. */
  async releaseAll(holder: string): Promise<void> {
    await db.deleteFrom('leases').where('holder', '=', holder).where('name', 'not like', `${RESUME_LEASE}%`).execute()
  },

  async resumed(withdrawal: string): Promise<void> {
    await db.deleteFrom('leases').where('name', '=', `${RESUME_LEASE}${withdrawal}`).execute()
  },

  async deleteAll(): Promise<void> {
    await db.deleteFrom('leases').execute()
  },

  async deleteExpired(): Promise<void> {
    await db.deleteFrom('leases').where('expires_ms', '<=', time.now()).execute()
  },
})
