import { sql, type Kysely, type Selectable } from 'kysely'
import type { Flavour } from '../database/migrations/0001-initial.ts'
import type { AuditEntriesTable, Tables } from '../database/schema.ts'

export type AuditRow = Selectable<AuditEntriesTable>

/** The key of PostgreSQL's advisory lock: one writer at a time continues the chain. */
const AUDIT_LOCK = 8_401

/** The audit log: entries are only added. */
export const auditOf = (db: Kysely<Tables>, flavour: Flavour) => ({
  /** The last entry; until the transaction ends, nobody else adds one. Null: there is none yet. */
  async lockLast(): Promise<AuditRow | null> {
    if (flavour === 'postgres') await sql`select pg_advisory_xact_lock(${AUDIT_LOCK})`.execute(db)
    const newest = db.selectFrom('audit_entries').selectAll().where('seq', '>', 0).orderBy('seq', 'desc').limit(1)
    return (await newest.executeTakeFirst()) ?? null
  },

  async append(row: AuditRow): Promise<void> {
    await db.insertInto('audit_entries').values(row).execute()
  },

  /** The newest entries first. @param before a sequence number; null: from the newest */
  async page(before: number | null, limit: number): Promise<readonly AuditRow[]> {
    return db
      .selectFrom('audit_entries')
      .selectAll()
      .where('seq', '<', before ?? Number.MAX_SAFE_INTEGER)
      .orderBy('seq', 'desc')
      .limit(limit)
      .execute()
  },
})
