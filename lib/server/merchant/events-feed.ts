import * as z from 'zod/mini'
import type { Store, StoredMerchantEvent } from '../store/types.ts'
import { feedCursor, type FeedCursors } from './feed-cursor.ts'

export interface MerchantEvent {
  readonly cursor: string
  readonly type: 'transaction.updated'
  readonly created_at: string
  /** The stream's `transaction` with `user_reference_id` and `source`. */
  readonly data: Readonly<Record<string, unknown>>
}

export interface MerchantEventsPage {
  readonly events: readonly MerchantEvent[]
  /** The `after` of the next call, also on the last page. */
  readonly next_cursor: string
}

const eventData = z.record(z.string(), z.unknown())

const toEvent = (row: StoredMerchantEvent, epoch: string): MerchantEvent => ({
  cursor: feedCursor(epoch, row.cursor),
  type: 'transaction.updated',
  created_at: new Date(row.created_ms).toISOString(),
  // Its amounts are strings, so plain JSON loses no digit.
  data: eventData.parse(JSON.parse(row.data)),
})

/**
 * `GET /api/merchant/events` (docs/reference/merchant-api.md, "Read the events feed"): all state changes after a
 * cursor, in commit order.
 * @throws Problem `invalid_request` with `errors.after` for an invalid cursor, `cursor_lost` for a cursor of another
 * epoch, or one after which events were deleted
 */
export const createListMerchantEvents =
  (store: Pick<Store, 'events'>, cursors: FeedCursors) =>
  async (input: { readonly after: string | null; readonly limit: number }): Promise<MerchantEventsPage> => {
    const { epoch, after } = await cursors.readPlace(input.after, 'after')
    const rows = await store.events.feedAfter(after, input.limit)
    // Events after the cursor may have been deleted before they were read.
    await cursors.readPlace(input.after, 'after')
    return {
      events: rows.map((row) => toEvent(row, epoch)),
      next_cursor: feedCursor(epoch, rows.at(-1)?.cursor ?? after),
    }
  }
