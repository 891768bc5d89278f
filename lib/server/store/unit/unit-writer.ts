import { CompiledQuery, type Kysely } from 'kysely'
import type { BalanceRow } from '../../ledger/accounts.ts'
import type { FactCurrency } from '../../ledger/facts.ts'
import { lineKey, listKey } from '../../ledger/line-key.ts'
import { assertOneUser, NO_USER, type RowUser } from '../../ledger/row-users.ts'
import {
  eventsOfEnd,
  isSettledByPerson,
  keysOfEnd,
  UNAPPLIED_REASONS,
  type LateLine,
  type LateSuccess,
  type SettledReport,
  type UnappliedEvent,
} from '../../ledger/quarantine-set.ts'
import type {
  OnrampRow,
  PayoutRow,
  QuarantineLine,
  RecordRow,
  WithdrawalCallRow,
  WithdrawalColumns,
} from '../../ledger/rows.ts'
import type { MovedRow } from '../../ledger/changed-transactions.ts'
import type { ScheduledReconciliation, UnitOfWork } from '../../ledger/unit-of-work.ts'
import { learnedRow } from '../tables/currencies.ts'
import { ledgerStoreOf } from '../tables/ledger-store.ts'
import type { DatabaseTime } from '../database/database-time.ts'
import type { Flavour } from '../database/migrations/0001-initial.ts'
import { confirmRows, deleteRows, insertRows, selectByKeys, updateRows } from '../database/multi-row.ts'
import { networkIconWriter } from './network-icon-writer.ts'
import { packText } from '../database/packed-text.ts'
import { pipelined, type StatementRunner } from '../database/pipelined.ts'
import type { Tables, UnplacedFactsTable, WebhooksTable } from '../database/schema.ts'
import { storedTransaction, storedUnplaced, type StoredTransaction } from '../tables/transaction-rows.ts'
import {
  CALL_COLUMNS,
  PAYOUT_COLUMNS,
  QUARANTINE_COLUMNS,
  ROW_USER_COLUMNS,
  TRANSACTION_COLUMNS,
  UNPLACED_COLUMNS,
  WITHDRAWAL_COLUMNS,
} from './unit-columns.ts'

type StoredLine = Omit<QuarantineLine, 'user_reference_id'> & { readonly user_reference_id: string }
type Moved = Pick<MovedRow, 'user_reference_id' | 'transaction_uuid'> & { readonly kind: string }

/** A row as it is stored: what has no user stands under an empty one. */
const storedRow = <Row extends { readonly user_reference_id: string | null }>(
  row: Row,
): Omit<Row, 'user_reference_id'> & { user_reference_id: string } => ({
  ...row,
  user_reference_id: row.user_reference_id ?? NO_USER,
})

/** An arbitrary number; no other program on this database may use it for its advisory lock. */
const QUARANTINE_LOCK = 7_215_310_443

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
  const insertLines = insertRows<StoredLine>(flavour, 'quarantine', QUARANTINE_COLUMNS, 'fail')
  const openLines = selectByKeys<StoredLine>(flavour, 'quarantine', ['transaction_uuid'], 'settled_ms is null')
  const unapplied = selectByKeys<UnappliedEvent>(
    flavour,
    'quarantine',
    ['transaction_uuid'],
    `(reason in (${UNAPPLIED_REASONS.map((reason) => `'${reason}'`).join(', ')})
      or (reason = 'overdue' and transaction_uuid = '${listKey('')}' || user_reference_id))`,
  )
  /** PostgreSQL assigns numbers before the commit, so the first writer to get a number must be the first to commit. */
  const lockNumbers = async (runner: StatementRunner, lines: number): Promise<void> => {
    if (flavour === 'postgres' && lines > 0)
      await runner.executeQuery(CompiledQuery.raw('select pg_advisory_xact_lock($1)', [QUARANTINE_LOCK]))
  }
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

  const settleReports = updateRows<Omit<SettledReport, 'otherwise'> & { settled_ms: number }>(
    flavour,
    'quarantine',
    { reason: 'text', transaction_uuid: 'text', ending: 'text', settled_by: 'text', settled_ms: 'bigint' },
    ['reason', 'transaction_uuid'],
    (value) => ({ settled_ms: value('settled_ms'), settled_by: value('settled_by') }),
    {
      where: (value) => `quarantine.settled_ms is null and quarantine.event like '%' || ${value('ending')}`,
      returning: 'quarantine.reason, quarantine.transaction_uuid, quarantine.received_ms',
    },
  )

  /** Whether a person has made the booking, too, by an adjustment since then. */
  const isCorrected = async (
    db: Kysely<Tables>,
    { line: { user_reference_id: user, received_ms: nowMs }, booked }: LateLine,
    sinceMs: number,
  ): Promise<boolean> => {
    if (user === null || booked === null) return false
    const adjusted = await ledgerStoreOf(db).adjustedBy(user, [{ ...booked, sinceMs }], nowMs)
    return [...adjusted.values()].some(({ size }) => size > 0)
  }

  /** Whether a person may have made this booking by hand (`UnitOfWork.quarantineIfMade`). */
  const isMade = (db: Kysely<Tables>, booked: LateSuccess, events: readonly UnappliedEvent[]): Promise<boolean> => {
    const about = eventsOfEnd(booked, events)
    if (about.length === 0) return Promise.resolve(false)
    if (about.some((one) => isSettledByPerson(booked, one))) return Promise.resolve(true)
    return isCorrected(db, booked, Math.min(...about.map(({ received_ms }) => received_ms)))
  }

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
    const { quarantine, quarantineOnce, settledReports, booked } = changes
    const otherwise = settledReports.flatMap((report) => report.otherwise ?? [])
    const about = new Set(quarantineOnce.flatMap(({ transaction_uuid }) => transaction_uuid ?? []))
    const [claimed, open, settled, events] = await pipelined(db, (runner) => {
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
        lockNumbers(runner, quarantine.length + quarantineOnce.length + otherwise.length),
        insertLines(runner, quarantine.map(storedRow)),
      ]
      // With the lock of the numbers, no other unit adds a line before this one is committed.
      const lines = openLines(
        runner,
        [...about].map((uuid) => [uuid]),
      )
      return Promise.all([
        names,
        lines,
        settleReports(
          runner,
          settledReports.map((report) => ({ ...report, settled_ms: unit.now })),
        ),
        unapplied(
          runner,
          [...new Set(booked.flatMap(keysOfEnd))].map((key) => [key]),
        ),
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
    const told = new Set(open.map(lineKey))
    const ended = Map.groupBy(settled, (row) => `${String(row['reason'])} ${String(row['transaction_uuid'])}`)
    const late: QuarantineLine[] = []
    for (const { reason, transaction_uuid, otherwise } of settledReports) {
      const open = ended.get(`${reason} ${transaction_uuid}`)?.map((row) => Number(row['received_ms']))
      if (otherwise === undefined) continue
      const sinceMs = open === undefined ? otherwise.adjustedSinceMs : Math.min(...open)
      if (sinceMs === undefined || (await isCorrected(db, otherwise, sinceMs))) late.push(otherwise.line)
    }
    const made: QuarantineLine[] = []
    for (const one of events.length === 0 ? [] : booked) if (await isMade(db, one, events)) made.push(one.line)
    await lockNumbers(db, made.length)
    late.push(...made)
    await insertLines(
      db,
      [...quarantineOnce.filter((line) => line.transaction_uuid === null || !told.has(lineKey(line))), ...late].map(
        storedRow,
      ),
    )
  }
}
