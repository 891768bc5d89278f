/** Facts that contradict what is stored. */
import { compareTexts } from './compare.ts'
import { contradicted, reportDispute } from './disputes.ts'
import { CHANGED } from './line-key.ts'
import { fold, type Fact } from './facts.ts'
import { followPayout, isPayout, type PayoutFact } from './payouts/follow-payout.ts'
import { matchOpenPayouts, recordPayout, type PayoutOptions } from './payouts/payout-owners.ts'
import type { Dispute, PayoutRow, RecordRow, TransactionKey, TransactionRow, WithdrawalRow } from './rows.ts'
import { isToldSucceeded, listedClaim, othersClaim, reopenedClaim } from './told-claims.ts'
import { rankOf, UNCONFIRMED_STANDINGS } from './transaction-statuses.ts'
import type { UnitOfWork } from './unit-of-work.ts'
import { markTakenBack, possibleTransactions } from './vanished-records.ts'

/** The message that takes back what was final, and what stands. */
export const contradiction = (stored: readonly Fact[], evidence: string, ending = '}'): string => {
  const own = stored.filter(({ misplaced }) => misplaced === undefined)
  return contradicted(own.length === 0 ? null : fold(own), evidence, ending)
}

/**
 * Webhook and list disagree, or a source changes what was final: nothing more is booked, and quarantine has one open
 * line. If that line was dismissed, the next webhook opens another one; the list does so when it says something new.
 */
export function dispute(unit: UnitOfWork, reason: Dispute, fact: Fact, evidence: string): void {
  const row = unit.transaction(fact.kind, fact.transaction_uuid)
  const isListed = fact.source === 'reconciliation'
  const isDisputed = row?.standing === 'disputed'
  if (isListed && fact.misplaced === true && (row === null || isDisputed)) return
  const own = unit.facts(fact.kind, fact.transaction_uuid).filter(({ misplaced }) => misplaced === undefined)
  const listed = isListed ? [fact] : own.filter(({ source }) => source === 'reconciliation')
  const holder = own.find(({ told }) => told !== undefined) ?? own[0]
  const isOthers = compareTexts(row?.user_reference_id ?? null, fact.user_reference_id) === 'differ'
  const claim = listed.length === 0 ? '' : listedClaim(fold(listed))
  const said = isListed && isOthers ? othersClaim(claim, fact) : claim
  if (isListed && isDisputed && holder?.told?.said === said) return
  // This line tells that the list has the record again: if it vanishes once more, that is told once more.
  const isShown = isListed && fact.misplaced !== true
  if (row !== null && (!isDisputed || (isShown && row.vanished_ms !== null)))
    unit.putTransaction({ ...row, standing: 'disputed', ...(isShown && { vanished_ms: null }) })
  // What the list said is kept with a fact, so that the list, which says it each time, reports it once.
  if (holder !== undefined && (isListed || !isDisputed)) unit.replaceFact({ ...holder, told: { reason, said } })
  reportDispute(unit, reason, fact, evidence)
}

/** Keeps what a person was told last that the list says of a disputed transaction. */
export function noteSaid(unit: UnitOfWork, { kind, transaction_uuid }: TransactionKey, said: string): void {
  const holder = unit.facts(kind, transaction_uuid).find(({ told }) => told !== undefined)
  if (holder?.told !== undefined) unit.replaceFact({ ...holder, told: { ...holder.told, said } })
}

/**
 * Reports, once each, disputed transactions that the list has long shown as under way again, after a person was told of
 * their success.
 */
export function reportUnsaid(
  unit: UnitOfWork,
  user: string,
  records: readonly Pick<RecordRow, 'transaction_uuid' | 'record'>[],
): void {
  for (const { transaction_uuid, record } of records)
    for (const { kind } of possibleTransactions(transaction_uuid)) {
      const row = unit.transaction(kind, transaction_uuid)
      if (row?.standing !== 'disputed' || compareTexts(row.user_reference_id, user) === 'differ') continue
      const stored = unit.facts(kind, transaction_uuid)
      if (!isToldSucceeded(stored)) continue
      noteSaid(unit, row, reopenedClaim(stored))
      reportDispute(unit, disputeReasonOf(stored), row, contradiction(stored, record, CHANGED))
    }
}

/** The reason of a disputed transaction's line. */
export const disputeReasonOf = (facts: readonly Fact[]): Dispute =>
  facts.find(({ told }) => told !== undefined)?.told?.reason ?? 'list_conflict'

/** A replica of the list may lag behind what the list has said before. */
const latest = ({ inserted_ms, status: known }: PayoutRow, fact: PayoutFact): PayoutFact['status'] =>
  inserted_ms !== null && (rankOf('payout', known) ?? 0) > (rankOf('payout', fact.status) ?? 0) ? known : fact.status

/**
 * A payout about which webhook and list disagree is still a payout: a person says whose it is. It is what the list says
 * of it, whatever an event said: it may be a withdrawal of the user in whose list it is.
 */
export function recordDisputed(unit: UnitOfWork, fact: Fact, options: PayoutOptions): void {
  const { transaction_uuid, misplaced, source } = fact
  const known = unit.payout(transaction_uuid)
  const isRecorded = source === 'webhook' && known?.awaits_list === 0
  if (!isPayout(fact) || misplaced === true || isRecorded || unit.withdrawalOf(transaction_uuid) !== null) return
  recordPayout(unit, known === null ? fact : { ...fact, status: latest(known, fact) }, null, options)
}

/** A withdrawal follows its record's status, whatever else of that record is disputed: the amount asked for is booked. */
export function followDisputed(unit: UnitOfWork, fact: Fact, options: PayoutOptions): void {
  const { source, misplaced, transaction_uuid, user_reference_id } = fact
  if (source !== 'reconciliation' || misplaced === true || !isPayout(fact)) return
  const withdrawal = unit.withdrawalOf(transaction_uuid)
  if (withdrawal === null || withdrawal.record_status === fact.status) return
  if (compareTexts(user_reference_id, withdrawal.user_reference_id) === 'differ') return
  recordPayout(unit, fact, withdrawal, options)
  followPayout(unit, withdrawal, { ...fact, evidence: options.evidence })
  // The withdrawal may have failed by this payout, and have been paid by another.
  matchOpenPayouts(unit, withdrawal.user_reference_id, options.clockOffset ?? null)
}

/**
 * The list takes back how a withdrawal has ended, for the first time: the payout failed for which it was booked as paid,
 * by an event that it named; or the record that counts as failed, perhaps by a person's word, has a word that nobody
 * knows and that may mean a success.
 */
export function takesBackEnd(unit: UnitOfWork, fact: Fact, stored: readonly Fact[]): boolean {
  if (!isPayout(fact) || fact.misplaced === true || stored.some(({ status }) => status === fact.status)) return false
  const withdrawal = unit.withdrawalOf(fact.transaction_uuid)
  return fact.status === 'failed'
    ? withdrawal?.status === 'succeeded'
    : fact.status === 'other' && withdrawal?.failure === 'record' && stored.length > 0
}

/**
 * The failure by which the list took back a payout's success that only a person's word had told, and that it says itself
 * now.
 */
export const revokedWord = (unit: UnitOfWork, fact: Fact, stored: readonly Fact[]): Fact | undefined =>
  isPayout(fact) &&
  fact.status === 'succeeded' &&
  unit.withdrawalOf(fact.transaction_uuid)?.status === 'succeeded' &&
  stored.every(({ status }) => status !== 'succeeded')
    ? stored.find(({ status, source }) => status === 'failed' && source === 'reconciliation')
    : undefined

/**
 * What this transaction was before, if it was money that went the other way: one id is a deposit or a payout, never both.
 * A purchase may be listed as the deposit that it became. Messages that may be another merchant's do not count.
 */
export function otherWay(unit: UnitOfWork, { kind, transaction_uuid }: Fact): TransactionRow | WithdrawalRow | null {
  const kinds = kind === 'payout' ? (['deposit', 'onramp'] as const) : (['payout'] as const)
  const known = kinds
    .flatMap((one) => unit.transaction(one, transaction_uuid) ?? [])
    .find(({ standing }) => !UNCONFIRMED_STANDINGS.includes(standing))
  return known ?? (kind === 'payout' ? null : unit.withdrawalOf(transaction_uuid))
}

/** The first stays, and a person is told. What may be a payout has no owner: it may be that of any withdrawal. */
export function disputeKind(
  unit: UnitOfWork,
  fact: Fact,
  stands: TransactionRow | WithdrawalRow,
  options: PayoutOptions,
): void {
  reportDispute(unit, 'contradiction', fact, contradicted(stands, options.evidence))
  if (fact.source === 'reconciliation' && 'kind' in stands) markTakenBack(unit, stands)
  recordDisputed(unit, fact, options)
}
