import * as z from 'zod/mini'
import { WITHDRAWAL_RULE_NAMES, type Withdrawal, type WithdrawalWait } from '#lib/contract/cashier.ts'
import type { KeptResolution, MerchantWithdrawal } from '#lib/contract/withdrawal-requests.ts'
import { attentionOf } from './payouts/attention.ts'
import type { PayoutRow, WithdrawalColumns, WithdrawalRow } from './rows.ts'

const storedRules = z.array(z.enum(WITHDRAWAL_RULE_NAMES))

/** What the withdrawal waits for, or has waited for. */
export const waitView = ({
  status,
  review,
  wait_until_ms,
  early_decision,
}: Pick<WithdrawalColumns, 'status' | 'review' | 'wait_until_ms' | 'early_decision'>): WithdrawalWait => ({
  review: review === null ? [] : storedRules.parse(JSON.parse(review)),
  wait_until: wait_until_ms === null ? null : new Date(wait_until_ms).toISOString(),
  awaits_decision: status === 'pending_authorization' && early_decision === null,
})

/** A withdrawal as the page sees it, now or in its first result. */
export const withdrawalView = (row: WithdrawalColumns): Withdrawal => ({
  id: row.id,
  status: row.status,
  amount: row.amount,
  currency: row.currency_code,
  network: row.network,
  wallet_address: row.wallet_address,
  requires_approval: row.requires_approval === 1,
  transaction_uuid: row.transaction_uuid,
  failure_reason: row.failure_reason,
  user_message: row.user_message,
  ...waitView(row),
})

/** The form in which `merchant/resolve-withdrawal.ts` stores a resolution: the request, and its time. */
const storedResolution = z.object({
  outcome: z.enum(['sent', 'not_sent']),
  transaction_uuid: z._default(z.nullable(z.string()), null),
  note: z._default(z.nullable(z.string()), null),
  resolved_at: z.string(),
  settled_by: z._default(z.string(), 'merchant'),
})

/** A person's decision as it is stored. */
export const resolutionView = (stored: string | null): KeptResolution | null =>
  stored === null ? null : storedResolution.parse(JSON.parse(stored))

/**
 * A withdrawal as the merchant's lists have it.
 * @param open the payouts of its user that nobody owns
 */
export const merchantWithdrawalView = (
  row: WithdrawalRow,
  open: readonly PayoutRow[],
  nowMs: number,
): MerchantWithdrawal => ({
  ...withdrawalView(row),
  user_reference_id: row.user_reference_id,
  created_at: new Date(row.created_ms).toISOString(),
  updated_at: new Date(row.updated_ms).toISOString(),
  attention: attentionOf(row, open, nowMs),
  // A payout that is under way or has failed is linked with its amount too: a merchant would book it by mistake.
  paid_amount: row.status === 'succeeded' ? row.paid_amount : null,
  resolution: resolutionView(row.resolution),
})
