import { sql, type Kysely, type RawBuilder } from 'kysely'
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

const wakeNext = (db: Kysely<Tables>, entity: string, now: number) =>
  sql`
    update deliveries set next_ms = ${now}
    where next_ms > ${now} and cursor = (
      select cursor from deliveries where state = 'pending' and entity = ${entity} order by cursor limit 1)`.execute(db)

// A partial index is used only if the query has its condition as literals.
const isPending = sql<boolean>`d.state = 'pending'`
const isFresh = sql<boolean>`d.attempts = 0`
const isRetry = sql<boolean>`d.attempts > 0`

/** The oldest pending delivery of an entity, for which its other deliveries wait. */
const headOf = (entity: RawBuilder<unknown>, column: 'cursor' | 'next_ms') =>
  sql`(select h.${sql.ref(column)} from deliveries h
    where h.state = 'pending' and h.entity = ${entity} order by h.cursor limit 1)`

/** How long an event waits behind another that is due; it is woken earlier when the other one ends. */
const LOOK_AGAIN_MS = 300_000

/** How many earlier changes of one transaction are read; usually there are a few. */
const MOST_EARLIER = 1000

/** Outbound webhooks: one row for each undelivered event, in order within an entity. */
export const deliveriesOf = (db: Kysely<Tables>) => ({
  /** A page of due deliveries, longest due first: first attempts (`fresh`) or retries. Reads at most `limit` rows. */
  async due(
    now: number,
    page: { readonly fresh: boolean; readonly limit: number; readonly after?: DuePlace | null },
  ): Promise<readonly DueDelivery[]> {
    const { fresh, limit, after = null } = page
    const blocked = sql<0 | 1>`case when ${headOf(sql.ref('d.entity'), 'cursor')} < d.cursor then 1 else 0 end`
    let query = db
      .selectFrom('deliveries as d')
      .innerJoin('merchant_events as e', 'e.cursor', 'd.cursor')
      .select(['d.cursor', 'd.entity', 'd.attempts', 'd.next_ms', 'd.first_ms', 'e.created_ms', 'e.data'])
      .select(blocked.as('blocked'))
      .select(sql<string>`(select epoch from feed_epoch where name = 'merchant_events')`.as('epoch'))
      .where(isPending)
      .where(fresh ? isFresh : isRetry)
      .where('d.next_ms', '<=', now)
      .orderBy('d.next_ms')
      .orderBy('d.cursor')
      .limit(limit)
    if (after !== null) query = query.where(sql<boolean>`(d.next_ms, d.cursor) > (${after.next_ms}, ${after.cursor})`)
    return query.execute()
  },

  /** When the first pending delivery is due; null if there is none. */
  async nextDueMs(): Promise<number | null> {
    const earliest = [isFresh, isRetry].map(
      (kind) => sql`select (select min(d.next_ms) from deliveries as d where ${isPending} and ${kind}) as ms`,
    )
    const { rows } = await sql<{ ms: number | null }>`
      select min(at.ms) as ms from (${sql.join(earliest, sql` union all `)}) as at`.execute(db)
    return rows[0]?.ms ?? null
  },

  /** Postpones blocked deliveries until the one before them is due, so that `due` need not read them each time. */
  async holdBack(cursors: readonly number[], now: number): Promise<void> {
    if (cursors.length === 0) return
    const head = headOf(sql.ref('deliveries.entity'), 'next_ms')
    await db
      .updateTable('deliveries')
      .set({ next_ms: sql<number>`case when ${head} > ${now} then ${head} else ${now + LOOK_AGAIN_MS} end` })
      .where('cursor', 'in', cursors)
      .where(sql<boolean>`cursor > ${headOf(sql.ref('deliveries.entity'), 'cursor')}`)
      .execute()
  },

  async retryAt(cursor: number, change: { readonly nextMs: number; readonly firstMs: number; readonly error: string }) {
    await db
      .updateTable('deliveries')
      .set((set) => ({
        attempts: set('attempts', '+', 1),
        next_ms: change.nextMs,
        first_ms: change.firstMs,
        last_error: change.error,
      }))
      .where('cursor', '=', cursor)
      .execute()
  },

  /** Deletes a delivered event; the next one of its entity becomes due. Inside a transaction. */
  async delivered(delivery: Pick<DueDelivery, 'cursor' | 'entity'>, now: number): Promise<void> {
    await db.deleteFrom('deliveries').where('cursor', '=', delivery.cursor).execute()
    await wakeNext(db, delivery.entity, now)
  },

  /** Marks a delivery as dead; the next one of its entity becomes due. Inside a transaction. */
  async markDead(delivery: Pick<DueDelivery, 'cursor' | 'entity'>, now: number, error: string): Promise<void> {
    await db
      .updateTable('deliveries')
      .set((set) => ({ state: 'dead', attempts: set('attempts', '+', 1), last_error: error }))
      .where('cursor', '=', delivery.cursor)
      .execute()
    await wakeNext(db, delivery.entity, now)
  },

  /** Queues these events again, in any state. Returns how many exist. */
  async requeue(cursors: readonly number[], now: number): Promise<number> {
    if (cursors.length === 0) return 0
    const again = { state: 'pending' as const, attempts: 0, next_ms: now, first_ms: null, last_error: null }
    const result = await db
      .insertInto('deliveries')
      .columns(['cursor', 'entity', 'state', 'attempts', 'next_ms'])
      .expression((build) =>
        build
          .selectFrom('merchant_events')
          .select(['cursor', 'entity', sql.lit('pending').as('state'), sql.lit(0).as('attempts')])
          .select(sql<number>`cast(${now} as bigint)`.as('next_ms'))
          .where('cursor', 'in', cursors),
      )
      .onConflict((conflict) => conflict.column('cursor').doUpdateSet(again))
      .executeTakeFirst()
    return Number(result.numInsertedOrUpdatedRows ?? 0n)
  },

  /** Queues a page of dead deliveries again. Returns how many. */
  async requeueDead(now: number, limit: number): Promise<number> {
    const result = await db
      .updateTable('deliveries')
      .set({ state: 'pending', attempts: 0, next_ms: now, first_ms: null, last_error: null })
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

  async counts(): Promise<DeliveryCounts> {
    const { rows } = await sql<{ pending: number; dead: number; oldest: number | null }>`
      select (select count(*) from deliveries where state = 'pending') as pending,
        (select count(*) from deliveries where state = 'dead') as dead,
        (select e.created_ms from deliveries d join merchant_events e on e.cursor = d.cursor
          where d.state = 'pending' order by d.cursor limit 1) as oldest`.execute(db)
    const [row] = rows
    return { pending: row?.pending ?? 0, dead: row?.dead ?? 0, oldestMs: row?.oldest ?? null }
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
})
