import type { Kysely, Selectable } from 'kysely'
import type { ListFilter, ListSortName } from '#lib/contract/operate/lists.ts'
import { parseWithdrawal } from '../../ledger/parse-withdrawal.ts'
import type { PayoutRow, TransactionRow, WithdrawalColumns, WithdrawalRow } from '../../ledger/rows.ts'
import type { Flavour } from '../database/migrations/0001-initial.ts'
import type { QuarantineTable, Tables, TransactionsTable } from '../database/schema.ts'
import { withUser } from '../tables/row-users.ts'
import { listSteps, type ListStep, type ListStepRequest } from './list-steps.ts'
import { payoutsList } from './payouts-list.ts'
import { quarantineList, type QuarantineListLine } from './quarantine-list.ts'
import { transactionsList } from './transactions-list.ts'
import { withdrawalsList } from './withdrawals-list.ts'

/** The rows of the console's lists, as stored. */
export interface StoredListRows {
  readonly transactions: TransactionRow
  readonly withdrawals: WithdrawalRow
  readonly payouts: PayoutRow
  readonly quarantine: QuarantineListLine
}

type Lists = {
  readonly [L in keyof StoredListRows]: (
    request: ListStepRequest<ListFilter<L>, ListSortName<L>>,
  ) => Promise<ListStep<StoredListRows[L]>>
}

/** The lists of the console, a step at a time. */
export const operatorListsOf = (db: Kysely<Tables>, flavour: Flavour): Lists => {
  return {
    transactions: listSteps(db, transactionsList(flavour), (row) => withUser(row as TransactionsTable)),
    withdrawals: listSteps(db, withdrawalsList(flavour), (row) => parseWithdrawal(row as WithdrawalColumns)),
    payouts: listSteps(db, payoutsList(flavour), (row) => row as PayoutRow),
    quarantine: listSteps(db, quarantineList(flavour), (row) => withUser(row as Selectable<QuarantineTable>)),
  }
}
