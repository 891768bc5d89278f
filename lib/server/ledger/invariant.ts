/**
 * The assumptions of the ledger's code, checked where the code makes them, in production too. The database checks some
 * of them again, by constraints (`store/database/broken-constraint.ts`).
 */

/** Each invariant, in words for the log. */
export const INVARIANTS = {
  fact_once: 'a transaction has one fact of each status and source',
  transaction_loaded: 'the facts of a transaction are read before they are used',
  balance_loaded: 'a balance is read before it is used',
  withdrawal_loaded: 'a withdrawal is read before it is changed',
  amount_positive: 'only an adjustment may move a negative amount',
  sums_to_zero: 'the entries of a posting sum to zero, and the balance changes by them alone',
  held_not_negative: 'the held balance is never below zero',
  overdraft_has_reason: 'the available balance is below zero only for a reason that the rules allow',
  fits_its_step: 'a withdrawal has the columns of its step and status, and no others',
  funds_may_follow: "a withdrawal's funds move only by the steps in their table",
  step_may_follow: "a withdrawal's step never goes back",
  called_once: 'a withdrawal is sent to the gateway once',
  success_is_final: 'a withdrawal that succeeded stays succeeded',
  rank_never_falls: "a transaction's status is never replaced by one of a lower rank",
  one_user: 'the rows of a transaction stand under one user, who is never another user later',
  one_withdrawal: 'a payout belongs to one withdrawal at most',
  owner_named: 'a payout names a withdrawal exactly if a withdrawal owns it',
  owner_exists: 'the withdrawal that owns a payout exists',
} as const

export type Invariant = keyof typeof INVARIANTS

/**
 * The ledger breaks an assumption of its rules: by a mistake in our code, or by rows that were changed by hand. The
 * unit of work is not saved, so none of its changes are committed.
 */
export class BrokenInvariant extends Error {
  override readonly name = 'BrokenInvariant'
  readonly invariant: Invariant
  /** The row concerned: a posting's key, or the id of a transaction or withdrawal; the table, if the database refused. */
  readonly about: string

  constructor(invariant: Invariant, about: string, options?: ErrorOptions) {
    super(`broken invariant ${invariant} at ${about}: ${INVARIANTS[invariant]}`, options)
    this.invariant = invariant
    this.about = about
  }
}

/** @throws BrokenInvariant if the invariant does not hold */
export function assertInvariant(holds: boolean, invariant: Invariant, about: string): asserts holds {
  if (!holds) throw new BrokenInvariant(invariant, about)
}
