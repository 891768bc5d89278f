import type { MerchantPayout } from '#lib/contract/withdrawal-requests.ts'
import type { PayoutRow } from '../rows.ts'

/** A payout as the merchant sees it. */
export const payoutView = (row: PayoutRow): MerchantPayout => ({
  transaction_uuid: row.transaction_uuid,
  user_reference_id: row.user_reference_id,
  currency_id: row.currency_id,
  currency_code: row.currency_code,
  network: row.network,
  amount: row.amount,
  to_address: row.to_address,
  status: row.status,
  inserted_at: row.inserted_at,
  first_seen_at: new Date(row.first_seen_ms).toISOString(),
  owner: row.owner,
  withdrawal_id: row.withdrawal_id,
  note: row.note,
})
