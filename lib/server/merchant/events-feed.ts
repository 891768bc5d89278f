import type { Store, StoredMerchantEvent } from '../store/port.ts'
import { readCursor } from './read-cursor.ts'

export interface MerchantEvent {
  readonly cursor: string
  readonly type: 'transaction.updated'
  readonly created_at: string
  /** The stream's `transaction` with `user_reference_id` and `source`. */
  readonly data: Readonly<Record<string, unknown>>
}

export interface MerchantEventsPage {
  readonly events: readonly MerchantEvent[]
  /** To ask again with, also at the end. */
  readonly next_cursor: string
}

const toEvent = (row: StoredMerchantEvent): MerchantEvent => ({
  cursor: String(row.cursor),
  type: 'transaction.updated',
  created_at: new Date(row.created_ms).toISOString(),
  // Written by the store from an object; amounts in it are strings.
  data: JSON.parse(row.data) as Record<string, unknown>,
})

/**
 * `GET /api/merchant/events` (contract section 3): every state change after a cursor, in commit order.
 * Throws a `Problem` `invalid_request` with `errors.after` for a cursor that is none.
 */
export const createListMerchantEvents =
  (store: Pick<Store, 'events'>) =>
  async (input: { readonly after: string | null; readonly limit: number }): Promise<MerchantEventsPage> => {
    const after = readCursor(input.after, 'after')
    const rows = await store.events.feedAfter(after, input.limit)
    return { events: rows.map(toEvent), next_cursor: String(rows.at(-1)?.cursor ?? after) }
  }
