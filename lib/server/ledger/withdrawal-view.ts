import type { Withdrawal } from '#lib/contract/cashier.ts'
import type { MerchantWithdrawal } from '#lib/contract/merchant-requests.ts'
import type { WithdrawalRow } from './rows.ts'

/** A withdrawal as the page sees it. */
export const withdrawalView = (row: WithdrawalRow): Withdrawal => ({
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
})

/** A withdrawal as the merchant's lists have it. */
export const merchantWithdrawalView = (row: WithdrawalRow): MerchantWithdrawal => ({
  ...withdrawalView(row),
  user_reference_id: row.user_reference_id,
  created_at: new Date(row.created_ms).toISOString(),
  updated_at: new Date(row.updated_ms).toISOString(),
  attention: row.attention,
  paid_amount: row.paid_amount,
})
