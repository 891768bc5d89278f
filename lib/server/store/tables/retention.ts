import { sql, type Kysely } from 'kysely'
import { EVENT_NAMES } from '../../ledger/disputes.ts'
import { listKey } from '../../ledger/line-key.ts'
import { BOOKED_BY_REASONS, UNAPPLIED_REASONS } from '../../ledger/quarantine-reasons.ts'
import { UNCONFIRMED_STANDINGS } from '../../ledger/transaction-statuses.ts'
import type { Flavour } from '../database/migrations/0001-initial.ts'
import type { Tables } from '../database/schema.ts'
import { deleteOldest } from './delete-oldest.ts'
import { FEED_FLOOR } from './feed-epoch.ts'

/** Two machines' clocks may differ (`notBefore`). */
const DAY_MS = 86_400_000

const oneOf = (values: readonly string[]) => sql.join(values.map((value) => sql.lit(value)))

/**
 * Whether a person has settled a report and adjusted a balance since: they are told if what they corrected is booked
 * otherwise (`UnitOfWork.quarantineIfCorrected`).
 */
const MAY_BE_CORRECTED = sql<boolean>`(settled_by <> 'system' and event_name is not null
  and quarantine.reason not in (${oneOf(UNAPPLIED_REASONS)})
  and exists (select 1 from postings p where p.user_reference_id = quarantine.user_reference_id
    and p.posting_key >= 'adjustment:' and p.posting_key < 'adjustment;'
    and p.created_ms >= quarantine.received_ms - ${sql.lit(DAY_MS)}))`

/**
 * Whether a person may have booked by hand what a settled line told of, and the success is still to come: they are told
 * then (`UnitOfWork.quarantineIfMade`). The line is about a transfer that was never booked, or about a list that is not
 * read completely yet. A user without a session may have an adjustment; one who is not stored has none.
 */
const MAY_BE_BOOKED_TWICE = sql<boolean>`(settled_by <> 'system' and exists (
  select 1 from users u where u.user_reference_id = quarantine.user_reference_id and case
    when quarantine.reason = 'overdue' and quarantine.transaction_uuid = ${sql.lit(listKey(''))} || u.user_reference_id
      then u.unreadable_ms is not null or u.incomplete_ms is not null
    else quarantine.reason in (${oneOf(BOOKED_BY_REASONS)}) and quarantine.transaction_uuid is not null
      and quarantine.event_name in (${oneOf([EVENT_NAMES.deposit, EVENT_NAMES.onramp])})
      and not exists (select 1 from transactions t where t.user_reference_id = u.user_reference_id
        and t.transaction_uuid = quarantine.transaction_uuid and t.status = 'succeeded'
        and t.standing not in (${oneOf(UNCONFIRMED_STANDINGS)}))
    end))`

/**
 * Deletes rows past their retention, a small batch in each call, inside a transaction. Each function returns the number
 * of rows. Facts, the ledger, withdrawals and transactions are never deleted, so duplicates are always recognized.
 */
export const retentionOf = (db: Kysely<Tables>, flavour: Flavour) => ({
  /** Deletes a stream's oldest events and moves its floor, so that a reader that missed them gets a reset. */
  async deleteStreamEvents(beforeMs: number, limit: number): Promise<number> {
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

  deleteWebhooks: (beforeMs: number, limit: number): Promise<number> =>
    deleteOldest(db, 'webhooks', { key: 'id', time: 'received_ms' }, beforeMs, limit),

  async deleteWithdrawalCalls(beforeMs: number, limit: number): Promise<number> {
    const old = await db
      .selectFrom('withdrawal_calls')
      .select(['user_reference_id', 'withdrawal_id', 'started_ms'])
      .where('started_ms', '<', beforeMs)
      .orderBy('started_ms')
      .limit(limit)
      .execute()
    let gone = 0n
    for (const { user_reference_id, withdrawal_id, started_ms } of old) {
      const deleted = await db
        .deleteFrom('withdrawal_calls')
        .where('user_reference_id', '=', user_reference_id)
        .where('withdrawal_id', '=', withdrawal_id)
        .where('started_ms', '=', started_ms)
        .executeTakeFirst()
      gone += deleted.numDeletedRows
    }
    return Number(gone)
  },

  /** Deletes scans of lists that nobody continues; the next scan of that list begins again. */
  async deleteListScans(beforeMs: number, limit: number): Promise<number> {
    const old = await db
      .selectFrom('list_scans')
      .select('user_reference_id')
      .where('updated_ms', '<', beforeMs)
      .orderBy('updated_ms')
      .limit(limit)
      .execute()
    if (old.length === 0) return 0
    const users = old.map((row) => row.user_reference_id)
    for (const table of ['scanned_records', 'list_scans'] as const)
      await db.deleteFrom(table).where('user_reference_id', 'in', users).execute()
    return old.length
  },

  /** Deletes proposals of operators that have ended, or whose time is over. */
  deleteProposals: (beforeMs: number, limit: number): Promise<number> =>
    deleteOldest(db, 'decision_proposals', { key: 'id', time: 'expires_ms' }, beforeMs, limit),

  /** Deletes the oldest attempts. It stops at the first one that is kept: they are nearly in the order of their ids. */
  async deleteDeliveryAttempts(beforeMs: number, limit: number): Promise<number> {
    const oldest = await db
      .selectFrom('delivery_attempts')
      .select(['id', 'ended_ms'])
      .where('id', '>', 0)
      .orderBy('id')
      .limit(limit)
      .execute()
    const kept = oldest.findIndex(({ ended_ms }) => ended_ms >= beforeMs)
    const last = (kept === -1 ? oldest : oldest.slice(0, kept)).at(-1)
    if (last === undefined) return 0
    const result = await db.deleteFrom('delivery_attempts').where('id', '<=', last.id).executeTakeFirst()
    return Number(result.numDeletedRows)
  },

  deleteDeliveryViews: (beforeMs: number, limit: number): Promise<number> =>
    deleteOldest(db, 'delivery_views', { key: 'token_hash', time: 'expires_ms' }, beforeMs, limit),

  /** Deletes settled events; open ones stay until they are settled, and those that may have led to a booking by hand. */
  async deleteSettledQuarantine(beforeMs: number, limit: number): Promise<number> {
    const { numAffectedRows } = await sql`delete from quarantine where id in
      (select id from quarantine where settled_ms < ${beforeMs} and not ${MAY_BE_BOOKED_TWICE} and not ${MAY_BE_CORRECTED}
        order by settled_ms limit ${limit})`.execute(db)
    return Number(numAffectedRows ?? 0n)
  },

  async deleteTallies(beforeMs: number): Promise<number> {
    const result = await db.deleteFrom('tallies').where('slot_ms', '<', beforeMs).executeTakeFirst()
    return Number(result.numDeletedRows)
  },

  /** From then on a corrected amount counts as it was counted first. */
  deleteTalliedEvents: (beforeMs: number, limit: number): Promise<number> =>
    deleteOldest(db, 'tallied_events', { key: 'entity', time: 'slot_ms' }, beforeMs, limit),

  /** Of instances that are gone. By their own clocks, so that a day is enough. */
  async deleteInstanceReports(beforeMs: number): Promise<number> {
    const result = await db.deleteFrom('instance_reports').where('last_ms', '<', beforeMs).executeTakeFirst()
    return Number(result.numDeletedRows)
  },

  deleteRequestEffects: (beforeMs: number, limit: number): Promise<number> =>
    deleteOldest(db, 'request_effects', { key: 'request_id', time: 'created_ms' }, beforeMs, limit),

  /**
   * Ends the feed at its oldest events, and deletes of what it no longer has all that waits for no delivery, with its
   * attempts. The feed stops at the first event that is kept, so that it has no gaps; what was never delivered stays
   * below its floor until it is, since a merchant who only gets webhooks would never hear of it.
   * @returns how many events were read or deleted: as many as `limit` if there may be more
   */
  async deleteMerchantEvents(beforeMs: number, limit: number): Promise<number> {
    const before = await db.selectFrom('counters').select('value').where('name', '=', FEED_FLOOR).executeTakeFirst()
    const oldest = await db
      .selectFrom('merchant_events')
      .select(['cursor', 'created_ms'])
      .where('cursor', '>', before?.value ?? 0)
      .orderBy('cursor')
      .limit(limit)
      .execute()
    const kept = oldest.findIndex(({ created_ms }) => created_ms >= beforeMs)
    const old = kept === -1 ? oldest : oldest.slice(0, kept)
    const floor = old.at(-1)?.cursor ?? before?.value
    if (floor === undefined) return 0
    if (old.length > 0)
      await db
        .insertInto('counters')
        .values({ name: FEED_FLOOR, value: floor })
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: floor }))
        .execute()
    const ended = db
      .selectFrom('merchant_events')
      .select('cursor')
      // One by one: of `not exists`, PostgreSQL may make a join that reads all deliveries.
      .where(sql<boolean>`(select d.cursor from deliveries d where d.cursor = merchant_events.cursor) is null`)
    const next = ended.where('cursor', '<=', floor).orderBy('cursor').limit(limit)
    // Who sends it again locks the event, too: what was queued meanwhile is seen by the next statement.
    const locked = (await (flavour === 'postgres' ? next.forUpdate() : next).execute()).map(({ cursor }) => cursor)
    const still = locked.length === 0 ? [] : await ended.where('cursor', 'in', locked).execute()
    const gone = still.map(({ cursor }) => cursor)
    if (gone.length > 0)
      for (const table of ['delivery_attempts', 'merchant_events'] as const)
        await db.deleteFrom(table).where('cursor', 'in', gone).execute()
    return Math.max(old.length, locked.length)
  },
})
