/** The calls of the merchant's backend about withdrawals and payouts, and what they show. */
import * as z from 'zod/mini'
import { WITHDRAWAL_STATUSES, type Withdrawal } from './cashier.ts'
import { countField, identifierField, textField, userReference } from './request-fields.ts'

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
