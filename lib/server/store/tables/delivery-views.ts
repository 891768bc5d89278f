import type { Kysely } from 'kysely'
import type { Tables } from '../database/schema.ts'

/** Views of deliveries in the merchant's own pages: tokens that begin a session once. */
export const deliveryViewsOf = (db: Kysely<Tables>) => ({
  async add(view: { readonly token_hash: string; readonly expires_ms: number }): Promise<void> {
    await db.insertInto('delivery_views').values(view).execute()
  },

  /** Uses up the token and begins its session. Only one caller succeeds. False if it is used, expired or unknown. */
  async begin(tokenHash: string, sessionHash: string, now: number): Promise<boolean> {
    const begun = await db
      .updateTable('delivery_views')
      .set({ used_ms: now, session_hash: sessionHash })
      .where('token_hash', '=', tokenHash)
      .where('used_ms', 'is', null)
      .where('expires_ms', '>', now)
      .executeTakeFirst()
    return begun.numUpdatedRows > 0n
  },

  /** When the session began; null if there is none. */
  async begunMs(sessionHash: string): Promise<number | null> {
    const row = await db
      .selectFrom('delivery_views')
      .select('used_ms')
      .where('session_hash', '=', sessionHash)
      .executeTakeFirst()
    return row?.used_ms ?? null
  },
})
