/** The statements that read the rows of a unit of work by their keys. Each names the user, but where none is known. */
import type { Selectable } from 'kysely'
import type { BalanceRow } from '../../ledger/accounts.ts'
import type { OnrampRow, PayoutRow, WithdrawalColumns } from '../../ledger/rows.ts'
import type { Flavour } from '../database/migrations/0001-initial.ts'
import { selectByKeys } from '../database/multi-row.ts'
import type { Tables, UnplacedFactsTable } from '../database/schema.ts'
import { rowUsersOf } from '../tables/row-users.ts'
import type { StoredTransaction } from '../tables/transaction-rows.ts'

export type UnitSelects = ReturnType<typeof unitSelects>

export function unitSelects(flavour: Flavour) {
  const uuidKey = ['user_reference_id', 'transaction_uuid'] as const
  const transactionsBy = (...columns: readonly string[]) =>
    selectByKeys<StoredTransaction>(flavour, 'transactions', columns)
  return {
    findRowUsers: rowUsersOf(flavour),
    unplacedFacts: selectByKeys<UnplacedFactsTable>(flavour, 'unplaced_facts', ['transaction_uuid']),
    transactionsByUuid: transactionsBy(...uuidKey),
    onrampsByDeposit: transactionsBy('user_reference_id', 'deposit_uuid'),
    transactionsByHash: transactionsBy('user_reference_id', 'tx_hash_key'),
    transactionsByKey: transactionsBy('user_reference_id', 'correlation_key'),
    withdrawalsById: selectByKeys<WithdrawalColumns>(flavour, 'withdrawals', ['user_reference_id', 'id']),
    withdrawalsByUuid: selectByKeys<WithdrawalColumns>(flavour, 'withdrawals', uuidKey),
    payoutsByUuid: selectByKeys<PayoutRow>(flavour, 'payouts', uuidKey),
    sessionsById: selectByKeys<OnrampRow>(flavour, 'onramp_sessions', ['user_reference_id', 'id']),
    sessionsByKey: selectByKeys<OnrampRow>(flavour, 'onramp_sessions', ['user_reference_id', 'correlation_key']),
    currenciesById: selectByKeys<Selectable<Tables['currencies']>>(flavour, 'currencies', ['id']),
    balancesByOwner: selectByKeys<BalanceRow>(flavour, 'balances', ['user_reference_id', 'currency_id']),
  }
}
