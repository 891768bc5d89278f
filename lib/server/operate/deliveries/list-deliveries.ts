import type { DeliveriesPage, DeliveriesQuery } from '#lib/contract/operate/deliveries.ts'
import type { DeliveryFilter, Store } from '../../store/types.ts'
import { deliveryShape, isoOf, shownEndpoint, type DeliveryIds } from './delivery-shapes.ts'

/** Events that are looked at together, and in one call: a filter that few pass must not read the whole feed. */
const WINDOW = 1000
const MOST_LOOKED_AT = 5000
const MOST_COUNTED = 10_001

export interface DeliveryReads {
  readonly store: Pick<Store, 'deliveryList' | 'deliveryAttempts'>
  readonly ids: DeliveryIds
  /** `MERCHANT_WEBHOOK_URL`. */
  readonly endpoint: string | null
  readonly clock: () => number
}

export const filterOf = ({ state, transaction, user, outcome, from, to }: Omit<DeliveriesQuery, 'after' | 'limit'>) =>
  ({ state, transaction, user, outcome, fromMs: from, toMs: to }) satisfies DeliveryFilter

interface Found {
  readonly cursors: readonly number[]
  /** Where the next page begins; null after the last. */
  readonly next: number | null
}

/** The newest of the matching events before a number. */
async function find(
  { deliveryList }: DeliveryReads['store'],
  filter: DeliveryFilter,
  start: number,
  limit: number,
): Promise<Found> {
  const range = await deliveryList.range(filter)
  const cursors: number[] = []
  let before = Math.min(start, range.before)
  // Mostly the first candidates are accepted.
  for (let seen = 0, size = limit + 1; seen < MOST_LOOKED_AT; seen += size, size = WINDOW) {
    const candidates = await deliveryList.candidates(filter, { ...range, before }, 'newest', size)
    const accepted = await deliveryList.accepted(filter, candidates)
    cursors.push(...candidates.filter((cursor) => accepted.has(cursor)))
    if (cursors.length > limit) return { cursors: cursors.slice(0, limit), next: cursors[limit - 1] ?? null }
    before = candidates.at(-1) ?? before
    if (candidates.length < size) return { cursors, next: null }
  }
  return { cursors, next: before }
}

/**
 * `GET /api/operate/deliveries`: the newest first. Throws a `Problem`: `invalid_request` for an invalid `after`,
 * `cursor_lost` for one of another epoch.
 */
export const createListDeliveries =
  ({ store, ids, endpoint, clock }: DeliveryReads) =>
  async ({ after, limit, ...filter }: DeliveriesQuery): Promise<DeliveriesPage> => {
    const asOfMs = clock()
    const [start = Number.MAX_SAFE_INTEGER] = after === null ? [] : await ids.read([after], 'after')
    const { cursors, next } = await find(store, filterOf(filter), start, limit)
    const isShort = next !== null && cursors.length < limit
    const [nameOf, rows, summaries, counts, reached] = await Promise.all([
      ids.writer(),
      store.deliveryList.rows(cursors),
      store.deliveryAttempts.summaries(cursors),
      store.deliveryList.stateCounts(MOST_COUNTED),
      isShort ? store.deliveryList.createdMs(next) : null,
    ])
    const byCursor = new Map(summaries.map((summary) => [summary.cursor, summary]))
    return {
      deliveries: cursors.flatMap((cursor) => {
        const row = rows.get(cursor)
        return row === undefined ? [] : [deliveryShape(row, byCursor.get(cursor), nameOf)]
      }),
      next_cursor: next === null ? null : nameOf(next),
      looked_back_to: reached === null ? null : isoOf(reached),
      counts,
      endpoint: shownEndpoint(endpoint),
      as_of: isoOf(asOfMs),
    }
  }
