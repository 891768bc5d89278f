import { Problem } from '#lib/contract/problems.ts'
import type { RedeliveryRequest } from '#lib/contract/merchant-requests.ts'
import type { FeedCursors } from './feed-cursor.ts'
import { createRequeueMatching, type RequeueStore } from './requeue-matching.ts'

/** Dead deliveries in one transaction. */
const PAGE = 500

export interface RedeliverOptions {
  readonly store: RequeueStore
  readonly cursors: FeedCursors
  /** `MERCHANT_WEBHOOK_URL` is set. */
  readonly enabled: boolean
  readonly clock: () => number
}

/**
 * Queues events for the merchant's webhook again, under the same `webhook-id`: the events of these cursors in any
 * state, all dead ones, or all since a time. Returns their number.
 * @throws Problem `invalid_request` for an invalid cursor, `cursor_lost` for a cursor of another epoch, `not_available`
 * without `MERCHANT_WEBHOOK_URL`
 */
export const createRedeliver = ({ store, cursors: feed, enabled, clock }: RedeliverOptions) => {
  const requeueMatching = createRequeueMatching(store)
  return async (input: RedeliveryRequest): Promise<{ readonly queued: number }> => {
    if (!enabled) throw new Problem('not_available', 'No merchant webhook is set up here.')
    if ('cursors' in input) {
      const { numbers } = await feed.read(input.cursors, (index) => `cursors.${index}`)
      const cursors = [...new Set(numbers)]
      return { queued: await store.transaction((tx) => tx.deliveries.requeue(cursors)) }
    }
    if ('since' in input) {
      const { since: fromMs, until: toMs = null, state = null } = input
      const filter = { state, fromMs, toMs, transaction: null, user: null, outcome: null }
      const { queued } = await requeueMatching({ filter, asOfMs: clock(), after: 0, most: Infinity })
      return { queued }
    }
    let queued = 0
    for (let page = PAGE; page === PAGE; queued += page)
      page = await store.transaction((tx) => tx.deliveries.requeueDead(PAGE))
    return { queued }
  }
}
