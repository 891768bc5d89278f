import type { Insertable, Kysely, Selectable } from 'kysely'
import type { QuarantineTable, Tables, WebhooksTable } from './schema.ts'

export type QuarantineRow = Selectable<QuarantineTable>

/** Raw webhooks and those that wait in quarantine. */
export const inboxOf = (db: Kysely<Tables>) => ({
  async keepRaw(webhooks: readonly Insertable<WebhooksTable>[]): Promise<void> {
    if (webhooks.length > 0) await db.insertInto('webhooks').values(webhooks).execute()
  },

  async quarantine(item: Insertable<QuarantineTable>): Promise<void> {
    await db.insertInto('quarantine').values(item).execute()
  },

  async listQuarantine(after: number, limit: number): Promise<readonly QuarantineRow[]> {
    return db.selectFrom('quarantine').selectAll().where('id', '>', after).orderBy('id').limit(limit).execute()
  },

  /** Those that wait for a reason to go, oldest first; a page a call. */
  async waiting(
    reasons: readonly string[],
    page: { readonly user?: string; readonly after: number; readonly limit: number },
  ): Promise<readonly QuarantineRow[]> {
    let query = db
      .selectFrom('quarantine')
      .selectAll()
      .where('reason', 'in', reasons)
      .where('id', '>', page.after)
      .orderBy('id')
      .limit(page.limit)
    if (page.user !== undefined) query = query.where('user_reference_id', '=', page.user)
    return query.execute()
  },

  /** Users that are known by now and still have events waiting for it. */
  async knownUsersWaiting(): Promise<readonly string[]> {
    const rows = await db
      .selectFrom('quarantine')
      .innerJoin('users', 'users.user_reference_id', 'quarantine.user_reference_id')
      .select('users.user_reference_id')
      .distinct()
      .where('quarantine.reason', '=', 'unknown_user')
      .where('users.known', '=', 1)
      .limit(100)
      .execute()
    return rows.map((row) => row.user_reference_id)
  },

  async release(id: number): Promise<boolean> {
    const result = await db.deleteFrom('quarantine').where('id', '=', id).executeTakeFirst()
    return result.numDeletedRows > 0n
  },
})
