import { sql, type Kysely, type RawBuilder } from 'kysely'
import { LONGEST_HELD_MS, type DatabaseTime } from '../database/database-time.ts'
import type { Flavour } from '../database/migrations/0001-initial.ts'
import type { Tables } from '../database/schema.ts'

/** A pending event that is due. */
export interface DueDelivery {
  readonly cursor: number
  readonly entity: string
  readonly attempts: number
  readonly next_ms: number
  readonly first_ms: number | null
  readonly created_ms: number
  /** The event's `data` as JSON text. */
  readonly data: string
  /** The epoch of the feed's numbering. */
  readonly epoch: string
  /** 1 if an earlier event of its entity is pending, which must be sent first. */
  readonly blocked: 0 | 1
}

/** The end of a page of due deliveries. */
export type DuePlace = Pick<DueDelivery, 'next_ms' | 'cursor'>

export interface DeliveryCounts {
  readonly pending: number
  readonly dead: number
  /** When the oldest pending event was created; null if none is pending. */
  readonly oldestMs: number | null
}

// A partial index is used only if the query has its condition as literals.
const isPending = sql<boolean>`d.state = 'pending'`
const isFresh = sql<boolean>`d.attempts = 0`
const isRetry = sql<boolean>`d.attempts > 0`

/** The oldest pending delivery of an entity, for which its other deliveries wait. */
const headOf = (entity: RawBuilder<unknown>) =>
  sql`(select h.cursor from deliveries h where h.state = 'pending' and h.entity = ${entity} order by h.cursor limit 1)`

/** How long an event waits behind another that is due; it is woken earlier when the other one ends. */
const LOOK_AGAIN_MS = 300_000

/** Longer than a delivery waits for its next attempt (`merchant/delivery-schedule.ts`). */
const LONGEST_WAIT_MS = 9 * 3_600_000

/** How many earlier changes of one transaction are read; usually there are a few. */
const MOST_EARLIER = 1000

/** Marks the claim of an attempt that is under way while the delivery is queued again: its result does not count. */
export const AGAIN = 'again: '

/** A delivery that its sender has claimed. */
export type ClaimedDelivery = Pick<DueDelivery, 'cursor' | 'entity'> & { readonly claim: string }

/**
 * Outbound webhooks: one row for each undelivered event, in order within an entity. Before an instance sends a
 * delivery, it claims it: the delivery is due for others only when the claim has expired, and the result of an attempt
 * counts only while the delivery has its claim. Only the oldest pending delivery of an entity can be claimed. Times are
 * the database's.
 */
export const deliveriesOf = (db: Kysely<Tables>, flavour: Flavour, time: DatabaseTime) => {
  /** Rows that another transaction changes now are left to it. SQLite has one writer at a time. */
  const skippingLocked = flavour === 'postgres' ? sql`for update skip locked` : sql``

  const wakeNext = (entity: string) =>
    sql`update deliveries set next_ms = ${time.now()}
      where next_ms > ${time.now()} and cursor = ${headOf(sql`${entity}`)}`.execute(db)

  const claimed = ({ cursor, claim }: ClaimedDelivery) =>
    sql<boolean>`cursor = ${cursor} and claim = ${claim} and state = 'pending'`

  /** The attempt has ended, and the delivery was queued again meanwhile: its result does not count, and it is due. */
  const sendAgain = ({ cursor, claim }: ClaimedDelivery) =>
    sql`update deliveries set claim = null, next_ms = ${time.now()}
      where cursor = ${cursor} and claim = ${AGAIN + claim} and state = 'pending'`.execute(db)

  return {
    /** A page of due deliveries, longest due first: first attempts (`fresh`) or retries. Reads at most `limit` rows. */
    async due(page: {
      readonly fresh: boolean
      readonly limit: number
      readonly after?: DuePlace | null
    }): Promise<readonly DueDelivery[]> {
      const { fresh, limit, after = null } = page
      const blocked = sql<0 | 1>`case when ${headOf(sql.ref('d.entity'))} < d.cursor then 1 else 0 end`
      let query = db
        .selectFrom('deliveries as d')
        .innerJoin('merchant_events as e', 'e.cursor', 'd.cursor')
        .select(['d.cursor', 'd.entity', 'd.attempts', 'd.next_ms', 'd.first_ms', 'e.created_ms', 'e.data'])
        .select(blocked.as('blocked'))
        .select(sql<string>`(select epoch from feed_epoch where name = 'merchant_events')`.as('epoch'))
        .where(isPending)
        .where(fresh ? isFresh : isRetry)
        .where('d.next_ms', '<=', time.now())
        .orderBy('d.next_ms')
        .orderBy('d.cursor')
        .limit(limit)
      if (after !== null) query = query.where(sql<boolean>`(d.next_ms, d.cursor) > (${after.next_ms}, ${after.cursor})`)
      return query.execute()
    },

    /**
     * Makes those due that wait, or are claimed, for longer than any delivery is: their times are from a clock that was
     * ahead.
     */
    async endLongWaits(): Promise<void> {
      for (const kind of [isFresh, isRetry])
        await sql`update deliveries as d set next_ms = ${time.now()}
          where ${isPending} and ${kind} and d.next_ms > ${time.after(LONGEST_HELD_MS)}
            and (d.claim is not null or d.next_ms > ${time.after(LONGEST_WAIT_MS)})`.execute(db)
    },

    /** In how many milliseconds the first pending delivery is due; null if there is none. */
    async nextDueInMs(): Promise<number | null> {
      const earliest = [isFresh, isRetry].map(
        (kind) => sql`select (select min(d.next_ms) from deliveries as d where ${isPending} and ${kind}) as ms`,
      )
      const { rows } = await sql<{ ms: number | null }>`
        select min(at.ms) - ${time.now()} as ms from (${sql.join(earliest, sql` union all `)}) as at`.execute(db)
      return rows[0]?.ms ?? null
    },

    /**
     * Claims those of these deliveries that are still due, and returns their cursors. No other event of an entity is
     * claimed at the same time: neither an earlier one, nor a later one whose earlier event was queued again.
     */
    async claim(cursors: readonly number[], claim: string, forMs: number): Promise<ReadonlySet<number>> {
      if (cursors.length === 0) return new Set()
      const { rows } = await sql<{ cursor: number }>`
        update deliveries set claim = ${claim}, next_ms = ${time.after(forMs)} where cursor in (
          select d.cursor from deliveries d
          where d.cursor in (${sql.join(cursors)}) and ${isPending} and d.next_ms <= ${time.now()}
            and d.cursor = ${headOf(sql.ref('d.entity'))}
            and (select o.cursor from deliveries o where o.state = 'pending' and o.entity = d.entity
              and o.cursor > d.cursor and o.claim is not null and ${time.isHeld(sql.ref('o.next_ms'))} limit 1) is null
          ${skippingLocked})
        returning cursor`.execute(db)
      return new Set(rows.map(({ cursor }) => cursor))
    },

    /**
     * Postpones blocked deliveries until the one before them is due, so that `due` need not read them each time. It
     * locks the one before them: if that one ends now, its end would wake nothing.
     */
    async holdBack(cursors: readonly number[]): Promise<void> {
      if (cursors.length === 0) return
      await sql`
        with blocked as (
          select d.cursor, ${headOf(sql.ref('d.entity'))} as head from deliveries d where d.cursor in (${sql.join(cursors)})
        ), heads as (
          select h.cursor, h.next_ms from deliveries h
          where h.cursor in (select head from blocked where head < cursor) and h.state = 'pending'
          ${skippingLocked})
        update deliveries
        set next_ms = case when heads.next_ms > ${time.now()} then heads.next_ms else ${time.after(LOOK_AGAIN_MS)} end
        from blocked join heads on heads.cursor = blocked.head
        where deliveries.cursor = blocked.cursor and blocked.head < blocked.cursor`.execute(db)
    },

    /**
     * Queues a failed delivery again. This and the next two change nothing if the claim is lost; if the delivery was
     * queued again during the attempt, they make it due at once.
     */
    async retryAt(
      delivery: ClaimedDelivery,
      change: { readonly nextMs: number; readonly firstMs: number; readonly error: string },
    ): Promise<void> {
      const { numUpdatedRows } = await db
        .updateTable('deliveries')
        .set((set) => ({
          attempts: set('attempts', '+', 1),
          next_ms: time.at(change.nextMs),
          first_ms: change.firstMs,
          last_error: change.error,
          claim: null,
        }))
        .where(claimed(delivery))
        .executeTakeFirst()
      if (numUpdatedRows === 0n) await sendAgain(delivery)
    },

    /** Deletes a delivered event; the next one of its entity becomes due. Inside a transaction. */
    async delivered(delivery: ClaimedDelivery): Promise<void> {
      const { numDeletedRows } = await db.deleteFrom('deliveries').where(claimed(delivery)).executeTakeFirst()
      await (numDeletedRows > 0n ? wakeNext(delivery.entity) : sendAgain(delivery))
    },

    /** Marks a delivery as dead; the next one of its entity becomes due. Inside a transaction. */
    async markDead(delivery: ClaimedDelivery, error: string): Promise<void> {
      const { numUpdatedRows } = await db
        .updateTable('deliveries')
        .set((set) => ({ state: 'dead', attempts: set('attempts', '+', 1), last_error: error, claim: null }))
        .where(claimed(delivery))
        .executeTakeFirst()
      await (numUpdatedRows > 0n ? wakeNext(delivery.entity) : sendAgain(delivery))
    },

    /**
     * Queues these events again, in any state. One that is being sent is sent again after that attempt. Returns how many
     * exist.
     */
    async requeue(cursors: readonly number[]): Promise<number> {
      if (cursors.length === 0) return 0
      const again = { state: 'pending' as const, attempts: 0, first_ms: null, last_error: null }
      const isClaimed = sql`(deliveries.claim is not null and ${time.isHeld(sql.ref('deliveries.next_ms'))})`
      const result = await db
        .insertInto('deliveries')
        .columns(['cursor', 'entity', 'state', 'attempts', 'next_ms'])
        .expression((build) => {
          const events = build
            .selectFrom('merchant_events')
            .select(['cursor', 'entity', sql.lit('pending').as('state'), sql.lit(0).as('attempts')])
            .select(time.now().as('next_ms'))
            .where('cursor', 'in', cursors)
            .orderBy('cursor')
          // None is deleted meanwhile: a delivery without its event would hold up its transaction for ever.
          return flavour === 'postgres' ? events.forShare() : events
        })
        .onConflict((conflict) =>
          conflict.column('cursor').doUpdateSet({
            ...again,
            next_ms: sql<number>`case when ${isClaimed} then deliveries.next_ms else excluded.next_ms end`,
            claim: sql<string | null>`case when not ${isClaimed} then null
              when deliveries.claim like ${`${AGAIN}%`} then deliveries.claim else ${AGAIN} || deliveries.claim end`,
          }),
        )
        .executeTakeFirst()
      return Number(result.numInsertedOrUpdatedRows ?? 0n)
    },

    /** Queues a page of dead deliveries again. Returns how many. */
    async requeueDead(limit: number): Promise<number> {
      const result = await db
        .updateTable('deliveries')
        .set({ state: 'pending', attempts: 0, next_ms: time.now(), first_ms: null, last_error: null })
        .where('cursor', 'in', (build) =>
          build
            .selectFrom('deliveries')
            .select('cursor')
            .where(sql<boolean>`state = 'dead'`)
            .orderBy('cursor')
            .limit(limit),
        )
        .executeTakeFirst()
      return Number(result.numUpdatedRows)
    },

    /** An event that is committed and has no number yet is pending too. */
    async counts(): Promise<DeliveryCounts> {
      const { rows } = await sql<{ pending: number; unnumbered: number; dead: number; oldest: number | null }>`
        select (select count(*) from deliveries where state = 'pending' and attempts = 0)
            + (select count(*) from deliveries where state = 'pending' and attempts > 0) as pending,
          (select count(*) from unnumbered_events where for_delivery = 1) as unnumbered,
          (select count(*) from deliveries where state = 'dead') as dead,
          coalesce(
            (select e.created_ms from merchant_events e where e.cursor = (
              select min(cursor) from (
                select min(cursor) as cursor from deliveries where state = 'pending' and attempts = 0
                union all select min(cursor) from deliveries where state = 'pending' and attempts > 0) as oldest)),
            (select created_ms from unnumbered_events where for_delivery = 1 order by id limit 1)
          ) as oldest`.execute(db)
      const [row] = rows
      if (row === undefined) return { pending: 0, dead: 0, oldestMs: null }
      return { pending: row.pending + row.unnumbered, dead: row.dead, oldestMs: row.oldest }
    },

    /** The `data` of earlier events of the same transaction that were queued for delivery. */
    async earlierOf(entity: string, cursor: number): Promise<readonly string[]> {
      const rows = await db
        .selectFrom('merchant_events')
        .select('data')
        // As a literal: a partial index is not used for a parameter.
        .where('for_delivery', '=', sql.lit(1))
        .where('entity', '=', entity)
        .where('cursor', '<', cursor)
        .orderBy('cursor')
        .limit(MOST_EARLIER)
        .execute()
      return rows.map(({ data }) => data)
    },
  }
}
