import { sql, type Kysely } from 'kysely'
import type { Tables } from './schema.ts'

/** An event to be delivered to the merchant: the oldest pending one of its entity. */
export interface DueDelivery {
  readonly cursor: number
  readonly entity: string
  readonly attempts: number
  readonly first_ms: number | null
  readonly created_ms: number
  /** The event's `data` as JSON text. */
  readonly data: string
}

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

// The partial indexes are used only if the state is a literal.
const pending = sql<boolean>`d.state = 'pending'`
const earlier = sql`select 1 from deliveries b where b.state = 'pending' and b.entity = d.entity and b.cursor < d.cursor`

/** Outbound webhooks: one row for each event that is not delivered yet, in order within an entity. */
export const deliveriesOf = (db: Kysely<Tables>) => ({
  /** What may be sent now, longest due first: first attempts (`fresh`) or retries; only the oldest of each entity. */
  async due(now: number, which: { readonly fresh: boolean; readonly limit: number }): Promise<readonly DueDelivery[]> {
    return db
      .selectFrom('deliveries as d')
      .innerJoin('merchant_events as e', 'e.cursor', 'd.cursor')
      .select(['d.cursor', 'd.entity', 'd.attempts', 'd.first_ms', 'e.created_ms', 'e.data'])
      .where(pending)
      .where('d.next_ms', '<=', now)
      .where('d.attempts', which.fresh ? '=' : '>', 0)
      .where(sql<boolean>`not exists (${earlier})`)
      .orderBy('d.next_ms')
      .orderBy('d.cursor')
      .limit(which.limit)
      .execute()
  },

  /** Makes deliveries wait for the retry of an earlier one of their entity, so that `due` need not check them each time. */
  async deferBlocked(now: number): Promise<void> {
    await sql`
      update deliveries set next_ms = (
        select h.next_ms from deliveries h
        where h.state = 'pending' and h.entity = deliveries.entity and h.cursor < deliveries.cursor
        order by h.cursor limit 1)
      where state = 'pending' and next_ms <= ${now} and exists (
        select 1 from deliveries h
        where h.state = 'pending' and h.entity = deliveries.entity and h.cursor < deliveries.cursor
        and h.next_ms > ${now} and not exists (
          select 1 from deliveries b
          where b.state = 'pending' and b.entity = h.entity and b.cursor < h.cursor))`.execute(db)
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

  /** Deletes a delivered one; the next of its entity is due. Inside a transaction. */
  async delivered(delivery: Pick<DueDelivery, 'cursor' | 'entity'>, now: number): Promise<void> {
    await db.deleteFrom('deliveries').where('cursor', '=', delivery.cursor).execute()
    await wakeNext(db, delivery.entity, now)
  },

  /** Marks one as dead; the next of its entity is due. Inside a transaction. */
  async markDead(delivery: Pick<DueDelivery, 'cursor' | 'entity'>, now: number, error: string): Promise<void> {
    await db
      .updateTable('deliveries')
      .set((set) => ({ state: 'dead', attempts: set('attempts', '+', 1), last_error: error }))
      .where('cursor', '=', delivery.cursor)
      .execute()
    await wakeNext(db, delivery.entity, now)
  },

  /** Queues these events again, in whatever state. Returns how many exist. */
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

  /** Queues a page of the dead ones again. Returns how many. */
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
})
