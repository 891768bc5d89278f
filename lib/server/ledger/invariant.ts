/** What the ledger relies on, checked where it relies on it, in production too. */

/** Each invariant, in words for the log. */
export const INVARIANTS = {
  transaction_loaded: 'the facts of a transaction are read before they are used',
  balance_loaded: 'a balance is read before it is used',
  withdrawal_loaded: 'a withdrawal is read before it is changed',
  amount_positive: 'only an adjustment may move a negative amount',
  sums_to_zero: 'the entries of a posting sum to zero, and the balance changes by them alone',
  held_not_negative: 'what is held is never below zero',
  overdraft_has_reason: 'what is available is below zero only for a reason that the rules allow',
  funds_may_follow: "a withdrawal's funds take only the steps of their table",
  step_may_follow: "a withdrawal's step never goes back",
  called_once: 'a withdrawal is sent to the gateway once',
  success_is_final: 'a withdrawal that succeeded stays so',
  rank_never_falls: "a transaction's status never gives way to a lower rank",
} as const

export type Invariant = keyof typeof INVARIANTS

/**
 * The ledger is not what its rules rely on: a mistake in our code, or rows that were changed by hand. The unit of work
 * is not saved, so nothing of it is committed.
 */
export class BrokenInvariant extends Error {
  override readonly name = 'BrokenInvariant'
  readonly invariant: Invariant
  /** The row: a posting's key, or the id of a transaction or withdrawal. */
  readonly about: string

  constructor(invariant: Invariant, about: string) {
    super(`broken invariant ${invariant} at ${about}: ${INVARIANTS[invariant]}`)
    this.invariant = invariant
    this.about = about
  }
}

/** Goes on only if the invariant holds. @throws BrokenInvariant */
export function assertInvariant(holds: boolean, invariant: Invariant, about: string): asserts holds {
  if (!holds) throw new BrokenInvariant(invariant, about)
}
