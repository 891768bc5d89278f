/** How a payout's facts reach its withdrawal. */
import type { Fact } from './facts.ts'
import { isPayout, settleByPayout, type PayoutFact } from './follow-payout.ts'
import type { ClockOffset } from './gateway-time.ts'
import { matchPayout } from './match-payout.ts'
import { payoutCandidates } from './payout-candidates.ts'
import type { WithdrawalRow } from './rows.ts'
import type { UnitOfWork } from './unit-of-work.ts'

export interface PayoutOptions {
  /** For a record of the list: its time, which is compared with that of a matching withdrawal. */
  readonly insertedMs?: number
  /** What is known of the gateway's clock, for that comparison. */
  readonly clockOffset?: ClockOffset
  /** The webhook's body or the record as JSON; it is stored if the payout must be reported. */
  readonly evidence: string
}

function listedMs(unit: UnitOfWork, { kind, transaction_uuid }: Fact): number | null {
  const isListed = unit.facts(kind, transaction_uuid).some(({ source }) => source === 'reconciliation')
  return isListed ? (unit.transaction(kind, transaction_uuid)?.created_ms ?? null) : null
}

function withdrawalOf(unit: UnitOfWork, fact: Fact, { insertedMs, clockOffset }: PayoutOptions): WithdrawalRow | null {
  const named = unit.withdrawalOf(fact.transaction_uuid)
  if (named !== null) return named.user_reference_id === fact.user_reference_id ? named : null
  const found = payoutCandidates(unit, fact, {
    insertedMs: insertedMs ?? null,
    listedMs: listedMs(unit, fact),
    clockOffset: clockOffset ?? null,
  })
  return found && matchPayout(found.candidates, found.payout)
}

/** Applies a payout's state to its withdrawal, and reports the payout if the withdrawal had failed before. */
export function followPayout(
  unit: UnitOfWork,
  row: WithdrawalRow,
  { source }: Fact,
  folded: PayoutFact,
  evidence: string,
): void {
  const after = settleByPayout(unit, row, folded, source)
  if (row.status === 'failed' && after.status !== 'failed')
    unit.quarantine({
      reason: 'late_payout',
      event_name: 'User Payout',
      user_reference_id: row.user_reference_id,
      transaction_uuid: folded.transaction_uuid,
      event: evidence,
    })
}

/** A payout that was seen before may belong to a withdrawal whose call became uncertain later. */
export function linkPayout(unit: UnitOfWork, fact: Fact, sure: PayoutFact, options: PayoutOptions): void {
  const row = unit.transaction(fact.kind, fact.transaction_uuid)
  if (row === null || row.withdrawal_id !== null || row.standing === 'disputed') return
  const withdrawal = withdrawalOf(unit, sure, options)
  if (withdrawal === null) return
  unit.putTransaction({ ...row, withdrawal_id: withdrawal.id })
  followPayout(unit, withdrawal, fact, sure, options.evidence)
}

/**
 * The withdrawal that a payout fits, and the state that the withdrawal may follow: null while only unconfirmed webhooks
 * report it. Webhooks that the list does not confirm are followed only if the gateway's own reply named the payout. A
 * match by amount and address, or a link that only the list made, does not prove that the event is this merchant's.
 */
export interface PayoutMatch {
  readonly withdrawal: WithdrawalRow
  readonly follow: PayoutFact | null
}

export function payoutMatch(
  unit: UnitOfWork,
  folded: PayoutFact,
  sure: Fact | null,
  options: PayoutOptions,
): PayoutMatch | null {
  const withdrawal = withdrawalOf(unit, sure ?? folded, options)
  if (withdrawal === null) return null
  if (withdrawal.reply_transaction_uuid === folded.transaction_uuid) return { withdrawal, follow: folded }
  return { withdrawal, follow: sure !== null && isPayout(sure) ? sure : null }
}
