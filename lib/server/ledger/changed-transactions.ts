import type { ChangedRows } from './changed-rows.ts'
import { transactionKey, type FactSet } from './fact-set.ts'
import type { RecordedFact } from './facts.ts'
import type { RenamedRow } from './row-users.ts'
import type { TransactionKey, TransactionRow } from './rows.ts'

/** A transaction with all its facts. */
export interface TransactionWithFacts {
  readonly row: TransactionRow
  readonly facts: readonly RecordedFact[]
}

/** The facts of a transaction that has no row: only another user's list has shown it. */
export interface UnplacedFacts extends TransactionKey {
  readonly facts: readonly RecordedFact[]
}

/** A transaction or payout that stands under the user `to` from now on, and stood under this user before. */
export interface MovedRow extends Pick<TransactionRow, 'transaction_uuid'> {
  readonly user_reference_id: string
  readonly to: string
}

export interface ChangedTransactions {
  readonly transactions: readonly TransactionWithFacts[]
  readonly unplaced: readonly UnplacedFacts[]
  /** Their facts were stored without a row until now. */
  readonly placed: readonly TransactionKey[]
}

/** The transactions whose row or facts have changed. */
export function changedTransactions(
  changed: readonly (RenamedRow & Pick<TransactionRow, 'kind'>)[],
  rows: ChangedRows<TransactionRow>,
  factSet: FactSet,
): ChangedTransactions {
  const transactions: TransactionWithFacts[] = []
  const unplaced: UnplacedFacts[] = []
  const placed: TransactionKey[] = []
  for (const { kind, name: transaction_uuid } of changed) {
    const key = transactionKey(kind, transaction_uuid)
    const row = rows.get(key)
    const facts = factSet.recorded(key)
    if (row === null) unplaced.push({ kind, transaction_uuid, facts })
    else transactions.push({ row, facts })
    if (row !== null && factSet.isStored(key) && rows.before(key) === null) placed.push({ kind, transaction_uuid })
  }
  return { transactions, unplaced, placed }
}

/** The rows that stood under another user before. */
export const movedRows = <Row extends RenamedRow>(rows: readonly Row[]): readonly (Row & MovedRow)[] =>
  rows.flatMap((row) =>
    row.from === null || row.to === null || row.from === row.to
      ? []
      : [{ ...row, transaction_uuid: row.name, user_reference_id: row.from, to: row.to }],
  )
