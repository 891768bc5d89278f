import type { Kysely } from 'kysely'
import type { BalanceRow } from '../../ledger/accounts.ts'
import type { FactCurrency } from '../../ledger/facts.ts'
import { assertOneUser, type RowUser } from '../../ledger/row-users.ts'
import type { OnrampRow, PayoutRow, RecordRow, WithdrawalCallRow, WithdrawalColumns } from '../../ledger/rows.ts'
import type { MovedRow } from '../../ledger/changed-transactions.ts'
import type { ScheduledReconciliation, UnitOfWork } from '../../ledger/unit-of-work.ts'
import { learnedRow } from '../tables/currencies.ts'
import type { DatabaseTime } from '../database/database-time.ts'
import type { Flavour } from '../database/migrations/0001-initial.ts'
import { confirmRows, deleteRows, insertRows, selectByKeys, updateRows } from '../database/multi-row.ts'
import { networkIconWriter } from './network-icon-writer.ts'
import { packText } from '../database/packed-text.ts'
import { pipelined } from '../database/pipelined.ts'
import type { Tables, UnplacedFactsTable, WebhooksTable } from '../database/schema.ts'
import { storedTransaction, storedUnplaced, type StoredTransaction } from '../tables/transaction-rows.ts'
import { quarantineWriter } from './quarantine-writer.ts'
import {
  CALL_COLUMNS,
  PAYOUT_COLUMNS,
  ROW_USER_COLUMNS,
  TRANSACTION_COLUMNS,
  UNPLACED_COLUMNS,
  WITHDRAWAL_COLUMNS,
} from './unit-columns.ts'

type Moved = Pick<MovedRow, 'user_reference_id' | 'transaction_uuid'> & { readonly kind: string }

/**
 * Writes the changes of units of work: one statement for each table with changes, for any number of rows, all in one
 * message.
 */
export function unitWriter(flavour: Flavour, time: DatabaseTime) {
  const putTransactions = insertRows<StoredTransaction>(flavour, 'transactions', TRANSACTION_COLUMNS, 'replace', [
    'user_reference_id',
    'kind',
    'transaction_uuid',
  ])
  const putUnplaced = insertRows<UnplacedFactsTable>(flavour, 'unplaced_facts', UNPLACED_COLUMNS, 'replace', [
    'kind',
    'transaction_uuid',
  ])
  const insertWithdrawals = insertRows<WithdrawalColumns>(flavour, 'withdrawals', WITHDRAWAL_COLUMNS, 'fail')
  const updateWithdrawals = updateRows<WithdrawalColumns>(
    flavour,
    'withdrawals',
    WITHDRAWAL_COLUMNS,
    ['user_reference_id', 'id'],
    (value) =>
      Object.fromEntries(
        Object.keys(WITHDRAWAL_COLUMNS)
          .filter((name) => name !== 'id' && name !== 'user_reference_id')
          .map((name) => [name, value(name as keyof WithdrawalColumns)]),
      ),
  )
  const putPayouts = insertRows<PayoutRow>(flavour, 'payouts', PAYOUT_COLUMNS, 'replace', [
    'user_reference_id',
    'transaction_uuid',
  ])
  const freeNames = deleteRows<RowUser>(flavour, 'row_users', ROW_USER_COLUMNS)
  const claimNames = confirmRows<RowUser>(flavour, 'row_users', ROW_USER_COLUMNS, ['name', 'kind'])
  const storedNames = selectByKeys<RowUser>(flavour, 'row_users', ['name', 'kind'])
  const noteKeys = insertRows<RowUser>(flavour, 'row_users', ROW_USER_COLUMNS, 'keep', ['name', 'kind'])
  const payoutKey = { user_reference_id: 'text', transaction_uuid: 'text' } as const
  const transactionKey = { ...payoutKey, kind: 'text' } as const
  const deleteTransactions = deleteRows<Moved>(flavour, 'transactions', transactionKey)
  const deleteUnplaced = deleteRows<Omit<UnplacedFactsTable, 'facts'>>(flavour, 'unplaced_facts', {
    kind: 'text',
    transaction_uuid: 'text',
  })
  const deletePayouts = deleteRows<Omit<Moved, 'kind'>>(flavour, 'payouts', payoutKey)
  const updateOnramps = updateRows<
    Pick<
      OnrampRow,
      'id' | 'user_reference_id' | 'status' | 'transaction_uuid' | 'settled_uuid' | 'correlation_key' | 'updated_ms'
    >
  >(
    flavour,
    'onramp_sessions',
    {
      id: 'text',
      user_reference_id: 'text',
      status: 'text',
      transaction_uuid: 'text',
      settled_uuid: 'text',
      correlation_key: 'text',
      updated_ms: 'bigint',
    },
    ['user_reference_id', 'id'],
    (value) => ({
      status: value('status'),
      transaction_uuid: value('transaction_uuid'),
      settled_uuid: value('settled_uuid'),
      // The reply to our call may have stored the key since the session was read.
      correlation_key: `coalesce(onramp_sessions.correlation_key, ${value('correlation_key')})`,
      updated_ms: value('updated_ms'),
    }),
  )
  const insertPostings = insertRows<Omit<Tables['postings'], 'id'>>(
    flavour,
    'postings',
    {
      posting_key: 'text',
      user_reference_id: 'text',
      currency_id: 'text',
      kind: 'text',
      from_account: 'text',
      to_account: 'text',
      amount: 'text',
      created_ms: 'bigint',
      detail: 'text',
    },
    'fail',
  )
  const putBalances = insertRows<BalanceRow>(
    flavour,
    'balances',
    { user_reference_id: 'text', currency_id: 'text', available: 'text', held: 'text', overdraft: 'text' },
    'replace',
    ['user_reference_id', 'currency_id'],
  )
  const learnCurrencies = insertRows<Tables['currencies']>(
    flavour,
    'currencies',
    {
      id: 'text',
      currency_code: 'text',
      name: 'text',
      symbol: 'text',
      network: 'text',
      currency_icon: 'text',
      network_icon: 'text',
      listed: 'bigint',
      position: 'bigint',
      updated_ms: 'bigint',
      listed_as: 'text',
    },
    'keep',
    ['id'],
  )
  const learnNetworkIcons = networkIconWriter(flavour)
  const putRecords = insertRows<RecordRow>(
    flavour,
    'records',
    {
      user_reference_id: 'text',
      transaction_uuid: 'text',
      type: 'text',
      status: 'text',
      inserted_ms: 'bigint',
      inserted_at: 'text',
      cursor: 'text',
      record: 'text',
      seen_ms: 'bigint',
    },
    'replace',
    ['user_reference_id', 'transaction_uuid'],
  )
  const quarantine = quarantineWriter(flavour)
  const insertWebhooks = insertRows<Omit<WebhooksTable, 'id'>>(
    flavour,
    'webhooks',
    { received_ms: 'bigint', sent_s: 'bigint', body: 'bytea', outcome: 'text', transaction_uuid: 'text' },
    'fail',
  )
  const insertCalls = insertRows<WithdrawalCallRow>(flavour, 'withdrawal_calls', CALL_COLUMNS, 'keep', [
    'user_reference_id',
    'withdrawal_id',
    'purpose',
    'started_ms',
  ])
  const dueAt = (value: (name: 'delay_ms') => string): string => time.delay.sql(value('delay_ms'))
  const least = flavour === 'postgres' ? 'least' : 'min'
  const scheduleReconciliation = updateRows<ScheduledReconciliation>(
    flavour,
    'users',
    { user_reference_id: 'text', delay_ms: 'bigint', rank: 'bigint' },
    ['user_reference_id'],
    (value) => ({
      reconcile_at_ms: `${least}(coalesce(reconcile_at_ms, ${dueAt(value)}), ${dueAt(value)})`,
      reconcile_priority: `${least}(reconcile_priority, ${value('rank')})`,
    }),
    {
      where: (value) =>
        `reconcile_at_ms is null or reconcile_at_ms > ${dueAt(value)} or reconcile_priority > ${value('rank')}`,
    },
  )

  /** @throws BrokenInvariant for the first of these names that another user has */
  const refuseOthers = async (db: Kysely<Tables>, claimed: readonly RowUser[]): Promise<void> => {
    const stored = await storedNames(
      db,
      claimed.map(({ name, kind }) => [name, kind]),
    )
    for (const one of stored)
      assertOneUser(
        claimed.some(
          (own) => own.name === one.name && own.kind === one.kind && own.user_reference_id === one.user_reference_id,
        ),
        one,
      )
  }

  return async (db: Kysely<Tables>, unit: UnitOfWork): Promise<void> => {
    const changes = unit.changes()
    const byId = (a: FactCurrency, b: FactCurrency): number => (a.id < b.id ? -1 : 1)
    const learned = changes.learned.toSorted(byId)
    const [claimed, told] = await pipelined(db, (runner) => {
      const moves = [
        freeNames(runner, changes.freed),
        deleteTransactions(runner, changes.movedTransactions),
        deletePayouts(runner, changes.movedPayouts),
        deleteUnplaced(runner, changes.placed),
      ]
      const names = claimNames(runner, changes.claimed)
      const rows = [
        noteKeys(runner, changes.keys),
        learnCurrencies(
          runner,
          changes.newCurrencies.toSorted(byId).map((currency) => learnedRow(currency, unit.now)),
        ),
        learnNetworkIcons(runner, learned, unit.now),
        putTransactions(runner, changes.transactions.map(storedTransaction)),
        putUnplaced(runner, changes.unplaced.map(storedUnplaced)),
        insertWithdrawals(runner, changes.newWithdrawals),
        updateWithdrawals(runner, changes.changedWithdrawals),
        putPayouts(runner, changes.payouts),
        updateOnramps(runner, changes.onramps),
        insertPostings(
          runner,
          changes.postings.map((posting) => ({ ...posting, created_ms: unit.now, detail: posting.detail ?? null })),
        ),
        putBalances(runner, changes.balances),
        putRecords(runner, changes.records),
      ]
      const lines = quarantine.begin(runner, changes, unit.now)
      return Promise.all([
        names,
        lines,
        ...moves,
        ...rows,
        insertWebhooks(
          runner,
          changes.webhooks.map((row) => ({ ...row, body: packText(row.body) })),
        ),
        insertCalls(runner, changes.calls),
        scheduleReconciliation(
          runner,
          changes.reconciliations.map((scheduled) => ({
            ...scheduled,
            delay_ms: time.delay.given(scheduled.delay_ms),
          })),
        ),
      ])
    })
    if (claimed < changes.claimed.length) await refuseOthers(db, changes.claimed)
    await quarantine.finish(db, changes, told)
  }
}
