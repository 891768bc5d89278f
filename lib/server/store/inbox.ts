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

  async release(id: number): Promise<boolean> {
    const result = await db.deleteFrom('quarantine').where('id', '=', id).executeTakeFirst()
    return result.numDeletedRows > 0n
  },
})
