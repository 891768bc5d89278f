import type { Kysely } from 'kysely'
import type { RequestEffectsTable, Tables } from '../database/schema.ts'

export type RequestEffect = RequestEffectsTable

/** What a request has made, so that its id, which a user or the merchant quotes, leads there. */
export const requestEffectsOf = (db: Kysely<Tables>) => ({
  /** In the transaction that makes it. A request without an id, such as a command's, leaves nothing. */
  async note(effect: Omit<RequestEffect, 'request_id'> & { readonly request_id: string | null }): Promise<void> {
    const { request_id, ...rest } = effect
    if (request_id === null) return
    await db
      .insertInto('request_effects')
      .values({ ...rest, request_id })
      // Our own proxy may give two requests one id.
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  },

  async of(requestId: string): Promise<readonly RequestEffect[]> {
    return db.selectFrom('request_effects').selectAll().where('request_id', '=', requestId).limit(20).execute()
  },
})
