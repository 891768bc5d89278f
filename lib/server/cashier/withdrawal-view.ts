import type { Withdrawal, WithdrawalStatus } from '#lib/contract/cashier.ts'
import type { WithdrawalRow } from '../store/port.ts'

/** A withdrawal as the page and the merchant see it. */
export const viewOf = (row: WithdrawalRow): Withdrawal => ({
  id: row.id,
  status: row.status as WithdrawalStatus,
  amount: row.amount,
  currency: row.currency_code,
  network: row.network,
  wallet_address: row.wallet_address,
  requires_approval: row.requires_approval === 1,
  transaction_uuid: row.transaction_uuid,
  failure_reason: row.failure_reason,
  user_message: row.user_message,
})
