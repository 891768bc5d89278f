import type { LedgerMode } from './accounts.ts'
import { classifyFact, contradictedBy, isEndedAgain, isSaidAgain, revokedEnd, type FactClass } from './classify-fact.ts'
import { correctionOf, settleCredits } from './credits.ts'
import {
  contradiction,
  dispute,
  disputeKind,
  followDisputed,
  noteSaid,
  disputeReasonOf,
  otherWay,
  recordDisputed,
  revokedWord,
  takesBackEnd,
} from './disputed-facts.ts'
import { contradicted, disputeLine, reportDispute, reportLostSuccess } from './disputes.ts'
import { bookable, completed, fold, type Fact } from './facts.ts'
import { reportFailedDeposit } from './failed-deposit.ts'
import {
  hasOwner,
  isBetterKnown,
  isConfirmedLate,
  isCorrected,
  isHeldBack,
  isMerchants,
  isNegativeDeposit,
  isRecordOld,
  rowOf,
  standingOf,
} from './folded-row.ts'
import { millis } from './gateway-time.ts'
import { settles } from './implausible.ts'
import { assertInvariant } from './invariant.ts'
import { CHANGED, UNDER_WAY } from './line-key.ts'
import { laterThan } from './long-ago.ts'
import { sessionOf } from './onramp-session.ts'
import { endDelivered, endWaiting } from './overdue.ts'
import { followPayout, isPayout } from './payouts/follow-payout.ts'
import {
  matchOpenPayouts,
  payoutMatch,
  recordAwaited,
  recordPayout,
  reopenUntyped,
  type PayoutOptions,
} from './payouts/payout-owners.ts'
import { publishTransaction } from './publish.ts'
import type { OnrampRow, TransactionRow } from './rows.ts'
import { reconcileAtOnce, scheduleReconciliation } from './schedule-reconciliation.ts'
import { changesClaim, listedClaim, returnsToClaim } from './told-claims.ts'
import {
  hasTransactionEnded,
  isOpenTransaction,
  isStatusOf,
  rankOf,
  UNCONFIRMED_STANDINGS,
} from './transaction-statuses.ts'
import type { UnitOfWork } from './unit-of-work.ts'
import { isBooked, markGivenAway, returned } from './vanished-records.ts'

export interface ApplyOptions extends PayoutOptions {
  /** In mode `merchant` nothing is posted. */
  readonly ledgerMode: LedgerMode
  /** A person has asked for it. */
  readonly evenIfImplausible?: boolean
}

function followOnramp(unit: UnitOfWork, session: OnrampRow, folded: Fact): void {
  if (!isStatusOf('onramp', folded.status)) return
  if ((rankOf('onramp', folded.status) ?? 0) < (rankOf('onramp', session.status) ?? -1)) return
  unit.putOnramp({
    ...session,
    status: folded.status,
    transaction_uuid: folded.transaction_uuid,
    settled_uuid: session.settled_uuid ?? (settles(folded, session) ? folded.transaction_uuid : null),
    correlation_key: session.correlation_key ?? folded.correlation_key,
    updated_ms: unit.now,
  })
}

/** A payout that was seen before may belong to a withdrawal whose call became uncertain later. */
function matchSeen(unit: UnitOfWork, fact: Fact, stored: readonly Fact[], options: ApplyOptions): void {
  const sure = fold(bookable(stored))
  const row = unit.transaction(fact.kind, fact.transaction_uuid)
  if (!isPayout(sure) || row === null || row.withdrawal_id !== null || row.standing === 'disputed') return
  const withdrawal = payoutMatch(unit, sure, sure, options)?.withdrawal ?? null
  recordPayout(unit, sure, withdrawal, options)
  if (withdrawal === null) return
  unit.putTransaction({ ...row, withdrawal_id: withdrawal.id })
  followPayout(unit, withdrawal, { ...sure, source: fact.source, evidence: options.evidence })
}

/** Of two webhooks the first stays, with what the second adds; a record of the list replaces the one before. */
const withMore = (fact: Fact, before: Fact): Fact =>
  fact.source === 'webhook' ? completed(before, fact) : completed(fact, before)

/** Stores a fact, or what it adds to what its source said before of this status. */
function store(unit: UnitOfWork, fact: Fact, stored: readonly Fact[]): void {
  const before = stored.find((other) => other.status === fact.status && other.source === fact.source)
  if (before === undefined) unit.addFact(fact)
  else unit.replaceFact(withMore(fact, before))
}

/** Reports an end that the list says again after it was taken back, which was not followed. */
function tellAgain(unit: UnitOfWork, fact: Fact, stored: readonly Fact[], { evidence }: ApplyOptions): void {
  if (isEndedAgain(fact, stored)) unit.settleReport('contradiction', fact.transaction_uuid, UNDER_WAY)
  const revoked = revokedEnd(fact, stored) ?? revokedWord(unit, fact, stored)
  if (revoked === undefined && !isSaidAgain(fact, stored)) return
  const again = revoked === undefined ? returned(unit, fact) : contradicted(revoked, evidence)
  reportDispute(unit, 'contradiction', fact, again)
  for (const { taken_back, ...one } of stored) if (taken_back === true) unit.replaceFact(one)
}

type Applied = 'applied' | 'seen' | 'conflict' | 'list_conflict' | 'contradiction'
type Advancing = Extract<FactClass, 'new' | 'confirms' | 'completes'>
type Rule = (unit: UnitOfWork, fact: Fact, stored: readonly Fact[], options: ApplyOptions) => Applied

/**
 * Another user's name stood in what the list showed first: the transaction is the user's whose own record it is now, and
 * disputed. Of what the list says of it later a person is told.
 */
function placeDisputed(unit: UnitOfWork, fact: Fact, { insertedMs }: ApplyOptions): void {
  const isOwn = fact.source === 'reconciliation' && fact.misplaced !== true
  if (!isOwn || unit.transaction(fact.kind, fact.transaction_uuid) !== null) return
  unit.replaceFact(fact)
  unit.putTransaction({ ...rowOf(fact, null, { now: unit.now, insertedMs }), standing: 'disputed' })
}

/** Webhook and list disagree about money, or two lists about the user. */
const disputeList: Rule = (unit, fact, stored, options) => {
  const { evidence } = options
  placeDisputed(unit, fact, options)
  const isChange = changesClaim(stored, fact)
  dispute(unit, 'list_conflict', fact, isChange ? contradiction(stored, evidence, CHANGED) : evidence)
  if (fact.misplaced === true) markGivenAway(unit, fact)
  followDisputed(unit, fact, options)
  recordDisputed(unit, fact, options)
  return 'list_conflict'
}

/** The source changes what was final. */
const disputeFinal: Rule = (unit, fact, stored, options) => {
  dispute(unit, 'contradiction', fact, contradiction(stored, options.evidence))
  followDisputed(unit, fact, options)
  recordDisputed(unit, fact, options)
  return 'contradiction'
}

/** Both are kept, so that the list, which says it each time, reports it once until it says again what it took back. */
const takeBack: Rule = (unit, fact, stored, options) => {
  const ending = fact.status !== 'other' && isOpenTransaction(fact.status) ? UNDER_WAY : '}'
  reportDispute(unit, 'contradiction', fact, contradiction(stored, options.evidence, ending))
  store(unit, fact, stored)
  for (const one of contradictedBy(fact, stored)) unit.replaceFact({ ...one, taken_back: true })
  if (fact.source === 'reconciliation') noteSaid(unit, fact, listedClaim(fact))
  return 'contradiction'
}

/**
 * The first stays. The list may tell a user who has come back after an erasure how a transaction of before has ended, or
 * confirm what only an event told: it is booked nowhere, so a person is told. Another user's list that still shows it
 * says nothing new.
 */
const keepFirst: Rule = (unit, fact, stored, options) => {
  const known = [
    ...bookable(stored),
    ...stored.filter(({ misplaced }) => misplaced === true && fact.misplaced === true),
  ]
  const isNews = hasTransactionEnded(fact.status) && known.every(({ status }) => status !== fact.status)
  if (fact.source === 'reconciliation' && isNews && stored.some(({ erased }) => erased))
    reportDispute(unit, 'contradiction', fact, contradiction(stored, options.evidence))
  return 'conflict'
}

/** A person may have corrected a balance by what the list says no longer: of the way back they are told, too. */
const see: Rule = (unit, fact, stored, options) => {
  if (fact.source !== 'reconciliation' || fact.misplaced === true) return 'seen'
  if (returnsToClaim(stored, fact))
    dispute(unit, disputeReasonOf(stored), fact, contradiction(stored, options.evidence, CHANGED))
  matchSeen(unit, fact, stored, options)
  return 'seen'
}

/** How it has ended; null while it has not. */
const endOf = ({ status }: TransactionRow): 'succeeded' | 'failed' | null =>
  status === 'succeeded' || status === 'failed' ? status : null

/** What an event tells so long after it happened, or the list alone, may have been booked by hand. */
const LATE_MS = 60_000

/** Whether it is sure that it was just made. An event without a date is dated now: nobody knows when it was made. */
const isJustMade = (madeMs: number, nowMs: number): boolean => madeMs !== nowMs && Math.abs(nowMs - madeMs) <= LATE_MS

const madeMsOf = ({ occurred_at }: Fact, { insertedMs }: ApplyOptions): number => insertedMs ?? millis(occurred_at) ?? 0

/** Stores the fact, folds the transaction's state anew, and books and publishes what has changed. */
function advance(found: Advancing, ...[unit, fact, stored, options]: Parameters<Rule>): Applied {
  store(unit, fact, stored)
  const facts = unit.facts(fact.kind, fact.transaction_uuid).filter(({ misplaced }) => misplaced === undefined)
  const folded = fold(facts)
  const sureFacts = bookable(facts)
  const sure = sureFacts.length === 0 ? null : sureFacts.length === facts.length ? folded : fold(sureFacts)
  const before = unit.transaction(fact.kind, fact.transaction_uuid)
  const session = fact.kind === 'onramp' ? sessionOf(unit, folded) : null
  const rank = rankOf(fact.kind, folded.status) ?? 0
  assertInvariant(
    before === null || (rankOf(fact.kind, before.status) ?? 0) <= rank,
    'rank_never_falls',
    fact.transaction_uuid,
  )
  const disputed = before?.standing === 'disputed'
  // A withdrawal books the amount that was asked for, so its payout's status is followed even if the amount is
  // disputed.
  const mayFollow = !disputed || before.withdrawal_id !== null
  if (before === null && isPayout(folded)) reopenUntyped(unit, fact.transaction_uuid)
  const match = isPayout(folded) && mayFollow ? payoutMatch(unit, folded, sure, options) : null
  const followed = match?.follow ? { withdrawal: match.withdrawal, payout: match.follow } : null
  const isListedOld = match === null && isRecordOld(folded, before, options)
  const isOld = isListedOld && (before === null || !isBooked(unit, before))
  // Its event was booked before the list said that it is from before the start.
  if (isListedOld && !isOld && found !== 'completes')
    reportDispute(unit, 'contradiction', fact, contradiction(stored, options.evidence))
  const present: TransactionRow = {
    ...rowOf(folded, before, { now: unit.now, insertedMs: options.insertedMs }),
    standing: standingOf(before, folded, sure, { match, isOld, ledgerMode: options.ledgerMode }),
    withdrawal_id: followed?.withdrawal.id ?? before?.withdrawal_id ?? null,
    onramp_session_id: session?.id ?? null,
    // A purchase to a wallet of the user's own credits no account, even if its events name a user.
    ...((session?.wallet_address ?? null) === null ? {} : { user_reference_id: null }),
  }
  const isToldAgain =
    before !== null &&
    (isBetterKnown(before, present, options.ledgerMode) || isConfirmedLate(before, present, options.ledgerMode))
  const updated = isToldAgain ? { ...present, updated_ms: laterThan(before.updated_ms, unit.now) } : present
  const known = before?.status === 'succeeded' ? unit.transfers.same(before) : []
  const row = endWaiting(unit, updated, options.ledgerMode)
  unit.putTransaction(row)
  scheduleReconciliation(unit, row.user_reference_id, isOpenTransaction(row.status))
  if (fact.unconfirmed === true && UNCONFIRMED_STANDINGS.includes(row.standing))
    reconcileAtOnce(unit, row.user_reference_id)

  if (session !== null) followOnramp(unit, session, folded)
  const shown = followed?.payout ?? sure ?? (match === null ? folded : null)
  if (shown !== null && isPayout(shown)) recordPayout(unit, shown, followed?.withdrawal ?? null, options)
  else if (isPayout(folded)) recordAwaited(unit, folded, options)
  if (followed !== null) {
    followPayout(unit, followed.withdrawal, { ...followed.payout, source: fact.source, evidence: options.evidence })
    // The withdrawal may have failed by this payout, and have been paid by another.
    matchOpenPayouts(unit, followed.withdrawal.user_reference_id, options.clockOffset ?? null)
  } else if (
    !isHeldBack(row, options.ledgerMode) &&
    (before?.status !== row.status ||
      before.standing === 'withheld' ||
      before.standing === 'before' ||
      isCorrected(before, folded) ||
      isToldAgain)
  )
    publishTransaction(unit, row, session?.user_reference_id ?? null, fact.source)
  // One gateway key may sign for many merchants: a purchase is ours only if it belongs to a session of ours.
  const isSure = sure?.status === row.status && !disputed && (row.kind !== 'onramp' || session !== null)
  const settled = isSure && !isOld
  // A deposit from before the start brings nothing, but its purchase's credit is taken back.
  const mayCredit = settled || (isSure && row.kind === 'deposit' && !isNegativeDeposit(row))
  if (mayCredit && row.user_reference_id !== null && row.currency_id !== null) {
    if (isNegativeDeposit(row)) dispute(unit, 'list_conflict', fact, options.evidence)
    else if (options.ledgerMode === 'embedded' && !isMerchants(before)) settleCredits(unit, row, options)
  }
  const madeMs = madeMsOf(fact, options)
  const wasSettled = before !== null && hasOwner(before) && bookable(stored).some(({ status }) => status === row.status)
  const end = row.kind !== 'payout' && hasOwner(row) ? endOf(row) : null
  if (end !== null && settled && !wasSettled)
    unit.quarantineIfMade({
      madeMs,
      status: end,
      network: row.network,
      tx_hash: row.tx_hash,
      isLate: fact.source === 'reconciliation' || !isJustMade(madeMs, unit.now),
      line: disputeLine('contradiction', row, () => contradicted(row, options.evidence)),
      booked: options.ledgerMode === 'embedded' ? correctionOf(row, [row.amount]) : null,
    })
  if (end === 'failed' && settled && !wasSettled && row.kind === 'deposit' && options.ledgerMode === 'merchant')
    reportLostSuccess(unit, row, contradicted(row, options.evidence))
  endDelivered(unit, row, { ledgerMode: options.ledgerMode, isNews: before?.status !== row.status })
  reportFailedDeposit(unit, before, unit.transaction(row.kind, row.transaction_uuid) ?? row, { ...options, known })
  // Nothing of a disputed transaction is booked but what its withdrawal asked for, so each change that the list tells is
  // told.
  if (disputed && fact.source === 'reconciliation')
    dispute(
      unit,
      disputeReasonOf(facts),
      fact,
      contradiction(stored, options.evidence, changesClaim(stored, fact) ? CHANGED : '}'),
    )
  // Nothing new for the caller: the list confirms a webhook, or a source repeats with more detail what it said before.
  return found === 'completes' || (fact.source === 'reconciliation' && found === 'confirms') ? 'seen' : 'applied'
}

/** A record in another user's list books nothing and settles no withdrawal: it contradicts the list that it is in. */
const add =
  (found: Advancing): Rule =>
  (unit, fact, stored, options) => {
    if (fact.misplaced !== true) {
      tellAgain(unit, fact, stored, options)
      return advance(found, unit, fact, stored, options)
    }
    if (found === 'new') unit.addFact(fact)
    return 'seen'
  }

/** What each class of fact does. A missing class does not compile; `rankOf` says which state follows. */
const RULES: Readonly<Record<FactClass, Rule>> = {
  seen: see,
  conflict: keepFirst,
  list_conflict: disputeList,
  contradiction: disputeFinal,
  takes_back: takeBack,
  confirms: add('confirms'),
  completes: add('completes'),
  new: add('new'),
}

/**
 * Applies one fact (docs/explanation/money.md, "Duplicates and conflicts"): folds the transaction's state, updates its
 * withdrawal or on-ramp session, credits, and publishes what has changed. The unit has loaded the fact's transaction
 * and the related rows. `seen` and `conflict` change nothing; `list_conflict` stops all further booking of the
 * transaction.
 */
export function applyFact(unit: UnitOfWork, fact: Fact, options: ApplyOptions): Applied {
  const stored = unit.facts(fact.kind, fact.transaction_uuid)
  const isFirst = fact.misplaced !== true && stored.every(({ misplaced }) => misplaced === true)
  const stands = isFirst ? otherWay(unit, fact) : null
  if (stands !== null) {
    disputeKind(unit, fact, stands, options)
    return 'contradiction'
  }
  const found = takesBackEnd(unit, fact, stored) ? 'takes_back' : classifyFact(fact, unit.factsBeside(fact))
  return RULES[found](unit, fact, stored, options)
}
