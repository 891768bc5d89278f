import type { Kysely } from 'kysely'
import type { Tables } from './schema.ts'

/** Named leases: which instance runs a job, and which instances are alive. */
export const leasesOf = (db: Kysely<Tables>) => ({
  /** Takes or renews the lease. True if `holder` has it. */
  async take(name: string, holder: string, now: number, expiresMs: number): Promise<boolean> {
    const result = await db
      .insertInto('leases')
      .values({ name, holder, expires_ms: expiresMs })
      .onConflict((conflict) =>
        conflict
          .column('name')
          .doUpdateSet({ holder, expires_ms: expiresMs })
          .where((where) => where.or([where('leases.holder', '=', holder), where('leases.expires_ms', '<=', now)])),
      )
      .executeTakeFirst()
    return (result.numInsertedOrUpdatedRows ?? 0n) > 0n
  },

  async release(name: string, holder: string): Promise<void> {
    await db.deleteFrom('leases').where('name', '=', name).where('holder', '=', holder).execute()
  },

  /** Holders of leases whose name begins with `prefix` and that have not expired. */
  async alive(prefix: string, now: number): Promise<ReadonlySet<string>> {
    const rows = await db
      .selectFrom('leases')
      .select('holder')
      .where('name', 'like', `${prefix}%`)
      .where('expires_ms', '>', now)
      .execute()
    return new Set(rows.map((row) => row.holder))
  },

  async deleteAll(prefix: string): Promise<void> {
    await db.deleteFrom('leases').where('name', 'like', `${prefix}%`).execute()
  },

  async deleteExpired(prefix: string, now: number): Promise<void> {
    await db.deleteFrom('leases').where('name', 'like', `${prefix}%`).where('expires_ms', '<=', now).execute()
  },
})
