import { Problem } from '#lib/contract/problems.ts'
import type { RedeliveryRequest } from '#lib/contract/merchant-requests.ts'
import type { Store } from '../store/types.ts'
import type { FeedCursors } from './feed-cursor.ts'

/** Dead deliveries in one transaction. */
const PAGE = 500

/**
 * Queues events for the merchant's webhook again, under the same `webhook-id`: the events of these cursors in any
 * state, or all dead ones. Returns their number. Throws a `Problem`: `invalid_request` for an invalid cursor,
 * `cursor_lost` for a cursor of another epoch, `not_available` without `MERCHANT_WEBHOOK_URL`.
 */
export const createRedeliver =
  (options: { readonly store: Pick<Store, 'transaction'>; readonly cursors: FeedCursors; readonly enabled: boolean }) =>
  async (input: RedeliveryRequest): Promise<{ readonly queued: number }> => {
    const { store, enabled } = options
    if (!enabled) throw new Problem('not_available', 'No merchant webhook is set up here.')
    if ('cursors' in input) {
      const { numbers } = await options.cursors.read(input.cursors, (index) => `cursors.${index}`)
      const cursors = [...new Set(numbers)]
      return { queued: await store.transaction((tx) => tx.deliveries.requeue(cursors)) }
    }
    let queued = 0
    for (let page = PAGE; page === PAGE; queued += page)
      page = await store.transaction((tx) => tx.deliveries.requeueDead(PAGE))
    return { queued }
  }
