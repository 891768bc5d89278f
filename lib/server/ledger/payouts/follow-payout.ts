import { comparePaid } from '../compare.ts'
import { contradicted, reportDispute } from '../disputes.ts'
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

/** The gateway paid over a quarter more than was asked for: more than a fee. The user is debited what was asked for. */
function reportExcess(unit: UnitOfWork, row: WithdrawalRow, { transaction_uuid, status, ...paid }: PayoutState): void {
  const { id, amount, user_reference_id } = row
  if (status !== 'succeeded' || row.record_status === status || comparePaid(paid.amount, amount) !== 'differ') return
  const about = { kind: 'payout', transaction_uuid, user_reference_id } as const
  reportDispute(
    unit,
    'contradiction',
    about,
    contradicted({ withdrawal_id: id, amount, paid_amount: paid.amount }, paid.evidence),
  )
}

/** Applies a payout's state to its withdrawal. */
export function followPayout(unit: UnitOfWork, row: WithdrawalRow, payout: PayoutState): WithdrawalRow {
  reportExcess(unit, row, payout)
  return settleWithdrawal(unit, row, {
    evidence: { kind: 'payout', transaction_uuid: payout.transaction_uuid, status: payout.status },
    source: payout.source,
    txHash: payout.tx_hash,
    message: payout.evidence,
    also: { record_status: payout.status, paid_amount: payout.amount },
  })
}
