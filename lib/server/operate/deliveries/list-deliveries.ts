import { setTimeout as sleep } from 'node:timers/promises'
import { csvLine } from '#lib/contract/csv.ts'
import type {
  DeliveriesPage,
  DeliveriesQuery,
  Delivery,
  DeliveryFilterFields,
} from '#lib/contract/operate/deliveries.ts'
import type { CursorRange, DeliveryFilter, Store } from '../../store/types.ts'
import { deliveryShape, isoOf, shownEndpoint, type DeliveryIds } from './delivery-shapes.ts'

/** Events that are looked at together, and in one call: a filter that few pass must not read the whole feed. */
const WINDOW = 1000
const MOST_LOOKED_AT = 5000
const MOST_COUNTED = 10_001
/** Events that one step of a file looks at. */
const FILE_STEP = 500

export interface DeliveryReads {
  readonly store: Pick<Store, 'deliveryList' | 'deliveryAttempts'>
  readonly ids: DeliveryIds
  /** `MERCHANT_WEBHOOK_URL`. */
  readonly endpoint: string | null
  readonly clock: () => number
}

/** The store's filter for the fields of a query. */
export const filterOf = ({ state, transaction, user, outcome, from, to }: DeliveryFilterFields) =>
  ({ state, transaction, user, outcome, fromMs: from, toMs: to }) satisfies DeliveryFilter

interface Found {
  readonly cursors: readonly number[]
  /** Where the next page begins; null after the last. */
  readonly next: number | null
}

/** The matching events among the next `size` before the end of a range, the newest first. */
async function findAmong(
  { deliveryList }: DeliveryReads['store'],
  filter: DeliveryFilter,
  range: CursorRange,
  size: number,
): Promise<Found> {
  const candidates = await deliveryList.candidates(filter, range, 'newest', size)
  const accepted = await deliveryList.accepted(filter, candidates)
  return {
    cursors: candidates.filter((cursor) => accepted.has(cursor)),
    next: candidates.length < size ? null : (candidates.at(-1) ?? null),
  }
}

/** The newest of the matching events before a number. */
async function find(
  store: DeliveryReads['store'],
  filter: DeliveryFilter,
  start: number,
  limit: number,
): Promise<Found> {
  const range = await store.deliveryList.range(filter)
  const cursors: number[] = []
  let before = Math.min(start, range.before)
  // Mostly the first candidates are accepted.
  for (let seen = 0, size = limit + 1; seen < MOST_LOOKED_AT; seen += size, size = WINDOW) {
    const found = await findAmong(store, filter, { ...range, before }, size)
    cursors.push(...found.cursors)
    if (cursors.length > limit) return { cursors: cursors.slice(0, limit), next: cursors[limit - 1] ?? null }
    if (found.next === null) return { cursors, next: null }
    before = found.next
  }
  return { cursors, next: before }
}

/** These deliveries as they are shown, in their order. */
async function shapesOf(
  { deliveryList, deliveryAttempts }: DeliveryReads['store'],
  cursors: readonly number[],
  nameOf: (number: number) => string,
): Promise<readonly Delivery[]> {
  const [rows, summaries] = await Promise.all([deliveryList.rows(cursors), deliveryAttempts.summaries(cursors)])
  const byCursor = new Map(summaries.map((summary) => [summary.cursor, summary]))
  return cursors.flatMap((cursor) => {
    const row = rows.get(cursor)
    return row === undefined ? [] : [deliveryShape(row, byCursor.get(cursor), nameOf)]
  })
}

/**
 * `GET /api/operate/deliveries`: the newest first.
 * @throws Problem `invalid_request` for an invalid `after`, `cursor_lost` for one of another epoch
 */
export const createListDeliveries =
  ({ store, ids, endpoint, clock }: DeliveryReads) =>
  async ({ after, limit, ...filter }: DeliveriesQuery): Promise<DeliveriesPage> => {
    const asOfMs = clock()
    const [start = Number.MAX_SAFE_INTEGER] = after === null ? [] : await ids.read([after], 'after')
    const { cursors, next } = await find(store, filterOf(filter), start, limit)
    const isShort = next !== null && cursors.length < limit
    const nameOf = await ids.writer()
    const [deliveries, counts, reached] = await Promise.all([
      shapesOf(store, cursors, nameOf),
      store.deliveryList.stateCounts(MOST_COUNTED),
      isShort ? store.deliveryList.createdMs(next) : null,
    ])
    return {
      deliveries: [...deliveries],
      next_cursor: next === null ? null : nameOf(next),
      looked_back_to: reached === null ? null : isoOf(reached),
      counts,
      endpoint: shownEndpoint(endpoint),
      as_of: isoOf(asOfMs),
    }
  }

const COLUMNS = [
  ...(['id', 'created_at', 'kind', 'status', 'transaction_uuid', 'withdrawal_id', 'user_reference_id'] as const),
  ...(['amount', 'currency_code', 'network', 'state', 'sending', 'attempts', 'next_at', 'waits_for'] as const),
] as const satisfies readonly (keyof Delivery)[]

const cellsOf = (delivery: Delivery): readonly string[] =>
  [
    ...COLUMNS.map((column) => delivery[column]),
    ...(['outcome', 'error', 'at'] as const).map((name) => delivery.last?.[name] ?? null),
  ].map((value) => String(value ?? ''))

/**
 * `GET /api/operate/deliveries.csv`: all that match, the newest first, in pieces. Each step holds up the other calls of
 * the process for a few milliseconds.
 */
export const createDeliveryFile = ({ store, ids }: DeliveryReads) =>
  async function* (fields: DeliveryFilterFields): AsyncGenerator<string> {
    const filter = filterOf(fields)
    yield csvLine([...COLUMNS, 'last_outcome', 'last_error', 'last_at'])
    const nameOf = await ids.writer()
    const range = await store.deliveryList.range(filter)
    for (let { before } = range; ;) {
      const { cursors, next } = await findAmong(store, filter, { ...range, before }, FILE_STEP)
      yield (await shapesOf(store, cursors, nameOf)).map((delivery) => csvLine(cellsOf(delivery))).join('')
      if (next === null) return
      before = next
      await sleep(0)
    }
  }
