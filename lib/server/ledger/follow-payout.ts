import { fold, type Fact } from './facts.ts'
import type { Source, WithdrawalRow } from './rows.ts'
import { settleWithdrawal } from './settle-withdrawal.ts'
import { isStatusOf, type StatusOf } from './transaction-statuses.ts'
import type { UnitOfWork } from './unit-of-work.ts'

/** A fact of a payout, with a status that payouts have. */
export type PayoutFact = Fact & { readonly status: StatusOf<'payout'> }

export const isPayout = (fact: Fact): fact is PayoutFact => fact.kind === 'payout' && isStatusOf('payout', fact.status)

/** Applies a payout's state to its withdrawal; the user is locked. Returns the changed row. */
export const settleByPayout = (
  unit: UnitOfWork,
  row: WithdrawalRow,
  payout: PayoutFact,
  source: Source,
): WithdrawalRow =>
  settleWithdrawal(unit, row, {
    evidence: { kind: 'payout', transaction_uuid: payout.transaction_uuid, status: payout.status },
    source,
    txHash: payout.tx_hash,
    also: { record_status: payout.status, paid_amount: payout.amount },
  })

/**
 * Links a withdrawal to the payout that the gateway's own reply names, if a webhook or the list has reported that
 * payout before. Amount and address need not fit then, and from now on webhooks about the payout are followed even if
 * the list does not confirm them. The unit has loaded the payout with its facts.
 */
export function followNamed(unit: UnitOfWork, row: WithdrawalRow, transaction_uuid: string): void {
  const payout = unit.transaction('payout', transaction_uuid)
  if (payout === null || (payout.withdrawal_id ?? row.id) !== row.id) return
  if ((row.transaction_uuid ?? transaction_uuid) !== transaction_uuid) return
  const folded = fold(unit.facts('payout', transaction_uuid))
  if (folded.user_reference_id !== row.user_reference_id || !isPayout(folded)) return
  const standing = payout.standing === 'disputed' ? 'disputed' : 'confirmed'
  unit.putTransaction({ ...payout, withdrawal_id: row.id, standing })
  settleByPayout(unit, row, folded, folded.source)
}
