import type { DeliveryFilter, Store } from '../store/types.ts'

/** Deliveries that are looked at together, and queued in one transaction. */
const PAGE = 500

export interface RequeueOrder {
  readonly filter: DeliveryFilter
  /** What was tried since this time is left out, so that an order that is given twice sends once. */
  readonly asOfMs: number
  /** Begins after this number of the feed; 0 for the oldest. */
  readonly after: number
  /** Stops after it has looked at this many. */
  readonly most: number
}

/** `next` is the `after` to go on with; null if nothing is left. */
export interface Requeued {
  readonly queued: number
  readonly next: number | null
}

export interface RequeueStore extends Pick<Store, 'transaction'> {
  readonly deliveryList: Pick<Store['deliveryList'], 'range' | 'candidates' | 'accepted'>
}

/**
 * Queues all deliveries that match for another attempt, in any state. The oldest first: in another order a later event
 * of a transaction could be sent before an earlier one is queued.
 */
export const createRequeueMatching =
  (store: RequeueStore) =>
  async ({ filter, asOfMs, after, most }: RequeueOrder): Promise<Requeued> => {
    const range = await store.deliveryList.range(filter, 'order')
    let queued = 0
    let last = Math.max(after, range.after)
    for (let seen = 0; seen < most; seen += PAGE) {
      const page = await store.deliveryList.candidates(filter, { ...range, after: last }, 'oldest', PAGE)
      const accepted = await store.deliveryList.accepted(filter, page, asOfMs)
      queued += await store.transaction((tx) => tx.deliveries.requeue([...accepted]))
      last = page.at(-1) ?? last
      if (page.length < PAGE) return { queued, next: null }
    }
    return { queued, next: last }
  }
