import { Problem } from '#lib/contract/problems.ts'
import type {
  DeliveryFilterFields,
  RedeliveryOrder,
  RedeliveryPreview,
  RedeliveryResult,
} from '#lib/contract/operate/deliveries.ts'
import type { DeliveryFilter } from '../../store/types.ts'
import { isoOf } from './delivery-shapes.ts'
import { filterOf, type DeliveryReads } from './list-deliveries.ts'

const WINDOW = 5000
const MOST_COUNTED = 100_000
/** Deliveries that one call looks at; the caller goes on with `next`. */
const MOST_AT_ONCE = 10_000

export interface ResendOptions extends DeliveryReads {
  /** Queues what matches, from the oldest on. */
  readonly requeueMatching: (order: {
    readonly filter: DeliveryFilter
    readonly asOfMs: number
    readonly after: number
    readonly most: number
  }) => Promise<{ readonly queued: number; readonly next: number | null }>
  readonly requeue: (cursors: readonly number[]) => Promise<number>
}

const NO_FILTER: DeliveryFilter = {
  state: null,
  transaction: null,
  user: null,
  outcome: null,
  fromMs: null,
  toMs: null,
}

/** Without a time or a name, only what was not delivered is sent again: else one press would repeat the whole feed. */
function refuseEverything({ state, transaction, user, outcome, from }: DeliveryFilterFields): void {
  const isNarrow = [transaction, user, outcome, from].some((given) => given !== null)
  if (isNarrow || (state !== null && state !== 'delivered')) return
  throw new Problem('invalid_request', 'Choose a time, a transaction, a user, an outcome, or a state.', {
    errors: { filter: ['must have `from`, `transaction`, `user`, `outcome`, or a `state` other than `delivered`'] },
  })
}

const requireWebhook = (endpoint: string | null): void => {
  if (endpoint === null) throw new Problem('not_available', 'No merchant webhook is set up here.')
}

/**
 * `GET /api/operate/redeliveries`: how many an order with this filter sends.
 * @throws Problem `invalid_request`, `not_available`
 */
export const createPreviewResend =
  ({ store: { deliveryList }, endpoint, clock }: ResendOptions) =>
  async (fields: DeliveryFilterFields): Promise<RedeliveryPreview> => {
    requireWebhook(endpoint)
    refuseEverything(fields)
    const asOfMs = clock()
    const filter = { ...filterOf(fields), toMs: Math.min(fields.to ?? asOfMs, asOfMs) }
    const range = await deliveryList.range(filter)
    let { after } = range
    let count = 0
    for (let seen = 0; seen < MOST_COUNTED; seen += WINDOW) {
      const candidates = await deliveryList.candidates(filter, { ...range, after }, 'oldest', WINDOW)
      count += (await deliveryList.accepted(filter, candidates)).size
      after = candidates.at(-1) ?? after
      if (candidates.length < WINDOW) return { count, more: false, as_of: isoOf(asOfMs) }
    }
    return { count, more: true, as_of: isoOf(asOfMs) }
  }

/**
 * `POST /api/operate/redeliveries`. An order that is given twice sends once: what was tried since its `as_of` is left
 * out.
 * @throws Problem `invalid_request`, `cursor_lost`, `not_available`
 */
export const createResendDeliveries =
  ({ store, ids, endpoint, requeue, requeueMatching }: ResendOptions) =>
  async (order: RedeliveryOrder): Promise<RedeliveryResult> => {
    requireWebhook(endpoint)
    if ('ids' in order) {
      const cursors = [...new Set(await ids.read(order.ids, 'ids'))]
      const untried = await store.deliveryList.accepted(NO_FILTER, cursors, order.as_of)
      return { queued: await requeue([...untried]), next: null }
    }
    refuseEverything(order.filter)
    const [after = 0] = order.after == null ? [] : await ids.read([order.after], 'after')
    const filter = filterOf(order.filter)
    const { queued, next } = await requeueMatching({ filter, asOfMs: order.as_of, after, most: MOST_AT_ONCE })
    return { queued, next: next === null ? null : (await ids.writer())(next) }
  }
