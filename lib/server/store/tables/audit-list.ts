import { sql, type Kysely } from 'kysely'
import type { Flavour } from '../database/migrations/0001-initial.ts'
import type { Tables } from '../database/schema.ts'
import type { AuditOutcome, AuditRow } from './audit-chain.ts'

export interface AuditFilter {
  /** A name. */
  readonly operator?: string
  readonly action?: string
  /** A user, or the id of what an act was about. */
  readonly about?: string
  /** From this time on, in milliseconds since 1970. */
  readonly from_ms?: number
  readonly to_ms?: number
}

/** An entry, with the entry that tells its outcome where it has one. */
export interface ListedAuditRow extends AuditRow {
  readonly ended_ms: number | null
  readonly ended: AuditOutcome | null
  readonly ended_detail: string | null
}

/** Times grow with the numbers, so a time is a number: pages then need no other index. */
async function firstSince(db: Kysely<Tables>, ms: number): Promise<number> {
  const query = db.selectFrom('audit_entries').select('seq').where('at_ms', '>=', ms)
  return (await query.orderBy('at_ms').orderBy('seq').limit(1).executeTakeFirst())?.seq ?? Number.MAX_SAFE_INTEGER
}

/** SQLite takes an index of the action alone where two bounds of `seq` are given, and reads all that others did. */
const BY_BOTH = sql.raw('indexed by audit_operator_action')

/** Entries that begin, newest first; their outcomes stand beside them. */
export async function readAuditPage(
  db: Kysely<Tables>,
  flavour: Flavour,
  { operator, action, about, from_ms, to_ms }: AuditFilter,
  before: number | null,
  limit: number,
): Promise<readonly ListedAuditRow[]> {
  const from = from_ms === undefined ? 1 : await firstSince(db, from_ms)
  const until = to_ms === undefined ? Number.MAX_SAFE_INTEGER : await firstSince(db, to_ms)
  const numbers = async (column: 'about_id' | 'user_reference_id' | null): Promise<readonly { seq: number }[]> => {
    const conditions = [
      sql`begun_seq is null and seq >= ${from} and seq < ${Math.min(until, before ?? until)}`,
      ...(operator === undefined ? [] : [sql`operator_name = ${operator}`]),
      ...(action === undefined ? [] : [sql`action = ${action}`]),
      ...(column === null ? [] : [sql`${sql.ref(column)} = ${about}`]),
    ]
    const isByBoth = flavour === 'sqlite' && column === null && operator !== undefined && action !== undefined
    const { rows } = await sql<{ seq: number }>`select seq from audit_entries ${isByBoth ? BY_BOTH : sql``}
      where ${sql.join(conditions, sql` and `)} order by seq desc limit ${limit}`.execute(db)
    return rows
  }
  // Each by its own index: of the two conditions in one query, neither database uses both in order.
  const found =
    about === undefined
      ? await numbers(null)
      : [...(await numbers('about_id')), ...(await numbers('user_reference_id'))]
  const seqs = [...new Set(found.map(({ seq }) => seq))].sort((a, b) => b - a).slice(0, limit)
  if (seqs.length === 0) return []
  return db
    .selectFrom('audit_entries as e')
    .leftJoin('audit_entries as o', 'o.begun_seq', 'e.seq')
    .selectAll('e')
    .select(['o.at_ms as ended_ms', 'o.outcome as ended', 'o.detail as ended_detail'])
    .where('e.seq', 'in', seqs)
    .orderBy('e.seq', 'desc')
    .execute()
}

/** The different values of an indexed column, each by one step in its index. */
export async function readNames(db: Kysely<Tables>, column: 'operator_name' | 'action'): Promise<readonly string[]> {
  const name = sql.ref(column)
  const { rows } = await sql<{ name: string }>`
    with recursive found (name) as (
      select min(${name}) from audit_entries where ${name} > ''
      union all
      select (select min(${name}) from audit_entries where ${name} > found.name) from found where found.name is not null)
    select name from found where name is not null`.execute(db)
  return rows.map(({ name: one }) => one)
}
