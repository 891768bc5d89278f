import { CompiledQuery, type Kysely } from 'kysely'
import type { BalanceRow } from '../../ledger/accounts.ts'
import type { Fact } from '../../ledger/facts.ts'
import type {
  OnrampRow,
  PayoutRow,
  QuarantineLine,
  RecordRow,
  TransactionRow,
  WebhookRow,
  WithdrawalColumns,
} from '../../ledger/rows.ts'
import type { ScheduledReconciliation, SettledReport, UnitOfWork } from '../../ledger/unit-of-work.ts'
import { learnedRow } from '../tables/currencies.ts'
import type { DatabaseTime } from '../database/database-time.ts'
import type { Flavour } from '../database/migrations/0001-initial.ts'
import { insertRows, updateRows } from '../database/multi-row.ts'
import { networkIconWriter } from './network-icon-writer.ts'
import { pipelined, type StatementRunner } from '../database/pipelined.ts'
import type { Tables } from '../database/schema.ts'
import type { FactRow } from '../tables/transactions.ts'
import {
  FACT_COLUMNS,
  PAYOUT_COLUMNS,
  QUARANTINE_COLUMNS,
  TRANSACTION_COLUMNS,
  WITHDRAWAL_COLUMNS,
} from './unit-columns.ts'

/** An arbitrary number; no other program on this database may use it for its advisory lock. */
const QUARANTINE_LOCK = 7_215_310_443

/**
 * Writes the changes of units of work: one statement for each table with changes, for any number of rows, all in one
 * message.
 */
export function unitWriter(flavour: Flavour, time: DatabaseTime) {
  const insertFacts = insertRows<FactRow>(flavour, 'facts', FACT_COLUMNS, 'fail')
  const replaceFacts = insertRows<FactRow>(flavour, 'facts', FACT_COLUMNS, 'replace', [
    'kind',
    'transaction_uuid',
    'status',
    'source',
  ])
  const putTransactions = insertRows<TransactionRow>(flavour, 'transactions', TRANSACTION_COLUMNS, 'replace', [
    'kind',
    'transaction_uuid',
  ])
  const insertWithdrawals = insertRows<WithdrawalColumns>(flavour, 'withdrawals', WITHDRAWAL_COLUMNS, 'fail')
  const updateWithdrawals = updateRows<WithdrawalColumns>(flavour, 'withdrawals', WITHDRAWAL_COLUMNS, 'id', (value) =>
    Object.fromEntries(
      Object.keys(WITHDRAWAL_COLUMNS)
        .filter((name) => name !== 'id')
        .map((name) => [name, value(name as keyof WithdrawalColumns)]),
    ),
  )
  const putPayouts = insertRows<PayoutRow>(flavour, 'payouts', PAYOUT_COLUMNS, 'replace', ['transaction_uuid'])
  const updateOnramps = updateRows<
    Pick<OnrampRow, 'id' | 'status' | 'transaction_uuid' | 'settled_uuid' | 'correlation_key' | 'updated_ms'>
  >(
    flavour,
    'onramp_sessions',
    {
      id: 'text',
      status: 'text',
      transaction_uuid: 'text',
      settled_uuid: 'text',
      correlation_key: 'text',
      updated_ms: 'bigint',
    },
    'id',
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
  const insertQuarantine = insertRows<QuarantineLine>(flavour, 'quarantine', QUARANTINE_COLUMNS, 'fail')
  const insertQuarantineOnce = insertRows<QuarantineLine>(flavour, 'quarantine', QUARANTINE_COLUMNS, 'fail', [], {
    unless: (value) => `select 1 from quarantine q where q.reason = ${value('reason')} and q.settled_ms is null
      and q.transaction_uuid = ${value('transaction_uuid')}`,
  })
  /** PostgreSQL assigns numbers before the commit, so the first writer to get a number must be the first to commit. */
  const lockNumbers = async (runner: StatementRunner, lines: number): Promise<void> => {
    if (flavour === 'postgres' && lines > 0)
      await runner.executeQuery(CompiledQuery.raw('select pg_advisory_xact_lock($1)', [QUARANTINE_LOCK]))
  }
  const insertWebhooks = insertRows<WebhookRow>(
    flavour,
    'webhooks',
    { id: 'text', received_ms: 'bigint', sent_s: 'bigint', body: 'text', outcome: 'text' },
    'fail',
  )
  const dueAt = (value: (name: 'delay_ms') => string): string => time.delay.sql(value('delay_ms'))
  const least = flavour === 'postgres' ? 'least' : 'min'
  const scheduleReconciliation = updateRows<ScheduledReconciliation>(
    flavour,
    'users',
    { user_reference_id: 'text', delay_ms: 'bigint', rank: 'bigint' },
    'user_reference_id',
    (value) => ({
      reconcile_at_ms: `${least}(coalesce(reconcile_at_ms, ${dueAt(value)}), ${dueAt(value)})`,
      reconcile_priority: `${least}(reconcile_priority, ${value('rank')})`,
    }),
    {
      where: (value) =>
        `reconcile_at_ms is null or reconcile_at_ms > ${dueAt(value)} or reconcile_priority > ${value('rank')}`,
    },
  )

  const settleReports = updateRows<SettledReport & { settled_ms: number }>(
    flavour,
    'quarantine',
    { reason: 'text', transaction_uuid: 'text', settled_ms: 'bigint' },
    'transaction_uuid',
    (value) => ({ settled_ms: value('settled_ms'), settled_by: "'system'" }),
    { where: (value) => `quarantine.reason = ${value('reason')} and quarantine.settled_ms is null` },
  )

  return async (db: Kysely<Tables>, unit: UnitOfWork): Promise<void> => {
    const changes = unit.changes()
    const learned = changes.learned.toSorted((a, b) => (a.id < b.id ? -1 : 1))
    const factRow = (fact: Fact): FactRow => ({
      kind: fact.kind,
      transaction_uuid: fact.transaction_uuid,
      status: fact.status,
      source: fact.source,
      content: JSON.stringify(fact),
      recorded_ms: unit.now,
    })
    await pipelined(db, (runner) =>
      Promise.all([
        learnCurrencies(
          runner,
          learned.map((currency) => learnedRow(currency, unit.now)),
        ),
        learnNetworkIcons(runner, learned, unit.now),
        insertFacts(runner, changes.facts.map(factRow)),
        replaceFacts(runner, changes.replacedFacts.map(factRow)),
        putTransactions(runner, changes.transactions),
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
        lockNumbers(runner, changes.quarantine.length + changes.quarantineOnce.length),
        insertQuarantine(runner, changes.quarantine),
        insertQuarantineOnce(runner, changes.quarantineOnce),
        insertWebhooks(runner, changes.webhooks),
        scheduleReconciliation(
          runner,
          changes.reconciliations.map((scheduled) => ({
            ...scheduled,
            delay_ms: time.delay.given(scheduled.delay_ms),
          })),
        ),
        settleReports(
          runner,
          changes.settledReports.map((report) => ({ ...report, settled_ms: unit.now })),
        ),
      ]),
    )
  }
}
