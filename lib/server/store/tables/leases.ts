import { sql, type Kysely } from 'kysely'
import type { LedgerMode } from '../../ledger/accounts.ts'
import type { DatabaseTime } from '../database/database-time.ts'
import type { Tables } from '../database/schema.ts'

/** Prefix of an instance's name: the instance is alive. */
export const INSTANCE_LEASE = 'instance:'

/** Prefix of a rule of the books and an instance's name: the instance starts by this rule. */
export const BOOKS_LEASE = 'books:'

/** Prefix of an instance's name: the instance delivers events to the merchant's webhook. */
const DELIVERY_LEASE = 'deliver:'

/** Prefix of a withdrawal's id: an instance is resuming it. */
export const RESUME_LEASE = 'resume:'

/**
 * Named leases: which instance runs a job, and which instances are alive. They expire by the database's time, so that
 * the lease of an instance with a wrong clock expires like any other, and so does one of a database server with a wrong
 * clock (`DatabaseTime.isHeld`).
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
            where.or([where('leases.holder', '=', holder), where.not(time.isHeld(sql.ref('leases.expires_ms')))]),
          ),
      )
      .executeTakeFirst()
    return (result.numInsertedOrUpdatedRows ?? 0n) > 0n
  },

  /** Marks the instance as alive for this time, so that no other instance resumes its withdrawals. */
  keepAlive(instance: string, forMs: number): Promise<boolean> {
    return this.take(`${INSTANCE_LEASE}${instance}`, instance, forMs)
  },

  /** Marks the instance as one that delivers events to the merchant's webhook. */
  showDelivery(instance: string, forMs: number): Promise<boolean> {
    return this.take(`${DELIVERY_LEASE}${instance}`, instance, forMs)
  },

  /** Whether an instance that is alive delivers events to the merchant's webhook. */
  async areDelivering(): Promise<boolean> {
    const row = await db
      .selectFrom('leases')
      .select('name')
      .where('name', 'like', `${DELIVERY_LEASE}%`)
      .where(time.isHeld(sql.ref('expires_ms')))
      .limit(1)
      .executeTakeFirst()
    return row !== undefined
  },

  /** Marks the instance as one that starts by this rule of the books. */
  startBy(mode: LedgerMode, instance: string, forMs: number): Promise<boolean> {
    return this.take(`${BOOKS_LEASE}${mode}:${instance}`, instance, forMs)
  },

  /** The names of the instances that are alive. */
  async liveInstances(): Promise<readonly string[]> {
    const rows = await db
      .selectFrom('leases')
      .select('holder')
      .where('name', 'like', `${INSTANCE_LEASE}%`)
      .where(time.isHeld(sql.ref('expires_ms')))
      .orderBy('holder')
      .execute()
    return rows.map(({ holder }) => holder)
  },

  /** True if `holder` may resume this withdrawal. */
  takeToResume(withdrawal: string, holder: string, forMs: number): Promise<boolean> {
    return this.take(`${RESUME_LEASE}${withdrawal}`, holder, forMs)
  },

  async release(name: string, holder: string): Promise<void> {
    await db.deleteFrom('leases').where('name', '=', name).where('holder', '=', holder).execute()
  },

  /** Releases all leases of this holder, except those for withdrawals that it could not resume. */
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
    await db
      .deleteFrom('leases')
      .where((where) => where.not(time.isHeld(sql.ref('expires_ms'))))
      .execute()
  },
})
