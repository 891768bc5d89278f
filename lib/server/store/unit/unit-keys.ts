import type { TransactionKey } from '../../ledger/rows.ts'

/** The rows that a unit of work begins with. */
export interface UnitKeys {
  /** Locked users: no other transaction changes their money or streams until this one ends. */
  readonly users: readonly string[]
  /** Transactions of any user with their facts, and the withdrawals that have them; also locked, with their users. */
  readonly transactions?: readonly TransactionKey[]
  /** Withdrawals of `users` by their own id. */
  readonly withdrawals?: readonly string[]
  /** Users whose withdrawals that may take a payout, and whose payouts that no withdrawal owns, are needed. */
  readonly attemptsOf?: readonly string[]
  /** On-ramp sessions by our reference and by the gateway's key, of any user; their users are also locked. */
  readonly onrampReferences?: readonly string[]
  readonly onrampKeys?: readonly string[]
  /** Known currencies by their ids, or all of them, for events that name a currency without its id. */
  readonly currencies?: 'all' | readonly string[]
  /** Further balances, as user and currency, besides those of the loaded rows. */
  readonly balances?: readonly (readonly [string, string])[]
}
