import { sql, type Kysely, type Selectable } from 'kysely'
import type { Flavour } from '../database/migrations/0001-initial.ts'
import type { QuarantineReason, Report, SettledBy, TakenPayout } from '../../ledger/rows.ts'
import { EVENT_NAMES } from '../../ledger/disputes.ts'
import { UNAPPLIED_REASONS } from '../../ledger/quarantine-reasons.ts'
import { NO_USER } from '../../ledger/row-users.ts'
import type { QuarantineTable, Tables } from '../database/schema.ts'
import { withUser } from './row-users.ts'

type StoredLine = Selectable<QuarantineTable>
/** The user is null if the line concerns none. */
export type QuarantineRow = ReturnType<typeof withUser<StoredLine>>

export interface QuarantineFilter {
  /** Null for all reasons. */
  readonly reason: QuarantineReason | null
  readonly settled: boolean
  readonly after: number
  readonly limit: number
}

/**
 * The records of a transaction in all users' lists, as they are now: it changes with each of them. The times are those
 * of several instances' clocks: they show a change, but not which of two came first.
 */
const recordsOfUuid = (uuid: 'quarantine.transaction_uuid' | 'records.transaction_uuid') =>
  sql<string | null>`(select string_agg(cast(r.seen_ms as text), ' ' order by r.seen_ms) from records r
    where r.transaction_uuid = ${sql.ref(uuid)})`

/** One such event of a user is enough to doubt; a person sees so many. */
const MOST_UNREAD = 20

const OWN_UNAPPLIED = UNAPPLIED_REASONS.filter((reason) => reason !== 'other_merchant')

/** Raw webhooks, and events in quarantine. */
export const quarantineOf = (db: Kysely<Tables>, flavour: Flavour) => ({
  /** Oldest first. */
  async list({ reason, settled, after, limit }: QuarantineFilter): Promise<readonly QuarantineRow[]> {
    let query = db
      .selectFrom('quarantine')
      .selectAll()
      .where('settled_ms', settled ? 'is not' : 'is', null)
      .where('id', '>', after)
      .orderBy('id')
      .limit(limit)
    if (reason !== null) query = query.where('reason', '=', reason)
    return (await query.execute()).map(withUser)
  },

  /** Inside a transaction: locks the open ones of these events, so that no other transaction settles them. By id. */
  async lockOpen(ids: readonly number[]): Promise<ReadonlyMap<number, QuarantineRow>> {
    if (ids.length === 0) return new Map()
    const query = db
      .selectFrom('quarantine')
      .selectAll()
      .where('id', 'in', ids)
      .where('settled_ms', 'is', null)
      .orderBy('id')
    const rows = await (flavour === 'postgres' ? query.forUpdate() : query).execute()
    return new Map(rows.map((row) => [row.id, withUser(row)]))
  },

  /** A line that concerns no user and no transaction. */
  async report(reason: Report, event: object, now: number): Promise<void> {
    await db
      .insertInto('quarantine')
      .values({
        reason,
        received_ms: now,
        event: JSON.stringify(event),
        user_reference_id: NO_USER,
        transaction_uuid: null,
      })
      .execute()
  },

  async find(id: number): Promise<QuarantineRow | null> {
    const row = await db.selectFrom('quarantine').selectAll().where('id', '=', id).executeTakeFirst()
    return row === undefined ? null : withUser(row)
  },

  /** The user's newest lines, newest first; open ones before settled ones. */
  async ofUser(user: string, limit: number): Promise<readonly QuarantineRow[]> {
    const rows = await db
      .selectFrom('quarantine')
      .selectAll()
      .where('user_reference_id', '=', user)
      .orderBy(sql`case when settled_ms is null then 0 else 1 end`)
      .orderBy('id', 'desc')
      .limit(limit)
      .execute()
    return rows.map(withUser)
  },

  /** The transactions among these that a line about this user names with this reason, open or settled. */
  async reported(user: string, reason: QuarantineReason, uuids: readonly string[]): Promise<ReadonlySet<string>> {
    if (uuids.length === 0) return new Set()
    const rows = await db
      .selectFrom('quarantine')
      .select('transaction_uuid')
      .where('user_reference_id', '=', user)
      .where('reason', '=', reason)
      .where('transaction_uuid', 'in', uuids)
      .execute()
    return new Set(rows.flatMap(({ transaction_uuid }) => transaction_uuid ?? []))
  },

  /** Open events with this reason, oldest first, a page at a time. */
  async waiting(
    reason: QuarantineReason,
    page: { readonly user?: string; readonly after: number; readonly limit: number },
  ): Promise<readonly QuarantineRow[]> {
    let query = db
      .selectFrom('quarantine')
      .selectAll()
      .where('reason', '=', reason)
      .where('settled_ms', 'is', null)
      .where('id', '>', page.after)
      .orderBy('id')
      .limit(page.limit)
    if (page.user !== undefined) query = query.where('user_reference_id', '=', page.user)
    return (await query.execute()).map(withUser)
  },

  /** The number of open events, by reason. */
  async countOpen(): Promise<ReadonlyMap<QuarantineReason, number>> {
    const rows = await db
      .selectFrom('quarantine')
      .select(['reason', sql<number>`count(*)`.as('count')])
      .where('settled_ms', 'is', null)
      .groupBy('reason')
      .execute()
    return new Map(rows.map(({ reason, count }) => [reason, count]))
  },

  /** Settles open events, which are kept for their retention. False if none of them is open. */
  async settle(
    ids: number | readonly number[],
    how: { readonly by: SettledBy; readonly now: number; readonly note?: string | null },
  ): Promise<boolean> {
    const all = typeof ids === 'number' ? [ids] : ids
    if (all.length === 0) return false
    const result = await db
      .updateTable('quarantine')
      .set({
        ...{ settled_ms: how.now, settled_by: how.by, note: how.note ?? null },
        records_seen: recordsOfUuid('quarantine.transaction_uuid'),
      })
      .where('id', 'in', all)
      .where('settled_ms', 'is', null)
      .executeTakeFirst()
    return result.numUpdatedRows > 0n
  },

  /** The line with this reason about this transaction of the user that was settled last. */
  async lastSettled(user: string, reason: QuarantineReason, uuid: string): Promise<QuarantineRow | null> {
    const row = await db
      .selectFrom('quarantine')
      .selectAll()
      .where('user_reference_id', '=', user)
      .where('reason', '=', reason)
      .where('transaction_uuid', '=', uuid)
      .where('settled_ms', 'is not', null)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
    return row === undefined ? null : withUser(row)
  },

  /** The oldest open line with one of these reasons about this transaction. */
  async openAbout(uuid: string, reasons: readonly QuarantineReason[]): Promise<QuarantineRow | null> {
    const row = await db
      .selectFrom('quarantine')
      .selectAll()
      .where('transaction_uuid', '=', uuid)
      .where('settled_ms', 'is', null)
      .where('reason', 'in', reasons)
      .orderBy('id')
      .limit(1)
      .executeTakeFirst()
    return row === undefined ? null : withUser(row)
  },

  /** Whether the user has an open line with this reason. */
  async hasOpen(user: string, reason: QuarantineReason): Promise<boolean> {
    const row = await db
      .selectFrom('quarantine')
      .select('id')
      .where('user_reference_id', '=', user)
      .where('reason', '=', reason)
      .where('settled_ms', 'is', null)
      .limit(1)
      .executeTakeFirst()
    return row !== undefined
  },

  /**
   * The open events that may tell of a payout which is not stored: of this user, those that cannot be read, or have a kind
   * or status that nobody knows (one that came too late may have an unknown kind), but no more than `MOST_UNREAD`; and
   * those of payouts that name no user, but another merchant's.
   */
  async unreadPayouts(user: string): Promise<readonly QuarantineRow[]> {
    const names = (word: string) => sql<boolean>`lower(event) like ${`%${word}%`}`
    const open = (name: string, reasons: readonly QuarantineReason[]) =>
      db
        .selectFrom('quarantine')
        .selectAll()
        .where('user_reference_id', '=', name)
        .where('reason', 'in', reasons)
        .where('settled_ms', 'is', null)
        .orderBy('id')
    const own = await open(user, ['unreadable', 'unknown_event', 'unknown_status', 'stale'])
      .where(
        sql<boolean>`coalesce(event_name, '') not in (${EVENT_NAMES.deposit}, ${EVENT_NAMES.onramp})
          and not (reason = 'stale' and event_name = ${EVENT_NAMES.payout})`,
      )
      .where((where) => where.or([where('reason', '=', 'unreadable'), names('payout'), names('withdraw')]))
      .where(
        sql<boolean>`(reason = 'unreadable' or not exists (select 1 from row_users n
          where n.name = quarantine.transaction_uuid and n.kind in ('paid', 'withdrawal')))`,
      )
      .limit(MOST_UNREAD)
      .execute()
    const userless = await open(NO_USER, OWN_UNAPPLIED).where('event_name', '=', EVENT_NAMES.payout).execute()
    return [...own, ...userless].map(withUser)
  },

  /**
   * The records of this user whose payout another user has, but those that a person has dismissed since. An erased user
   * may be this one, who has come back, unless the payout was seen while this one was stored. A payout may have become
   * the other user's after a line was settled, so no record of any user may have come or changed since then.
   */
  async takenPayouts(user: string): Promise<readonly TakenPayout[]> {
    // A subquery for each record: PostgreSQL may read all names for a join.
    const records = await db
      .selectFrom('records')
      .select(['transaction_uuid', 'record', recordsOfUuid('records.transaction_uuid').as('records_seen')])
      .where('user_reference_id', '=', user)
      .where(
        sql<boolean>`(select count(*) from row_users n where n.name = records.transaction_uuid
          and n.kind in ('paid', 'withdrawal') and n.user_reference_id <> ${user}
          and (exists (select 1 from users where users.user_reference_id = n.user_reference_id)
            or exists (select 1 from payouts p join users own on own.user_reference_id = ${user}
              where p.user_reference_id = n.user_reference_id and p.transaction_uuid = n.name
                and p.first_seen_ms > own.created_ms))) > 0`,
      )
      .execute()
    const taken: TakenPayout[] = []
    for (const { transaction_uuid, record, records_seen } of records) {
      const lines = await db
        .selectFrom('quarantine')
        .select(['settled_ms', 'settled_by', 'records_seen'])
        .where('user_reference_id', '=', user)
        .where('transaction_uuid', '=', transaction_uuid)
        .where('reason', 'in', ['list_conflict', 'contradiction'])
        .execute()
      const isTold = lines.some(({ settled_ms }) => settled_ms === null)
      const isDismissed = lines.some((line) => line.settled_by !== 'system' && line.records_seen === records_seen)
      if (isTold || !isDismissed) taken.push({ transaction_uuid, record, isTold })
    }
    return taken
  },

  /**
   * Settles the open reports with this reason about these transactions, since their reason is gone. Returns when they
   * were reported.
   */
  async settleReports(reason: Report, uuids: readonly string[], now: number): Promise<ReadonlyMap<string, number>> {
    if (uuids.length === 0) return new Map()
    const rows = await db
      .updateTable('quarantine')
      .set({ settled_ms: now, settled_by: 'system' })
      .where('reason', '=', reason)
      .where('transaction_uuid', 'in', uuids)
      .where('settled_ms', 'is', null)
      .returning(['transaction_uuid', 'received_ms'])
      .execute()
    return new Map(rows.map(({ transaction_uuid, received_ms }) => [transaction_uuid ?? '', received_ms]))
  },

  /** Changes the reason of an open event. */
  async setReason(id: number, reason: QuarantineReason): Promise<void> {
    await db.updateTable('quarantine').set({ reason }).where('id', '=', id).where('settled_ms', 'is', null).execute()
  },
})
