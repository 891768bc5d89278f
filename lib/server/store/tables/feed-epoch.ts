import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Tables } from '../database/schema.ts'

/** The epoch of the merchant's feed, its last number, and the last one that retention took from it (0: none). */
export interface FeedPosition {
  readonly epoch: string
  readonly head: number
  readonly floor: number
}

/** The name of the feed's numbering, in `counters` and `feed_epoch`. */
export const FEED = 'merchant_events'

/** The newest number that retention took from the feed, in `counters`; without a row, none. */
export const FEED_FLOOR = 'merchant_events_floor'

/** Its beginning is the name that cursors have; nobody can guess the rest (`merchant/feed-cursor.ts`). */
const newEpoch = (): string => randomBytes(22).toString('hex')

/** The numbering of the merchant's feed. */
export const feedEpochOf = (db: Kysely<Tables>) => ({
  async position(): Promise<FeedPosition> {
    const row = await db
      .selectFrom('feed_epoch')
      .innerJoin('counters', 'counters.name', 'feed_epoch.name')
      .leftJoin('counters as kept', (join) => join.on('kept.name', '=', FEED_FLOOR))
      .select(['epoch', 'counters.value', 'kept.value as floor'])
      .where('feed_epoch.name', '=', FEED)
      .executeTakeFirstOrThrow()
    return { epoch: row.epoch, head: row.value, floor: row.floor ?? 0 }
  },

  /** Starts a new numbering in place of this epoch. Only the first of several concurrent calls does so: true. */
  async startEpoch(instead: string): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('feed_epoch')
      .set({ epoch: newEpoch() })
      .where('name', '=', FEED)
      .where('epoch', '=', instead)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  },
})
