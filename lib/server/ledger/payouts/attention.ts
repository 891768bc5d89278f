import type { WithdrawalAttention } from '#lib/contract/withdrawal-requests.ts'
import type { PayoutRow, WithdrawalRow } from '../rows.ts'
import { mayBePaidBy } from './attempts.ts'

/**
 * Why a person must look at this withdrawal; null if nobody must.
 * @param open the user's payouts that nobody owns
 */
export function attentionOf(row: WithdrawalRow, open: readonly PayoutRow[], nowMs: number): WithdrawalAttention | null {
  if (open.some((payout) => mayBePaidBy(row, payout, nowMs))) return 'unmatched_payout'
  return row.overdue_ms === null ? null : 'overdue'
}
