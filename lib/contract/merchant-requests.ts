/** The other request bodies and queries of the merchant's backend, one schema for each call. */
import * as z from 'zod/mini'
import type { TransactionNode, TransactionsPage } from './cashier.ts'
import { transactionsQuery } from './cashier-requests.ts'
import { deliveryState } from './delivery-states.ts'
import { decimal, isZero } from './money.ts'
import {
  countField,
  decimalField,
  gatewayIdField,
  patternField,
  textField,
  timeField,
  userReference,
} from './request-fields.ts'

/** `{user_reference_id}` of a path. */
export const userPath = z.object({ user_reference_id: userReference })

const isSignedAmount = (given: string): boolean => /^-?\d{1,60}(\.\d{1,30})?$/.test(given) && !isZero(decimal(given))

/**
 * `POST /api/merchant/users/{user_reference_id}/adjustments`. An unknown field is an error: a movement of money must
 * not ignore any part of its request.
 */
export const adjustmentRequest = z.strictObject({
  currency_id: gatewayIdField,
  amount: decimalField(
    isSignedAmount,
    'must be decimal text such as "12.5" or "-12.5", not zero, with at most 60 digits before and 30 after the point',
  ),
  reference: patternField(/^[!-~]{1,200}$/, 'must be 1 to 200 visible ASCII characters'),
})
export type AdjustmentRequest = z.output<typeof adjustmentRequest>

/** A thousand rates fit. */
export const LONGEST_RATES_BYTES = 131_072

const isRate = (given: string): boolean => /^(0|[1-9]\d{0,29})(\.\d{1,30})?$/.test(given) && !isZero(decimal(given))

/** `PUT /api/merchant/rates`. */
export const ratesRequest = z.strictObject({
  rates: z
    .record(gatewayIdField, decimalField(isRate, 'must be US dollars for one, as decimal text above zero'))
    .check(z.refine((rates) => Object.keys(rates).length <= 1000, { error: 'must be at most 1000 rates' })),
})
export type RatesRequest = z.output<typeof ratesRequest>

/** The query of `GET /api/merchant/transactions`: the page's query, for all users or for one. */
export const merchantTransactionsQuery = z.intersection(
  z.object({ user_reference_id: z.exactOptional(userReference) }),
  transactionsQuery,
)
export type MerchantTransactionsQuery = z.output<typeof merchantTransactionsQuery>

/** The gateway's list across users. */
export interface MerchantTransactionsPage extends Pick<TransactionsPage, 'page_info' | 'total_count' | 'left_out'> {
  readonly edges: readonly {
    readonly cursor: string
    readonly inserted_at: string
    readonly node: TransactionNode & { readonly user_reference_id: string }
  }[]
}

/** The query of `GET /api/merchant/statement.csv`. */
export const statementQuery = z
  .object({
    from: z._default(z.nullable(timeField), null),
    to: z._default(z.nullable(timeField), null),
    user_reference_id: z._default(z.nullable(userReference), null),
  })
  .check(
    z.refine(({ from, to }) => from === null || to === null || from < to, {
      path: ['to'],
      error: 'must be later than from',
    }),
  )
export type StatementQuery = z.output<typeof statementQuery>

/** `POST /api/merchant/redeliveries`. */
export const redeliveryRequest = z.union(
  [
    z.strictObject({ cursors: z.array(textField(200, 1)).check(z.minLength(1), z.maxLength(1000)) }),
    z.strictObject({ dead: z.literal(true) }),
    z.strictObject({
      since: timeField,
      until: z.optional(timeField),
      state: z.optional(deliveryState),
    }),
  ],
  {
    error:
      'must be {"cursors": [...]} with 1 to 1000 cursors of the events feed, or {"dead": true}, or {"since": "…"} with a time',
  },
)
export type RedeliveryRequest = z.output<typeof redeliveryRequest>

/** The query of the merchant's lists: the cursor to continue after, and the number of rows. */
export const feedQuery = z.object({
  after: z._default(z.nullable(textField(200, 1)), null),
  limit: z.prefault(countField(1, 1000), '100'),
})
export type FeedQuery = z.output<typeof feedQuery>

/** The query of `GET /api/merchant/quarantine`. The use case knows the reasons. */
export const quarantineQuery = z.extend(feedQuery, {
  reason: z._default(z.nullable(textField(100, 1)), null),
  state: z._default(z.enum(['open', 'settled'], { error: 'must be open or settled' }), 'open'),
})
export type QuarantineQuery = z.output<typeof quarantineQuery>

/** `POST /api/merchant/quarantine/{id}/resolution`. */
export const quarantineResolution = z.object({
  action: z.enum(['apply', 'dismiss'], { error: 'must be apply or dismiss' }),
  note: z.optional(z.nullable(textField(1000))),
})
export type QuarantineResolution = z.output<typeof quarantineResolution>
