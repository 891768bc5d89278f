import { BrokenInvariant, INVARIANTS, type Invariant } from '../../ledger/invariant.ts'

/** The table of each constraint that is an invariant of the ledger. */
const TABLES: Partial<Record<Invariant, string>> = {
  held_not_negative: 'balances',
  overdraft_has_reason: 'balances',
  amount_positive: 'postings',
  one_withdrawal: 'withdrawals',
  fits_its_step: 'withdrawals',
  owner_named: 'payouts',
  owner_exists: 'payouts',
}

/** What the databases call a constraint that has no name of its own, or whose name SQLite does not tell. */
const OTHER_NAMES: Readonly<Record<string, Invariant>> = {
  withdrawals_uuid: 'one_withdrawal',
  // The same index of a partition.
  withdrawals_user_reference_id_transaction_uuid_idx: 'one_withdrawal',
  'withdrawals.user_reference_id, withdrawals.transaction_uuid': 'one_withdrawal',
  // The only foreign key.
  'FOREIGN KEY constraint failed': 'owner_exists',
}

const isInvariant = (name: string): name is Invariant => Object.hasOwn(INVARIANTS, name)

/** The name as PostgreSQL's error has it, without the number of a partition, or as it stands in SQLite's text. */
const nameIn = (error: Error): string =>
  'constraint' in error && typeof error.constraint === 'string'
    ? error.constraint.replace(/_\d+_/, '_')
    : error.message.replace(/^(CHECK|UNIQUE) constraint failed: /, '')

/** A constraint that refuses a change is a mistake in our code, as a broken invariant is; any other error is itself. */
export function asBrokenInvariant(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const name = nameIn(error)
  const invariant = OTHER_NAMES[name] ?? (isInvariant(name) ? name : null)
  const table = invariant === null ? undefined : TABLES[invariant]
  return invariant === null || table === undefined ? error : new BrokenInvariant(invariant, table, { cause: error })
}
