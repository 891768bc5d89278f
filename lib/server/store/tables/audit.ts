import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Flavour } from '../database/migrations/0001-initial.ts'
import type { Tables } from '../database/schema.ts'
import { nextAuditRow, type AuditHead, type AuditRow, type NewAuditEntry } from './audit-chain.ts'
import { readAuditPage, readNames, type AuditFilter, type ListedAuditRow } from './audit-list.ts'

const HEAD = 1

/** The audit log: entries are only added, and blanked where a person is erased (`audit-chain.ts`). */
export const auditOf = (db: Kysely<Tables>, flavour: Flavour) => ({
  /**
   * Inside a transaction: adds an entry at the end of the chain. Until the transaction ends nobody else adds one, so it
   * comes last there. Returns its number.
   */
  async append(entry: NewAuditEntry, now: number): Promise<number> {
    if (!db.isTransaction) throw new Error('an audit entry is added inside a transaction')
    const query = db.selectFrom('audit_head').select(['entries', 'hash', 'at_ms']).where('id', '=', HEAD)
    const head = await (flavour === 'postgres' ? query.forUpdate() : query).executeTakeFirstOrThrow()
    const row = nextAuditRow(head, entry, now, randomBytes(16).toString('hex'))
    const { seq, hash, at_ms } = row
    await db.insertInto('audit_entries').values(row).execute()
    await db.updateTable('audit_head').set({ entries: seq, hash, at_ms }).where('id', '=', HEAD).execute()
    return seq
  },

  /** The end of the chain; null if its row is gone. */
  async head(): Promise<AuditHead | null> {
    const query = db.selectFrom('audit_head').select(['entries', 'hash', 'at_ms']).where('id', '=', HEAD)
    return (await query.executeTakeFirst()) ?? null
  },

  /** Whole rows in the order of the chain. */
  async after(seq: number, limit: number): Promise<readonly AuditRow[]> {
    return db.selectFrom('audit_entries').selectAll().where('seq', '>', seq).orderBy('seq').limit(limit).execute()
  },

  /** The newest acts and reads first, each with its outcome. @param before a number; null: from the newest */
  page: (before: number | null, limit: number, filter: AuditFilter = {}): Promise<readonly ListedAuditRow[]> =>
    readAuditPage(db, flavour, filter, before, limit),

  /** Everybody who has acted, and every kind of act. */
  async names(): Promise<{ readonly operators: readonly string[]; readonly actions: readonly string[] }> {
    return { operators: await readNames(db, 'operator_name'), actions: await readNames(db, 'action') }
  },
})
