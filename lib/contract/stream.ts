/**
 * Events of the live stream (docs/explanation/page-api.md, "Live stream"). `id` of an event is the user's own sequence
 * number.
 */
import * as z from 'zod/mini'

export const transactionEventSchema = z.object({
  /** Null while a withdrawal has no transaction; `withdrawal_id` is then the key. */
  transaction_uuid: z.nullable(z.string()),
  kind: z.enum(['deposit', 'payout', 'onramp']),
  /**
   * Deposits: processing, succeeded. Payouts: a withdrawal's status. On-ramps: pending, processing, succeeded, failed.
   */
  status: z.string(),
  amount: z.nullable(z.string()),
  currency_code: z.string(),
  network: z.string(),
  tx_hash: z.nullable(z.string()),
  updated_at: z.string(),
  session_reference: z.optional(z.string()),
  withdrawal_id: z.optional(z.string()),
})
export type TransactionEvent = z.infer<typeof transactionEventSchema>
export type TransactionKind = TransactionEvent['kind']

export const balanceEventSchema = z.object({
  currency_id: z.string(),
  available: z.string(),
  held: z.string(),
})
export type BalanceEvent = z.infer<typeof balanceEventSchema>

export type StreamEvent =
  | { readonly type: 'transaction'; readonly data: TransactionEvent }
  | { readonly type: 'balance'; readonly data: BalanceEvent }
