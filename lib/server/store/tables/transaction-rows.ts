import type { Selectable } from 'kysely'
import type { RecordedFact } from '../../ledger/facts.ts'
import { factsText, parseFacts } from '../../ledger/stored-facts.ts'
import { NO_USER } from '../../ledger/row-users.ts'
import type { TransactionRow } from '../../ledger/rows.ts'
import type { TransactionWithFacts, UnplacedFacts } from '../../ledger/changed-transactions.ts'
import type { TransactionsTable, UnplacedFactsTable } from '../database/schema.ts'
import { withUser } from './row-users.ts'

/** A transaction as it is stored: with its facts, and with an empty user if it has none. */
export type StoredTransaction = Selectable<TransactionsTable>

export const transactionOf = ({ facts: _facts, ...row }: StoredTransaction): TransactionRow => withUser(row)

/** The facts of a stored transaction. */
export const factsOfRow = (row: StoredTransaction): readonly RecordedFact[] => parseFacts(row, row.facts, withUser(row))

export const unplacedFactsOf = (row: UnplacedFactsTable): readonly RecordedFact[] => parseFacts(row, row.facts, null)

export const storedTransaction = ({ row, facts }: TransactionWithFacts): StoredTransaction => ({
  ...row,
  user_reference_id: row.user_reference_id ?? NO_USER,
  facts: factsText(facts, row),
})

export const storedUnplaced = ({ facts, ...key }: UnplacedFacts): UnplacedFactsTable => ({
  ...key,
  facts: factsText(facts, null),
})
