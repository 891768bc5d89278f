import { fold, type Fact } from './facts.ts'
import type { Source, WithdrawalRow } from './rows.ts'
import { settleWithdrawal } from './settle-withdrawal.ts'
import { isStatusOf, type StatusOf } from './transaction-statuses.ts'
import type { UnitOfWork } from './unit-of-work.ts'

/** A payout as a fact: its status is one of a payout's. */
export type PayoutFact = Fact & { readonly status: StatusOf<'payout'> }

export const isPayout = (fact: Fact): fact is PayoutFact => fact.kind === 'payout' && isStatusOf('payout', fact.status)

/** Applies a payout's state to the withdrawal of a user who is locked. Returns the row as it is then. */
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
 * Gives a withdrawal the payout that the gateway's own reply names, where a webhook or the list has told of it before:
 * neither amount nor address need fit then, and what only webhooks say of it is followed from now on. The unit has loaded
 * the payout with its facts.
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
