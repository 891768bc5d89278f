import type { Fact } from '../facts.ts'
import type { PayoutRow, Source, WithdrawalRow } from '../rows.ts'
import { settleWithdrawal } from '../settle-withdrawal.ts'
import { isStatusOf, type StatusOf } from '../transaction-statuses.ts'
import type { UnitOfWork } from '../unit-of-work.ts'

/** A fact of a payout, with a status that payouts have. */
export type PayoutFact = Fact & { readonly status: StatusOf<'payout'> }

export const isPayout = (fact: Fact): fact is PayoutFact => fact.kind === 'payout' && isStatusOf('payout', fact.status)

/** A payout's state, and who told it. */
export interface PayoutState extends Pick<PayoutRow, 'transaction_uuid' | 'status' | 'amount'> {
  readonly tx_hash: string | null
  readonly source: Source
  /** The message that told it, as text; it is kept if a person must see it. */
  readonly evidence: string
}

/** Applies a payout's state to its withdrawal, and reports the payout if the withdrawal had failed before. */
export function followPayout(unit: UnitOfWork, row: WithdrawalRow, payout: PayoutState): WithdrawalRow {
  const after = settleWithdrawal(unit, row, {
    evidence: { kind: 'payout', transaction_uuid: payout.transaction_uuid, status: payout.status },
    source: payout.source,
    txHash: payout.tx_hash,
    also: { record_status: payout.status, paid_amount: payout.amount },
  })
  if (row.status === 'failed' && after.status !== 'failed')
    unit.quarantine({
      reason: 'late_payout',
      event_name: 'User Payout',
      user_reference_id: row.user_reference_id,
      transaction_uuid: payout.transaction_uuid,
      event: payout.evidence,
    })
  return after
}
