/** Deliveries to the merchant's webhook, as the console and the embedded view show them. */
import * as z from 'zod/mini'
import { deliveryState } from '../delivery-states.ts'
import { countField, gatewayIdField, patternField, textField, timeField } from '../request-fields.ts'

/** Why no reply came. */
const CALL_FAULTS = ['connect', 'tls', 'timeout', 'broken'] as const

const OUTCOME = /^(?:[1-5]\d\d|connect|tls|timeout|broken)$/
const outcome = patternField(OUTCOME, `must be an HTTP status, or one of ${CALL_FAULTS.join(', ')}`)
const cursorText = textField(200, 1)

const filterFields = {
  state: z._default(z.nullable(deliveryState), null),
  /** The gateway's uuid of a transaction, or the id of a withdrawal. */
  transaction: z._default(z.nullable(gatewayIdField), null),
  user: z._default(z.nullable(textField(128, 1)), null),
  /** What any attempt got. */
  outcome: z._default(z.nullable(outcome), null),
  from: z._default(z.nullable(timeField), null),
  to: z._default(z.nullable(timeField), null),
}

export const deliveryFilter = z.strictObject(filterFields)
/** Times in milliseconds since 1970. */
export type DeliveryFilterFields = z.output<typeof deliveryFilter>

/** The query of `GET /api/operate/deliveries`. */
export const deliveriesAsked = z.object({
  ...filterFields,
  after: z._default(z.nullable(cursorText), null),
  limit: z.prefault(countField(1, 200), '50'),
})
export type DeliveriesQuery = z.output<typeof deliveriesAsked>

/** The names of the fields of a filter in a query. */
export const DELIVERY_FILTER_NAMES = ['state', 'transaction', 'user', 'outcome', 'from', 'to'] as const

/**
 * `POST /api/operate/redeliveries`: these, or all that match. `as_of` is the time at which the caller read what it
 * sends: what was tried since then is left out, so that a call that is made twice sends once.
 */
export const redeliveryOrder = z.union(
  [
    z.strictObject({
      ids: z.array(cursorText).check(z.minLength(1), z.maxLength(1000)),
      as_of: timeField,
    }),
    z.strictObject({
      filter: deliveryFilter,
      as_of: timeField,
      /** `next` of the answer before, to go on from there. */
      after: z.optional(z.nullable(cursorText)),
    }),
  ],
  { error: 'must be {"ids": [...], "as_of": "…"} with 1 to 1000 ids, or {"filter": {...}, "as_of": "…"}' },
)
export type RedeliveryOrder = z.output<typeof redeliveryOrder>

export const delivery = z.object({
  /** The cursor of its event in the merchant's feed. */
  id: z.string(),
  created_at: z.string(),
  kind: z.string(),
  /** Of the transaction. */
  status: z.string(),
  transaction_uuid: z.nullable(z.string()),
  withdrawal_id: z.nullable(z.string()),
  user_reference_id: z.nullable(z.string()),
  amount: z.nullable(z.string()),
  currency_code: z.string(),
  network: z.string(),
  state: deliveryState,
  /** An attempt is under way. */
  sending: z.boolean(),
  /** Attempts that are stored. */
  attempts: z.number(),
  /** Null unless it waits or fails. */
  next_at: z.nullable(z.string()),
  /** The id of an event of the same transaction that is sent first. */
  waits_for: z.nullable(z.string()),
  /** The last attempt; null if none is stored. */
  last: z.nullable(z.object({ outcome: z.string(), error: z.nullable(z.string()), at: z.string() })),
})
export type Delivery = z.output<typeof delivery>

export const deliveriesPage = z.object({
  deliveries: z.array(delivery),
  /** The `after` of the next page; null on the last one. A page may be short, and not be the last. */
  next_cursor: z.nullable(z.string()),
  /** Up to when the page has looked, if it is short and not the last. */
  looked_back_to: z.nullable(z.string()),
  /** By state; 10 001 stands for more. */
  counts: z.object({ waiting: z.number(), failing: z.number(), dead: z.number() }),
  /** Where events are sent, without its query; null if no webhook is set up. */
  endpoint: z.nullable(z.string()),
  /** For `redeliveryOrder`. */
  as_of: z.string(),
})
export type DeliveriesPage = z.output<typeof deliveriesPage>

export const deliveryAttempt = z.object({
  id: z.string(),
  /** 1 for the first one, and for the first after it was queued again. */
  attempt: z.number(),
  began_at: z.string(),
  milliseconds: z.number(),
  outcome: z.string(),
  error: z.nullable(z.string()),
  webhook_id: z.string(),
  /** Seconds since 1970, as it was sent and signed. */
  webhook_timestamp: z.string(),
  signature: z.string(),
  body: z.string(),
  reply_head: z.nullable(z.string()),
  reply_body: z.nullable(z.string()),
})
export type DeliveryAttempt = z.output<typeof deliveryAttempt>

export const deliveryDetail = z.object({
  delivery,
  /** Newest first. */
  attempts: z.array(deliveryAttempt),
  endpoint: z.nullable(z.string()),
  /** For `redeliveryOrder`. */
  as_of: z.string(),
})
export type DeliveryDetail = z.output<typeof deliveryDetail>

/** `GET /api/operate/redeliveries`: how many an order with this filter would send. */
export const redeliveryPreview = z.object({
  count: z.number(),
  /** There are more than were counted. */
  more: z.boolean(),
  as_of: z.string(),
})
export type RedeliveryPreview = z.output<typeof redeliveryPreview>

export const redeliveryResult = z.object({
  queued: z.number(),
  /** The `after` of the call that goes on; null if nothing is left. */
  next: z.nullable(z.string()),
})
export type RedeliveryResult = z.output<typeof redeliveryResult>

/** `POST /api/operate/test-events`. */
export const testEventReply = z.object({
  status: z.nullable(z.number()),
  milliseconds: z.number(),
  error: z.nullable(z.string()),
})

export const testEventsPage = z.object({ attempts: z.array(deliveryAttempt) })
export type TestEventsPage = z.output<typeof testEventsPage>
