/** What a new fact is beside the stored facts of its transaction: a repetition, news, a conflict, an end taken back. */
import {
  agrees,
  compareAddresses,
  compareAmounts,
  compareCurrencies,
  compareHashes,
  compareTexts,
  type Comparison,
} from './compare.ts'
import { bookable, isMoreExact, type Fact } from './facts.ts'
import { hasTransactionEnded, isOpenTransaction } from './transaction-statuses.ts'

/** User and currency. */
const parties = (a: Fact, b: Fact): readonly Comparison[] => [
  compareTexts(a.user_reference_id, b.user_reference_id),
  compareCurrencies(a, b),
]

/** The comparisons of two facts under one status; no other fields count. */
const details = (a: Fact, b: Fact): readonly Comparison[] => [
  ...parties(a, b),
  compareAmounts(a, b),
  compareAmounts({ amount: a.from_amount, inexact: a.inexact }, { amount: b.from_amount, inexact: b.inexact }),
  compareTexts(a.from_currency, b.from_currency),
  compareAddresses(a.network, a.to_address, b.to_address),
  compareAddresses(a.network, a.from_address, b.from_address),
  compareHashes(a.network, a.tx_hash, b.tx_hash),
]

/** Nothing is booked unless webhook and list agree on this. Between two statuses the later amount counts. */
const money = (a: Fact, b: Fact): readonly Comparison[] => [
  ...parties(a, b),
  a.status === b.status ? compareAmounts(a, b) : 'unknown',
]

export type FactClass =
  'seen' | 'conflict' | 'list_conflict' | 'contradiction' | 'takes_back' | 'confirms' | 'completes' | 'new'

/** The fields that say whose a transaction is, and how much. */
const IDENTITY = [
  'user_reference_id',
  'amount',
  'from_amount',
  'from_currency',
  'tx_hash',
  'to_address',
  'correlation_key',
  'session_reference',
] as const

/** True if the second fact tells something that the first one lacked. */
const tellsMore = (before: Fact, fact: Fact): boolean =>
  IDENTITY.some((name) => before[name] === null && fact[name] !== null) || isMoreExact(fact, before)

/**
 * Compares a record of the list with an earlier record of the same status. Only the amount of a success is final.
 * @param isFound only another user's list had shown it before
 */
function classifyListed(fact: Fact, before: Fact, isFound: boolean): FactClass {
  if (before.erased) return 'conflict'
  if (isFound) return compareAmounts(fact, before) === 'differ' ? 'list_conflict' : 'completes'
  if (!agrees(...parties(fact, before))) return 'contradiction'
  if (fact.status === 'succeeded' && compareAmounts(fact, before) === 'differ') return 'contradiction'
  const isKey = compareTexts(fact.correlation_key, before.correlation_key)
  const isKnown = agrees(...details(fact, before), isKey) && !tellsMore(before, fact) && before.taken_back === undefined
  return isKnown ? 'seen' : 'completes'
}

/** Compares a repeated webhook with the stored one, and what it tells in addition with the other facts. */
function classifyRepeated(fact: Fact, before: Fact, stored: readonly Fact[]): FactClass {
  if (!agrees(...details(fact, before))) return 'conflict'
  if (!tellsMore(before, fact)) return 'seen'
  const contradicts = (other: Fact, compare: typeof money): boolean =>
    !agrees(...compare(fact, other)) && agrees(...compare(before, other))
  if (stored.some((other) => other.source !== fact.source && contradicts(other, money)))
    return stored.some((other) => other.erased) ? 'conflict' : 'list_conflict'
  return stored.some((other) => contradicts(other, parties)) ? 'conflict' : 'completes'
}

/** What the list said last of its own final states that this fact takes back. */
const takenBack = ({ kind, source, status, misplaced }: Fact, stored: readonly Fact[]): readonly Fact[] =>
  source !== 'reconciliation' || misplaced !== undefined
    ? []
    : stored.filter(
        (other) =>
          other.source === source &&
          other.misplaced === undefined &&
          other.taken_back === undefined &&
          ((other.status === 'succeeded' && (status === 'failed' || status === 'other')) ||
            (other.status === 'failed' && (status === 'other' || (kind === 'payout' && isOpenTransaction(status))))),
      )

/** The facts that no longer stand after this fact took back a final state: a failure contradicts an event, too. */
export const contradictedBy = (fact: Fact, stored: readonly Fact[]): readonly Fact[] =>
  fact.status === 'failed'
    ? stored.filter(({ status, misplaced }) => status === 'succeeded' && misplaced === undefined)
    : takenBack(fact, stored)

/**
 * What took back an end which the list says again, or a failure that is a success now: a failure or an unknown word. A
 * person may have acted on it, while nothing was booked. The success of a payout that had failed is told as late.
 */
export const revokedEnd = ({ kind, source, status, misplaced }: Fact, stored: readonly Fact[]): Fact | undefined => {
  if (source !== 'reconciliation' || misplaced !== undefined || !hasTransactionEnded(status)) return undefined
  const isTakenBack = (end: Fact['status']): boolean =>
    stored.some((other) => other.status === end && other.taken_back === true)
  const listed = stored.filter((other) => other.source === source && other.misplaced === undefined)
  const [failed, other] = (['failed', 'other'] as const).map((end) => listed.find((one) => one.status === end))
  if (status === 'succeeded' && isTakenBack('succeeded')) return failed ?? other
  return isTakenBack('failed') && !(kind === 'payout' && status === 'succeeded') ? other : undefined
}

/** Whether the list says a success again that it took back by another type or by a state under way. */
export const isSaidAgain = ({ source, status, misplaced }: Fact, stored: readonly Fact[]): boolean =>
  source === 'reconciliation' &&
  misplaced === undefined &&
  status === 'succeeded' &&
  stored.some((other) => other.status === status && other.taken_back === true)

/** Whether a payout has ended, which the list had failed and then showed under way again. */
export const isEndedAgain = ({ kind, source, status, misplaced }: Fact, stored: readonly Fact[]): boolean =>
  kind === 'payout' &&
  source === 'reconciliation' &&
  misplaced === undefined &&
  hasTransactionEnded(status) &&
  stored.some((other) => other.status === 'failed' && other.taken_back === true)

/**
 * A failure after a success: the coins came back, or the payout did. The list takes its own final state back by an
 * unknown word, too, which may mean the success of what had failed; and each time anew. A payout under way after it had
 * failed may still be paid, and its money was given back. Any other state under way after a final one is no
 * contradiction: a replica of the gateway may lag behind.
 */
function takesBack(fact: Fact, stored: readonly Fact[], isRepeated: boolean): boolean {
  const { status } = fact
  if (takenBack(fact, stored).length > 0) return true
  return status === 'failed' && !isRepeated && bookable(stored).some((other) => other.status === 'succeeded')
}

/**
 * Compares a new fact with the stored facts:
 * - `seen`: it was stored before;
 * - `conflict`: it contradicts a stored fact, which stays;
 * - `list_conflict`: webhook and list disagree about money;
 * - `contradiction`: its source changes amount, currency or user of what was final;
 * - `takes_back`: its source takes a success back;
 * - `confirms`: the other source has said the same of this status;
 * - `completes`: it adds values to what its own source said of this status;
 * - `new`: none of these.
 */
export function classifyFact(fact: Fact, stored: readonly Fact[]): FactClass {
  const before = stored.find((other) => other.status === fact.status && other.source === fact.source)
  if (before !== undefined && fact.source === 'webhook') return classifyRepeated(fact, before, stored)
  const across = stored.filter((other) => other.source !== fact.source)
  const isErased = stored.some((other) => other.erased)
  // The stored facts have another name for a user who was erased.
  if (across.some((other) => !agrees(...money(fact, other)))) return isErased ? 'conflict' : 'list_conflict'
  const isSame = stored.every((other) => agrees(...parties(fact, other)))
  if (isSame && takesBack(fact, stored, before !== undefined)) return 'takes_back'
  // Its user's own list has what another list had shown: it is compared with all that was said of it since.
  const isFound = before?.misplaced === true && fact.misplaced !== true
  if (before !== undefined && (isSame || !isFound)) return classifyListed(fact, before, isFound)
  if (!isSame) {
    if (fact.source === 'webhook' || isErased) return 'conflict'
    return stored.some(({ misplaced }) => misplaced === true) || fact.misplaced === true
      ? 'list_conflict'
      : 'contradiction'
  }
  const twin = across.find((other) => other.status === fact.status)
  if (twin === undefined) return 'new'
  return fact.source === 'webhook' && !agrees(...details(fact, twin)) ? 'conflict' : 'confirms'
}
