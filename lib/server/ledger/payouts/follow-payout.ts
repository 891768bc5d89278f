import { agrees, compareAddresses, compareCurrencies, comparePaidOut, type Comparison } from '../compare.ts'
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
export interface PayoutState extends Pick<
  PayoutRow,
  'transaction_uuid' | 'status' | 'amount' | 'currency_id' | 'currency_code' | 'network' | 'to_address'
> {
  readonly tx_hash: string | null
  readonly source: Source
  /** The message that told it, as text; it is kept if a person must see it. */
  readonly evidence: string
  /** The gateway's reply, which is not stored yet, names it. */
  readonly isReply?: boolean
}

/** What else than asked for was paid by a payout that the gateway's own reply had named: no other need fit. */
const paidOtherwise = (row: WithdrawalRow, paid: PayoutState): Comparison =>
  (paid.isReply === true || row.reply_transaction_uuid === paid.transaction_uuid) &&
  !agrees(compareCurrencies(row, paid), compareAddresses(row.network, row.wallet_address, paid.to_address))
    ? 'differ'
    : 'unknown'

/**
 * The gateway paid over a quarter more than was asked for, or less than half, which is more than a fee; in another
 * currency; or to another address. The user is debited what was asked for.
 */
function reportOther(unit: UnitOfWork, row: WithdrawalRow, payout: PayoutState): void {
  const { transaction_uuid, status, amount: paid_amount, evidence } = payout
  const { id, amount, currency_code, network, wallet_address, user_reference_id } = row
  if (status !== 'succeeded' || row.record_status === status) return
  if (agrees(comparePaidOut(paid_amount, amount), paidOtherwise(row, payout))) return
  const about = { kind: 'payout', transaction_uuid, user_reference_id } as const
  const asked = { withdrawal_id: id, amount, paid_amount, currency_code, network, wallet_address }
  reportDispute(unit, 'contradiction', about, contradicted(asked, evidence))
}

/** Applies a payout's state to its withdrawal. */
export function followPayout(unit: UnitOfWork, row: WithdrawalRow, payout: PayoutState): WithdrawalRow {
  reportOther(unit, row, payout)
  return settleWithdrawal(unit, row, {
    evidence: { kind: 'payout', transaction_uuid: payout.transaction_uuid, status: payout.status },
    source: payout.source,
    txHash: payout.tx_hash,
    message: payout.evidence,
    also: { record_status: payout.status, paid_amount: payout.amount },
  })
}
