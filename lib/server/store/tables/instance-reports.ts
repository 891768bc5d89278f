import type { Kysely } from 'kysely'
import type { DatabaseTime } from '../database/database-time.ts'
import type { InstanceReport, InstanceReportsTable, Tables } from '../database/schema.ts'

/** A report as an instance knows it: its times are milliseconds before now. */
export interface KnownReport extends Pick<InstanceReportsTable, 'what' | 'count' | 'detail'> {
  readonly sinceAgoMs: number
  readonly lastAgoMs: number
}

/** A stored report: its times are those of the database. */
export type StoredReport = InstanceReportsTable & { readonly now_ms: number }

/** What each instance has noticed of the gateway and its webhooks. */
export const instanceReportsOf = (db: Kysely<Tables>, time: DatabaseTime) => ({
  async put(instance: string, { what, count, detail, sinceAgoMs, lastAgoMs }: KnownReport): Promise<void> {
    const times = { since_ms: time.after(-sinceAgoMs), last_ms: time.after(-lastAgoMs) }
    await db
      .insertInto('instance_reports')
      .values({ instance, what, count, detail, ...times })
      .onConflict((conflict) => conflict.columns(['instance', 'what']).doUpdateSet({ count, detail, ...times }))
      .execute()
  },

  async remove(instance: string, what: InstanceReport): Promise<void> {
    await db.deleteFrom('instance_reports').where('instance', '=', instance).where('what', '=', what).execute()
  },

  async all(): Promise<readonly StoredReport[]> {
    return db.selectFrom('instance_reports').selectAll().select(time.now().as('now_ms')).execute()
  },
})
