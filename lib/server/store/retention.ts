import type { Kysely } from 'kysely'
import type { Tables } from './schema.ts'

/**
 * Forgets what is past its time, a small batch a call, each inside a transaction; each gives how many rows went.
 * Facts, books, withdrawals and transactions are never forgotten: duplicates are known for ever.
 */
export const retentionOf = (db: Kysely<Tables>) => ({
  /** A stream's oldest events, and in the same breath its floor, so that a reader who misses them is told so. */
  async forgetStreamEvents(beforeMs: number, limit: number): Promise<number> {
    const old = await db
      .selectFrom('stream_events')
      .select(['user_reference_id', 'seq'])
      .where('created_ms', '<', beforeMs)
      .orderBy('created_ms')
      .limit(limit)
      .execute()
    const floors = new Map<string, number>()
    for (const { user_reference_id: user, seq } of old) floors.set(user, Math.max(seq, floors.get(user) ?? 0))
    let gone = 0n
    for (const [user, floor] of [...floors].sort(([a], [b]) => (a < b ? -1 : 1))) {
      await db
        .updateTable('users')
        .set({ stream_floor: floor })
        .where('user_reference_id', '=', user)
        .where('stream_floor', '<', floor)
        .execute()
      const deleted = await db
        .deleteFrom('stream_events')
        .where('user_reference_id', '=', user)
        .where('seq', '<=', floor)
        .executeTakeFirst()
      gone += deleted.numDeletedRows
    }
    return Number(gone)
  },

  async forgetWebhooks(beforeMs: number, limit: number): Promise<number> {
    const result = await db
      .deleteFrom('webhooks')
      .where('id', 'in', (build) =>
        build
          .selectFrom('webhooks')
          .select('id')
          .where('received_ms', '<', beforeMs)
          .orderBy('received_ms')
          .limit(limit),
      )
      .executeTakeFirst()
    return Number(result.numDeletedRows)
  },

  /** The feed's oldest events, whether or not the merchant took them, and their deliveries. */
  async forgetMerchantEvents(beforeMs: number, limit: number): Promise<number> {
    const old = await db
      .selectFrom('merchant_events')
      .select('cursor')
      .where('created_ms', '<', beforeMs)
      .orderBy('created_ms')
      .limit(limit)
      .execute()
    if (old.length === 0) return 0
    const cursors = old.map(({ cursor }) => cursor)
    await db.deleteFrom('deliveries').where('cursor', 'in', cursors).execute()
    await db.deleteFrom('merchant_events').where('cursor', 'in', cursors).execute()
    return old.length
  },
})
