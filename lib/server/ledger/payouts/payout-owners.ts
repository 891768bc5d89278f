/** Whose each payout is (docs/explanation/money.md, "Every payout has an owner"). */
import { ZERO } from '#lib/contract/money.ts'
import { agrees, compareAmounts, compareTexts, type StatedAmount } from '../compare.ts'
import { correctionOf } from '../credits.ts'
import { contradicted, disputeLine, reportDispute } from '../disputes.ts'
import { fold, type Fact } from '../facts.ts'
import { millis, type ClockOffset } from '../gateway-time.ts'
import { parseWithdrawal } from '../parse-withdrawal.ts'
import type { PayoutOwner, PayoutRow, WithdrawalRow } from '../rows.ts'
import type { UnitOfWork } from '../unit-of-work.ts'
import { settleWithdrawal } from '../settle-withdrawal.ts'
import { hasWithdrawalEnded } from '../withdrawal-statuses.ts'
import { UNCONFIRMED_STANDINGS } from '../transaction-statuses.ts'
import { mayBePaidBy } from './attempts.ts'
import { followPayout, isPayout, type PayoutFact } from './follow-payout.ts'
import { matchPayout, type PayoutDetails } from './match-payout.ts'

export interface PayoutOptions {
  /** The time of a record of the list, and its text. Missing for an event. */
  readonly insertedMs?: number
  readonly insertedAt?: string
  /** What is known of the gateway's clock. */
  readonly clockOffset?: ClockOffset
  /** `LEDGER_START`, by the gateway's clock. */
  readonly ledgerStartMs: number
  /** The event or record as text; it is kept if a person must see it. */
  readonly evidence: string
}

/** A record of another user's list tells the time of a payout, but does not show that our own list has it. */
type ShownOptions = Omit<PayoutOptions, 'insertedMs' | 'insertedAt'> & { readonly insertedMs?: number | null }

/** What facts say of a payout. The user is known. */
function detailsOf(
  unit: UnitOfWork,
  fact: PayoutFact,
  options: Pick<PayoutOptions, 'insertedMs' | 'insertedAt'> = {},
): PayoutDetails {
  const before = unit.payout(fact.transaction_uuid)
  return {
    transaction_uuid: fact.transaction_uuid,
    user_reference_id: fact.user_reference_id ?? before?.user_reference_id ?? '',
    currency_id: fact.currency_id,
    currency_code: fact.currency_code,
    network: fact.network,
    amount: fact.amount ?? before?.amount ?? null,
    inexact: fact.inexact === true ? 1 : 0,
    to_address: fact.to_address ?? before?.to_address ?? null,
    status: fact.status,
    inserted_ms: options.insertedMs ?? before?.inserted_ms ?? null,
    inserted_at: options.insertedAt ?? before?.inserted_at ?? null,
    first_seen_ms: before?.first_seen_ms ?? unit.now,
  }
}

function rowOf(unit: UnitOfWork, details: PayoutDetails): PayoutRow {
  const before = unit.payout(details.transaction_uuid)
  const { owner = null, withdrawal_id = null, note = null, awaits_list = 0, unbooked = 0 } = before ?? {}
  return { ...details, owner, withdrawal_id, note, awaits_list, unbooked, updated_ms: unit.now }
}

/** What a payout moves: nothing if it failed. */
const movedBy = ({ status, amount, inexact }: PayoutDetails): StatedAmount =>
  status === 'failed' ? { amount: ZERO } : { amount, ...(inexact === 1 && { inexact: true }) }

/** Whether the payout stands under another user now. */
const isMoved = (unit: UnitOfWork, { transaction_uuid, user_reference_id }: PayoutDetails): boolean =>
  compareTexts(unit.payout(transaction_uuid)?.user_reference_id ?? null, user_reference_id) === 'differ'

/**
 * Whether a person said that the payout is none of ours. It counts no more once our own list shows a payout that only
 * events of an unknown merchant had shown, or that was another user's; nor once it pays what the person did not know of:
 * another amount, or after it had failed.
 */
function isAcknowledged(unit: UnitOfWork, payout: PayoutDetails): boolean {
  const { transaction_uuid, inserted_ms } = payout
  const before = unit.payout(transaction_uuid)
  if (before?.owner !== 'acknowledged' || isMoved(unit, payout)) return false
  if (payout.status !== 'failed' && compareAmounts(movedBy(before), movedBy(payout)) === 'differ') return false
  const isFirstListed = before.inserted_ms === null && inserted_ms !== null
  const events = unit.facts('payout', transaction_uuid).filter(({ source }) => source === 'webhook')
  return !isFirstListed || events.some(({ unconfirmed }) => unconfirmed !== true)
}

/**
 * The withdrawal that owns this payout, or that its details match; null: none.
 * @param dated the date that its last message gives it
 */
function withdrawalFor(
  unit: UnitOfWork,
  details: PayoutDetails,
  offset: ClockOffset,
  dated: string,
): WithdrawalRow | null {
  const named = unit.withdrawalOf(details.transaction_uuid)
  if (named !== null) return agrees(compareTexts(named.user_reference_id, details.user_reference_id)) ? named : null
  if (isAcknowledged(unit, details)) return null
  const datedMs = millis(dated)
  return matchPayout(unit.withdrawalsOf(details.user_reference_id), details, { nowMs: unit.now, offset, datedMs })
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
  const known = sure !== null && isPayout(sure) ? sure : null
  const shown = known ?? folded
  const offset = options.clockOffset ?? null
  const withdrawal = withdrawalFor(unit, detailsOf(unit, shown, options), offset, shown.occurred_at)
  if (withdrawal === null) return null
  if (withdrawal.reply_transaction_uuid === folded.transaction_uuid) return { withdrawal, follow: folded }
  return { withdrawal, follow: known }
}

/** Tells a person about a payout that nobody owns: one line for each payout, while it is open. */
const reportOpen = (unit: UnitOfWork, { transaction_uuid, user_reference_id }: PayoutRow, evidence: string): void =>
  unit.quarantineOnce({
    reason: 'unmatched_payout',
    event_name: 'User Payout',
    user_reference_id,
    transaction_uuid,
    event: evidence,
  })

/**
 * What was reported about a payout that has got an owner is settled. A person who was asked about it, and has debited the
 * user by an adjustment, is told: its withdrawal debits the user, too, or nothing does. They may have acknowledged it.
 */
function endOpen(unit: UnitOfWork, before: PayoutRow, after: PayoutRow): void {
  const line = disputeLine('contradiction', { ...after, kind: 'payout' }, () => contradicted(after, 'null'))
  const booked = correctionOf(before, [before.amount, after.amount])
  // Who is told that it is open has a line until now.
  const isTold = before.awaits_list === 0 && after.owner !== 'acknowledged'
  // Whoever acknowledged it knows that it is paid: only a debit by hand is a reason to tell.
  const since = before.owner === 'acknowledged' && { adjustedSinceMs: before.first_seen_ms }
  unit.settleReport('unmatched_payout', after.transaction_uuid, '', isTold ? { line, booked, ...since } : undefined)
}

/**
 * Stores whose a payout is. What was reported about it is settled once it has an owner. To acknowledge it books nothing:
 * after a restore it stays a difference of the control totals, which a person dismisses.
 */
export function setOwner(
  unit: UnitOfWork,
  payout: PayoutRow,
  owner: PayoutOwner,
  { withdrawalId = null, note = null }: { readonly withdrawalId?: string | null; readonly note?: string | null } = {},
): void {
  const isUnbooked = owner === 'acknowledged' && unit.sinceRestore(payout.user_reference_id) !== null
  const unbooked: PayoutRow['unbooked'] = isUnbooked ? 1 : 0
  const named = { owner, withdrawal_id: withdrawalId, note: note ?? payout.note, unbooked }
  const before = unit.payout(payout.transaction_uuid)
  unit.putPayout({ ...payout, ...named, awaits_list: 0, updated_ms: unit.now })
  if (before === null || owner === null || owner === before.owner) return
  if (before.owner === null || before.owner === 'acknowledged') endOpen(unit, before, { ...payout, ...named })
}

/** A person called a record of an unknown type none of ours, and it is a payout: they are asked again. */
export function reopenUntyped(unit: UnitOfWork, transaction_uuid: string): void {
  const payout = unit.payout(transaction_uuid)
  if (payout?.owner === 'acknowledged') setOwner(unit, payout, null)
}

/** The payout is from before `LEDGER_START`: by its record, or by its event's own date while no record is known. */
const isBeforeStart = (
  { occurred_at }: Pick<Fact, 'occurred_at'>,
  insertedMs: number | null,
  ledgerStartMs: number,
): boolean => (insertedMs ?? Date.parse(occurred_at)) < ledgerStartMs

/** Of a payout from just before the start, as one of the gateway's clocks says, a person decides. */
const mayBeOurs = (unit: UnitOfWork, payout: PayoutRow): boolean =>
  unit.withdrawalsOf(payout.user_reference_id).some((row) => mayBePaidBy(row, payout, unit.now))

/** A person may have debited the user of a payout that was under way, and that nobody owned (docs/guides/back-up.md). */
function reportFailed(unit: UnitOfWork, row: PayoutRow, evidence: string): void {
  const before = unit.payout(row.transaction_uuid)
  if (before?.owner === 'acknowledged' && before.status !== 'failed' && row.status === 'failed')
    reportDispute(unit, 'contradiction', { ...row, kind: 'payout' }, contradicted(before, evidence))
}

/**
 * Records a payout that the list or a confirmed event shows, and whose it is. A payout of a withdrawal that has taken
 * another since belongs to nobody again, unless it failed.
 */
export function recordPayout(
  unit: UnitOfWork,
  fact: PayoutFact,
  withdrawal: WithdrawalRow | null,
  options: PayoutOptions,
): void {
  const row = rowOf(unit, detailsOf(unit, fact, options))
  const isOwned = row.owner === 'withdrawal' && fact.status === 'failed'
  if (withdrawal !== null) setOwner(unit, row, 'withdrawal', { withdrawalId: withdrawal.id })
  // Another user's list shows it, too: it stays with that withdrawal.
  else if (isOwned && isMoved(unit, row)) return
  else if (isOwned || isAcknowledged(unit, row)) {
    reportFailed(unit, row, options.evidence)
    unit.putPayout(row)
  } else if (
    isBeforeStart(fact, row.inserted_ms, options.ledgerStartMs) &&
    !mayBeOurs(unit, { ...row, awaits_list: 0 })
  )
    setOwner(unit, row, 'before')
  else {
    setOwner(unit, row, null)
    reportOpen(unit, row, options.evidence)
  }
}

/**
 * Asks a person about payouts that the list has not confirmed in time: they may be what the gateway has paid.
 * @param isDue whether to ask about this one
 */
export function openAwaited(unit: UnitOfWork, user: string, isDue = (_payout: PayoutRow): boolean => true): void {
  for (const payout of unit.openPayouts(user)) {
    if (payout.awaits_list === 0 || !isDue(payout)) continue
    const row: PayoutRow = { ...payout, awaits_list: 0, updated_ms: unit.now }
    unit.putPayout(row)
    reportOpen(unit, row, JSON.stringify(row))
  }
}

/**
 * A withdrawal takes another payout than before: the earlier one belongs to nobody again, unless it failed. The unit has
 * loaded it.
 */
export function freeOther(unit: UnitOfWork, row: WithdrawalRow, transaction_uuid: string): void {
  if (row.transaction_uuid === null || row.transaction_uuid === transaction_uuid) return
  const other = unit.payout(row.transaction_uuid)
  if (other === null || other.withdrawal_id !== row.id || other.status === 'failed') return
  const known = unit.transaction('payout', other.transaction_uuid)
  if (known !== null) unit.putTransaction({ ...known, withdrawal_id: null })
  setOwner(unit, other, null)
  reportOpen(unit, other, JSON.stringify(other))
}

/** Records a payout that only unconfirmed events show, and that fits a withdrawal: the list is asked for it. */
export function recordAwaited(unit: UnitOfWork, fact: PayoutFact, options: PayoutOptions): void {
  const before = unit.payout(fact.transaction_uuid)
  if ((before?.owner ?? null) !== null) return
  unit.putPayout({ ...rowOf(unit, detailsOf(unit, fact, options)), awaits_list: before?.awaits_list ?? 1 })
}

/**
 * Records a payout of a known user that only a message has shown which is not applied: an event that came too late or has
 * an unknown status, or a record in another user's list. It may be what the gateway has paid, as one that only
 * unconfirmed events show.
 */
export function recordShown(unit: UnitOfWork, fact: PayoutFact, { insertedMs = null, ...options }: ShownOptions): void {
  const { transaction_uuid: uuid, user_reference_id: user } = fact
  if (user === null || !unit.isKnown(user)) return
  if (unit.payout(uuid) !== null || unit.withdrawalOf(uuid) !== null) return
  if (!isBeforeStart(fact, insertedMs, options.ledgerStartMs)) recordAwaited(unit, fact, options)
}

/**
 * Takes a payout that nobody owns from a withdrawal that has it by a reply alone: a person says that it is another's.
 * True if a withdrawal had it, and has not been paid by it. Stored rows may not have it twice: save the unit before the
 * payout is given.
 */
export function freeNamed(unit: UnitOfWork, { transaction_uuid }: PayoutRow, giveTo: string): boolean {
  const row = unit.withdrawalOf(transaction_uuid)
  if (row === null || row.id === giveTo || row.status === 'succeeded') return false
  // Nothing that this record said is the withdrawal's any more, nor the line that asks about it under its uuid.
  if (row.overdue_ms !== null) unit.settleReport('overdue', transaction_uuid)
  const free = parseWithdrawal({
    ...row,
    transaction_uuid: null,
    record_status: null,
    paid_amount: null,
    overdue_ms: null,
    ...(row.failure === 'record' && { failure: 'absent' }),
  })
  // Of an error reply nothing is left that says whether the gateway has it.
  if (row.reply_amount === null && !hasWithdrawalEnded(row.status))
    settleWithdrawal(unit, free, { evidence: { kind: 'uncertain' }, source: 'cashier' })
  else unit.putWithdrawal(free)
  return true
}

/** Gives a payout that nobody owned to this withdrawal, which follows it. */
export function givePayout(unit: UnitOfWork, payout: PayoutRow, row: WithdrawalRow, evidence: string): void {
  freeOther(unit, row, payout.transaction_uuid)
  setOwner(unit, payout, 'withdrawal', { withdrawalId: row.id })
  const known = unit.transaction('payout', payout.transaction_uuid)
  // An event named another user: the payout is what the list shows, the disputed transaction stays that user's.
  if (known !== null && agrees(compareTexts(known.user_reference_id, row.user_reference_id)))
    unit.putTransaction({ ...known, withdrawal_id: row.id })
  followPayout(unit, row, { ...payout, tx_hash: known?.tx_hash ?? null, source: 'reconciliation', evidence })
}

/**
 * Gives payouts that nobody owns to withdrawals that match now: a call became uncertain, or a reply told the amount.
 */
export function matchOpenPayouts(unit: UnitOfWork, user: string, offset: ClockOffset): void {
  for (const payout of unit.openPayouts(user)) {
    const known = unit.transaction('payout', payout.transaction_uuid)
    // Of a record of an unknown type nobody knows whether it is a payout: a person decides.
    if (known === null || known.standing === 'disputed') continue
    const row = withdrawalFor(unit, payout, offset, known.occurred_at)
    // Only the list, or the gateway's own reply, proves that an event is this merchant's.
    const isSure = !UNCONFIRMED_STANDINGS.includes(known.standing)
    if (row !== null && (isSure || row.reply_transaction_uuid === payout.transaction_uuid))
      givePayout(unit, payout, row, JSON.stringify(payout))
  }
}

/**
 * Links a withdrawal to the payout that the gateway's own reply names, if a webhook or the list has reported that
 * payout before. Amount and address need not fit then, and from now on webhooks about the payout are followed even if
 * the list does not confirm them. The unit has loaded the payout with its facts.
 * @param isReply whether the gateway's reply named it; else a person did
 */
export function followNamed(
  unit: UnitOfWork,
  row: WithdrawalRow,
  transaction_uuid: string,
  { isReply = false }: { readonly isReply?: boolean } = {},
): void {
  const payout = unit.transaction('payout', transaction_uuid)
  if (payout === null || (payout.withdrawal_id ?? row.id) !== row.id) return
  if ((row.transaction_uuid ?? transaction_uuid) !== transaction_uuid) return
  const folded = fold(unit.facts('payout', transaction_uuid))
  if (!isPayout(folded) || compareTexts(folded.user_reference_id, row.user_reference_id) === 'differ') return
  const standing = payout.standing === 'disputed' ? 'disputed' : 'confirmed'
  unit.putTransaction({ ...payout, withdrawal_id: row.id, standing })
  setOwner(unit, rowOf(unit, detailsOf(unit, folded)), 'withdrawal', { withdrawalId: row.id })
  followPayout(unit, row, { ...folded, evidence: JSON.stringify(folded), isReply })
}
