/** The request bodies and queries of the merchant's backend, one schema for each call. */
import * as z from 'zod/mini'
import {
  FLOWS,
  THEMES,
  WITHDRAWAL_STATUSES,
  type TransactionNode,
  type TransactionsPage,
  type Withdrawal,
} from './cashier.ts'
import { transactionsQuery } from './cashier-requests.ts'
import { canonicalId } from './canonical-id.ts'
import { COUNTRIES } from './countries.ts'
import { deliveryState } from './delivery-states.ts'
import { decimal, isZero } from './money.ts'
import { plainTextField } from './plain-text.ts'
import { readThemeTokens, type ThemeTokens } from './read-theme-tokens.ts'
import {
  countField,
  decimalField,
  gatewayIdField,
  identifierField,
  languageTag,
  patternField,
  textField,
  timeField,
  userReference,
} from './request-fields.ts'

const MAX_URL = 2048

const webAddress = (given: string): URL | null => {
  if (given.length > MAX_URL || !URL.canParse(given)) return null
  const url = new URL(given)
  return /^https?:$/.test(url.protocol) && url.username === '' && url.password === '' ? url : null
}

const MOST_LABEL_CHARACTERS = 60

const MOST_METADATA_BYTES = 2048

/** An object that is small enough as JSON. The merchant decides its content. */
const isMetadata = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  new TextEncoder().encode(JSON.stringify(value)).length <= MOST_METADATA_BYTES

const url = (isAllowed: (address: URL) => boolean, error: string) =>
  z.pipe(
    z.string({ error }).check(
      z.refine(
        (given) => {
          const address = webAddress(given)
          return address !== null && isAllowed(address)
        },
        { error },
      ),
    ),
    z.transform((given: string) => new URL(given).href),
  )

const themeTokens = z.pipe(
  z.unknown(),
  z.transform((value, context): ThemeTokens => {
    const read = readThemeTokens(value)
    if (read.ok) return read.tokens
    for (const message of read.faults) context.issues.push({ code: 'custom', message, input: value })
    return z.NEVER
  }),
)

/** Many backends write null for a missing field. */
const withoutNulls = z.transform((body: unknown): unknown =>
  typeof body === 'object' && body !== null && !Array.isArray(body)
    ? Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null))
    : body,
)

/**
 * `POST /api/merchant/sessions`. An unknown field is an error: a misspelled `flows` would grant all of them.
 * @param embedOrigins the origins that a `return_url` may have
 */
export const createSessionRequest = (embedOrigins: readonly string[]) =>
  z.pipe(
    withoutNulls,
    z.strictObject({
      user_reference_id: userReference,
      flows: z.optional(
        z.pipe(
          z
            .array(z.enum(FLOWS, { error: `must be one of ${FLOWS.join(', ')}` }))
            .check(z.minLength(1, { error: 'must name at least one flow' })),
          z.transform((flows) => [...new Set(flows)]),
        ),
      ),
      locale: z.optional(languageTag),
      theme: z.optional(z.enum(THEMES, { error: `must be one of ${THEMES.join(', ')}` })),
      tokens: z.optional(themeTokens),
      support_url: z.optional(url(({ protocol }) => protocol === 'https:', 'must be an https address')),
      country: z.optional(
        z
          .string()
          .check(
            z.refine((code) => COUNTRIES.includes(code), { error: 'must be an ISO 3166-1 alpha-2 code, such as DE' }),
          ),
      ),
      currency_ids: z.optional(
        z.pipe(
          z
            .array(z.guid({ error: 'must be a UUID' }))
            .check(
              z.minLength(1, { error: 'must name at least one currency' }),
              z.maxLength(1000, { error: 'must name at most 1000 currencies' }),
            ),
          z.transform((ids) => [...new Set(ids.map(canonicalId))]),
        ),
      ),
      return_url: z.optional(
        url(
          ({ origin }) => embedOrigins.includes(origin),
          'must be an http or https address whose origin is one of EMBED_ORIGINS',
        ),
      ),
      account_label: z.optional(plainTextField(MOST_LABEL_CHARACTERS)),
      merchant_name: z.optional(plainTextField(MOST_LABEL_CHARACTERS)),
      metadata: z.optional(
        z.custom<Readonly<Record<string, unknown>>>(isMetadata, {
          error: 'must be an object of at most 2048 bytes as JSON',
        }),
      ),
      own_wallet: z.optional(z.boolean({ error: 'must be true or false' })),
    }),
  )
export type CreateSessionRequest = z.output<ReturnType<typeof createSessionRequest>>

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

/** `POST /api/merchant/withdrawals/{withdrawal_id}/authorization`. */
export const withdrawalDecisionRequest = z.object({
  decision: z.enum(['approve', 'decline'], { error: 'must be approve or decline' }),
  user_message: z.optional(z.nullable(textField(500))),
})
export type WithdrawalDecisionRequest = z.output<typeof withdrawalDecisionRequest>

/** Why a person must settle a withdrawal (docs/explanation/money.md, "Absence"). */
export type WithdrawalAttention = 'unmatched_payout' | 'overdue'

/** How a person settled a withdrawal. A later report of the gateway takes precedence, but this record stays. */
export interface KeptResolution {
  readonly outcome: 'sent' | 'not_sent'
  /** The payout that the person named with `sent`. */
  readonly transaction_uuid: string | null
  readonly note: string | null
  readonly resolved_at: string
  /** `merchant`, or `operator:` and the name of a person in the console. */
  readonly settled_by: string
}

/** A withdrawal as the merchant's lists have it. */
export interface MerchantWithdrawal extends Withdrawal {
  readonly user_reference_id: string
  readonly created_at: string
  readonly updated_at: string
  readonly attention: WithdrawalAttention | null
  /** The amount of the payout at the gateway; null unless it has succeeded. The user is debited `amount`. */
  readonly paid_amount: string | null
  /** The last resolution by a person; null if there is none. */
  readonly resolution: KeptResolution | null
}

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

/** The query of `GET /api/merchant/withdrawals`. */
export const withdrawalsQuery = z.object({
  status: z._default(
    z.nullable(z.enum(WITHDRAWAL_STATUSES, { error: `must be one of ${WITHDRAWAL_STATUSES.join(', ')}` })),
    null,
  ),
  user_reference_id: z._default(z.nullable(userReference), null),
  after: z._default(z.nullable(textField(200, 1)), null),
  limit: z.prefault(countField(1, 1000), '100'),
})
export type WithdrawalsQuery = z.output<typeof withdrawalsQuery>

const note = z.optional(z.nullable(textField(1000)))

/** `POST /api/merchant/withdrawals/{withdrawal_id}/resolution`. */
export const withdrawalResolutionRequest = z.discriminatedUnion(
  'outcome',
  [
    z.object({ outcome: z.literal('sent'), transaction_uuid: z.guid({ error: 'must be a UUID' }), note }),
    z.object({ outcome: z.literal('not_sent'), note }),
  ],
  { error: 'must be sent or not_sent' },
)
export type WithdrawalResolutionRequest = z.output<typeof withdrawalResolutionRequest>

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

export const PAYOUT_OWNERS = ['withdrawal', 'acknowledged', 'before'] as const

/** The query of `GET /api/merchant/payouts`; `none` are the payouts that nobody owns. */
export const payoutsQuery = z.object({
  owner: z._default(
    z.nullable(
      z.enum(['none', ...PAYOUT_OWNERS], { error: `must be one of ${['none', ...PAYOUT_OWNERS].join(', ')}` }),
    ),
    null,
  ),
  user_reference_id: z._default(z.nullable(userReference), null),
  // It contains a transaction's id, which the gateway chooses.
  after: z._default(z.nullable(textField(300, 1)), null),
  limit: z.prefault(countField(1, 1000), '100'),
})
export type PayoutsQuery = z.output<typeof payoutsQuery>

/** A payout as the merchant's list has it (docs/explanation/money.md, "Every payout has an owner"). */
export interface MerchantPayout {
  readonly transaction_uuid: string
  readonly user_reference_id: string
  readonly currency_id: string
  readonly currency_code: string
  readonly network: string
  readonly amount: string | null
  readonly to_address: string | null
  readonly status: 'processing' | 'awaiting_approval' | 'succeeded' | 'failed' | 'other'
  /** By the gateway's list; null while only events have shown it. */
  readonly inserted_at: string | null
  readonly first_seen_at: string
  /** Null while nobody owns it. */
  readonly owner: (typeof PAYOUT_OWNERS)[number] | null
  readonly withdrawal_id: string | null
  readonly note: string | null
}

const writtenNote = z
  .string({ error: 'must be text of 1 to 1000 characters' })
  .check(z.regex(/^(?=[\s\S]*\S)[\s\S]{1,1000}$/, { error: 'must be text of 1 to 1000 characters' }))

/** `POST /api/merchant/payouts/{transaction_uuid}/owner`. An unknown field is an error: the answer decides about money. */
export const payoutOwnerRequest = z.union(
  [
    z.strictObject({ withdrawal_id: identifierField, note }),
    z.strictObject({ acknowledged: z.literal(true), note: writtenNote }),
  ],
  { error: 'must be {"withdrawal_id": "…"}, or {"acknowledged": true, "note": "…"}' },
)
export type PayoutOwnerRequest = z.output<typeof payoutOwnerRequest>

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
