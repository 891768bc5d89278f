import { fold } from './facts.ts'
import type { WithdrawalRow } from './rows.ts'
import { settleWithdrawal } from './settle-withdrawal.ts'
import { isStatusOf } from './transaction-states.ts'
import type { UnitOfWork } from './unit-of-work.ts'

/**
 * Gives a withdrawal the payout that the gateway's own reply named, where a webhook or the list has told of it before:
 * neither amount nor address need fit then. The unit has loaded the payout with its facts.
 */
export function followNamed(unit: UnitOfWork, row: WithdrawalRow, transaction_uuid: string): void {
  const payout = unit.transaction('payout', transaction_uuid)
  if (payout === null || payout.withdrawal_id !== null || row.transaction_uuid !== null) return
  const folded = fold(unit.facts('payout', transaction_uuid))
  if (folded.user_reference_id !== row.user_reference_id || !isStatusOf('payout', folded.status)) return
  unit.putTransaction({ ...payout, withdrawal_id: row.id })
  settleWithdrawal(unit, row, {
    evidence: { kind: 'payout', transaction_uuid, status: folded.status },
    source: folded.source,
    txHash: folded.tx_hash,
    also: { record_status: folded.status, paid_amount: folded.amount },
  })
}
