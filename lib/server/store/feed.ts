import { randomBytes } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import type { Tables } from './schema.ts'

/** Which numbering the merchant's feed has, and its last number. */
export interface FeedPosition {
  readonly epoch: string
  readonly head: number
}

const FEED = 'merchant_events'

/** Earlier changes of one transaction that are looked at; it has a handful. */
const MOST_EARLIER = 1000

/** What feed and outbound webhooks need besides the events. */
export const feedOf = (db: Kysely<Tables>) => ({
  async position(): Promise<FeedPosition> {
    const row = await db
      .selectFrom('feed_epoch')
      .innerJoin('counters', 'counters.name', 'feed_epoch.name')
      .select(['epoch', 'value'])
      .where('feed_epoch.name', '=', FEED)
      .executeTakeFirstOrThrow()
    return { epoch: row.epoch, head: row.value }
  },

  /** Begins a new numbering in place of this one, once, whoever else has seen the need. */
  async startEpoch(instead: string): Promise<void> {
    await db
      .updateTable('feed_epoch')
      .set({ epoch: randomBytes(6).toString('hex') })
      .where('name', '=', FEED)
      .where('epoch', '=', instead)
      .execute()
  },

  /** The `data` of the events of the same transaction before this one that were queued for delivery. */
  async earlierOf(entity: string, cursor: number): Promise<readonly string[]> {
    const rows = await db
      .selectFrom('merchant_events')
      .select('data')
      // As a literal: an index of a part of the rows serves no parameter.
      .where('for_delivery', '=', sql.lit(1))
      .where('entity', '=', entity)
      .where('cursor', '<', cursor)
      .orderBy('cursor')
      .limit(MOST_EARLIER)
      .execute()
    return rows.map(({ data }) => data)
  },
})
