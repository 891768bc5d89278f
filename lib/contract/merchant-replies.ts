/**
 * The replies and outbound calls to the merchant's backend, one schema for each. docs/openapi.json is generated from
 * these and from the request schemas. Amounts are decimal strings, times ISO 8601 in UTC.
 */
import * as z from 'zod/mini'
import {
  balanceSchema,
  problemSchema,
  transactionNodeSchema,
  transactionsPageSchema,
  withdrawalSchema,
} from './cashier.ts'
import { PAYOUT_OWNERS } from './withdrawal-requests.ts'
import { PROBLEM_STATUS, type ProblemCode } from './problems.ts'
import { transactionEventSchema } from './stream.ts'

const time = z.iso.datetime()

export const problemReply = z.extend(problemSchema, {
  code: z.enum(Object.keys(PROBLEM_STATUS) as ProblemCode[]),
  withdrawal_status: z.optional(z.string()),
  unowned: z.optional(z.array(z.string())),
})

export const ratesReply = z.object({ rates: z.record(z.string(), z.string()), told_at: time })

export const createdSessionReply = z.object({
  session_id: z.string(),
  launch_token: z.string(),
  launch_url: z.string(),
  expires_at: time,
  warnings: z.optional(z.array(z.string())),
})

/**
 * The statuses of each kind of transaction in feed and webhook. A payout that the user requested has its withdrawal's.
 */
export const EVENT_STATUSES = {
  deposit: ['processing', 'succeeded', 'failed', 'other'],
  payout: ['pending_authorization', 'processing', 'awaiting_approval', 'unknown', 'succeeded', 'failed', 'other'],
  onramp: ['pending', 'processing', 'succeeded', 'failed'],
} as const

/** `data` of a feed event and of a webhook. */
export const transactionData = z.extend(transactionEventSchema, {
  status: z.enum([...new Set(Object.values(EVENT_STATUSES).flat())]),
  updated_at: time,
  user_reference_id: z.nullable(z.string()),
  source: z.enum(['webhook', 'reconciliation', 'cashier']),
  metadata: z.optional(z.record(z.string(), z.unknown())),
  payment_method: z.optional(z.string()),
  merchant_reference: z.optional(z.string()),
})

export const feedEvent = z.object({
  cursor: z.string(),
  type: z.literal('transaction.updated'),
  created_at: time,
  data: transactionData,
})
export const feedReply = z.object({ events: z.array(feedEvent), next_cursor: z.string() })

export const balancesReply = z.object({ balances: z.array(balanceSchema) })

export const ledgerEntry = z.object({
  id: z.string(),
  booked_at: time,
  currency_id: z.string(),
  currency_code: z.string(),
  network: z.string(),
  amount: z.string(),
  account: z.enum(['available', 'held']),
  reason: z.string(),
  transaction_uuid: z.optional(z.string()),
  withdrawal_id: z.optional(z.string()),
  reference: z.optional(z.string()),
})
export const entriesReply = z.object({ entries: z.array(ledgerEntry), next_cursor: z.string() })

export const adjustmentReply = z.object({
  user_reference_id: z.string(),
  currency_id: z.string(),
  amount: z.string(),
  reference: z.string(),
  available: z.string(),
  held: z.string(),
  created_at: time,
})

/** The reply to a decision. */
export const withdrawalReply = withdrawalSchema

export const merchantWithdrawal = z.extend(withdrawalSchema, {
  user_reference_id: z.string(),
  created_at: time,
  updated_at: time,
  attention: z.nullable(z.enum(['unmatched_payout', 'overdue'])),
  paid_amount: z.nullable(z.string()),
  resolution: z.nullable(
    z.object({
      outcome: z.enum(['sent', 'not_sent']),
      transaction_uuid: z.nullable(z.string()),
      note: z.nullable(z.string()),
      resolved_at: time,
      settled_by: z.string(),
    }),
  ),
})
export const withdrawalsReply = z.object({ withdrawals: z.array(merchantWithdrawal), next_cursor: z.string() })

export const merchantPayout = z.object({
  transaction_uuid: z.string(),
  user_reference_id: z.string(),
  currency_id: z.string(),
  currency_code: z.string(),
  network: z.string(),
  amount: z.nullable(z.string()),
  to_address: z.nullable(z.string()),
  status: z.enum(['processing', 'awaiting_approval', 'succeeded', 'failed', 'other']),
  inserted_at: z.nullable(z.string()),
  first_seen_at: time,
  owner: z.nullable(z.enum(PAYOUT_OWNERS)),
  withdrawal_id: z.nullable(z.string()),
  note: z.nullable(z.string()),
})
export const payoutsReply = z.object({ payouts: z.array(merchantPayout), next_cursor: z.string() })

const { page_info, total_count, left_out } = transactionsPageSchema.shape
export const merchantTransactionsReply = z.object({
  edges: z.array(
    z.object({
      cursor: z.string(),
      inserted_at: z.string(),
      node: z.extend(z.omit(transactionNodeSchema, { wait: true }), {
        user_reference_id: z.string(),
        merchant_reference: z.nullable(z.string()),
      }),
    }),
  ),
  page_info,
  total_count,
  left_out,
})

export const quarantineItemReply = z.object({
  id: z.string(),
  reason: z.string(),
  received_at: time,
  event: z.unknown(),
  settled_at: z.nullable(time),
  settled_by: z.nullable(z.string()),
  note: z.nullable(z.string()),
})
export const quarantineReply = z.object({ items: z.array(quarantineItemReply), next_cursor: z.string() })
export const quarantineResolutionReply = z.object({ outcome: z.string(), item: quarantineItemReply })

export const redeliveryReply = z.object({ queued: z.number() })

export const deliveryViewReply = z.object({ view_url: z.string(), token: z.string(), expires_at: time })

export const connectionReply = z.object({
  client_address: z.string(),
  forwarded_entries: z.number(),
  trust_proxy: z.number(),
})

/** The body of `POST MERCHANT_WEBHOOK_URL`. */
export const transactionUpdated = z.object({
  type: z.literal('transaction.updated'),
  timestamp: time,
  cursor: z.string(),
  data: transactionData,
})
export const testEvent = z.object({ type: z.literal('test'), timestamp: time, data: z.strictObject({}) })

/** The body of `POST MERCHANT_AUTHORIZE_URL`, and the merchant's reply. */
export const authorizationRequest = z.object({
  withdrawal_id: z.string(),
  user_reference_id: z.string(),
  amount: z.string(),
  currency: z.object({ id: z.string(), currency_code: z.string(), network: z.string() }),
  wallet_address: z.string(),
})
export const authorizationReply = z.strictObject({
  decision: z.enum(['approve', 'decline', 'postpone']),
  user_message: z.optional(z.nullable(z.string())),
})
