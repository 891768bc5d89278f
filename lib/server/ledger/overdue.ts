/** What has waited too long for the gateway is reported once (docs/explanation/money.md, "Quarantine reasons"). */
import { sum, type Decimal } from '#lib/contract/money.ts'
import type { LedgerMode } from './accounts.ts'
import { correctionOf, endLess, isMuchLess, LESS } from './credits.ts'
import { contradicted, disputeLine, EVENT_NAMES, reportDispute } from './disputes.ts'
import { listedSuccess, type Fact } from './facts.ts'
import { listKey } from './line-key.ts'
import { isLongAgo, laterThan } from './long-ago.ts'
import { openAwaited } from './payouts/payout-owners.ts'
import type { TransactionKey, TransactionRow, WithdrawalRow } from './rows.ts'
import { hasTransactionEnded, isOpenTransaction, UNCONFIRMED_STANDINGS } from './transaction-statuses.ts'
import type { UnitOfWork } from './unit-of-work.ts'
import { isToldOf } from './vanished-records.ts'
import { hasWithdrawalEnded } from './withdrawal-statuses.ts'

/** A transaction, and of a purchase the newest deposit that may be its own although nothing links the two. */
export interface DueTransactionKey extends TransactionKey {
  readonly deposit_uuid?: string | null
}

/** What may be due. */
export interface DueKeys {
  readonly withdrawals: readonly string[]
  readonly transactions: readonly DueTransactionKey[]
}

/** For so long after its last news a deposit that nothing links with a purchase may be its own: a bank takes days. */
export const DELIVERED_WITHIN_MS = 30 * 86_400_000

/** A settled purchase without a user, a session of ours, or an amount credits nobody: only its deposit does. */
export const awaitsDeposit = (row: TransactionRow): boolean =>
  row.kind === 'onramp' &&
  row.status === 'succeeded' &&
  (row.user_reference_id === null || row.onramp_session_id === null || row.amount === null) &&
  row.deposit_uuid === null

/**
 * Whether the gateway has yet to say more about a transaction. The payout of a withdrawal waits as the withdrawal, until
 * an event says more than the list; a purchase without user and session is nobody's. The index `transactions_waiting`
 * has the same condition.
 */
export const awaitsGateway = (row: TransactionRow): boolean =>
  (row.withdrawal_id === null || row.standing === 'withheld') &&
  row.standing !== 'before' &&
  (row.user_reference_id !== null || row.onramp_session_id !== null) &&
  (isOpenTransaction(row.status) || UNCONFIRMED_STANDINGS.includes(row.standing) || awaitsDeposit(row))

/**
 * Whether its present status was reported. Another status waits anew: a person may have settled the line that told of the
 * one before. The index `transactions_waiting` has the same condition.
 */
const isReported = ({ overdue_ms, updated_ms }: TransactionRow): boolean =>
  overdue_ms !== null && overdue_ms > updated_ms

/** The transaction with the mark that its present status was reported, whichever machine wrote that status. */
const reported = (unit: UnitOfWork, row: TransactionRow): TransactionRow => ({
  ...row,
  overdue_ms: Math.max(unit.now, row.updated_ms + 1),
})

/** The list has called what was reported by another word that nobody knows: it waits anew, too. */
export function waitAnew(unit: UnitOfWork, { kind, transaction_uuid }: TransactionKey): void {
  const row = unit.transaction(kind, transaction_uuid)
  if (row === null || row.overdue_ms === null || !awaitsGateway(row)) return
  unit.putTransaction({ ...row, updated_ms: laterThan(Math.max(row.updated_ms, row.overdue_ms - 1), unit.now) })
}

interface Waiting {
  readonly kind: TransactionRow['kind']
  readonly withdrawal_id: string | null
  readonly transaction_uuid: string | null
  readonly status: string
  readonly sinceMs: number
  readonly deposit_uuid?: string
}

function report(unit: UnitOfWork, user: string | null, { sinceMs, ...waiting }: Waiting): void {
  unit.quarantineOnce({
    reason: 'overdue',
    event_name: EVENT_NAMES[waiting.kind],
    user_reference_id: user,
    transaction_uuid: waiting.transaction_uuid ?? waiting.withdrawal_id,
    event: JSON.stringify({ ...waiting, since: new Date(sinceMs).toISOString() }),
  })
}

/** A merchant who has postponed a withdrawal may take any time; a person should decide soon about a rule's. */
const waitsSince = (row: WithdrawalRow): number | null =>
  row.call_ended_ms ?? row.called_ms ?? (row.review === null ? null : (row.wait_until_ms ?? row.created_ms))

function checkWithdrawal(unit: UnitOfWork, id: string, overdueMs: number): boolean {
  const row = unit.withdrawal(id)
  if (row === null || row.status === 'succeeded' || row.status === 'failed') return false
  const sinceMs = waitsSince(row)
  if (sinceMs === null || row.overdue_ms !== null || !isLongAgo(sinceMs, unit.now, overdueMs)) return false
  unit.putWithdrawal({ ...row, overdue_ms: unit.now })
  const { transaction_uuid, status } = row
  report(unit, row.user_reference_id, { kind: 'payout', withdrawal_id: id, transaction_uuid, status, sinceMs })
  return true
}

/** The succeeded deposits that may have brought a purchase's coins. */
const depositsOf = (unit: UnitOfWork, purchase: TransactionRow): readonly TransactionRow[] =>
  unit.transfers.same(purchase).filter(({ kind, status }) => kind === 'deposit' && status === 'succeeded')

/** Whether the deposit is that of another purchase. */
const broughtAnother = (unit: UnitOfWork, deposit: string, row: TransactionRow): boolean =>
  unit.transactions().some((other) => other.deposit_uuid === deposit && other.transaction_uuid !== row.transaction_uuid)

function checkTransaction(
  unit: UnitOfWork,
  { kind, transaction_uuid, deposit_uuid }: DueTransactionKey,
  overdueMs: number,
): boolean {
  const row = unit.transaction(kind, transaction_uuid)
  if (row === null || isReported(row) || !awaitsGateway(row) || !isLongAgo(row.updated_ms, unit.now, overdueMs))
    return false
  const withdrawal = kind === 'payout' ? unit.withdrawalOf(transaction_uuid) : null
  if (withdrawal !== null && !hasWithdrawalEnded(withdrawal.status)) return false
  const session = unit.onramp(null, row.onramp_session_id)
  const user = row.user_reference_id ?? session?.user_reference_id ?? null
  const deposit = awaitsDeposit(row)
    ? depositsOf(unit, { ...row, user_reference_id: user }).find(
        ({ transaction_uuid: deposit }) => !broughtAnother(unit, deposit, row),
      )
    : undefined
  unit.putTransaction(deposit === undefined ? reported(unit, row) : { ...row, deposit_uuid: deposit.transaction_uuid })
  // Coins in the user's own wallet are delivered, and nobody waits for the transactions of an erased user.
  const isDelivered = deposit !== undefined || (awaitsDeposit(row) && (session?.wallet_address ?? null) !== null)
  if (!isDelivered && user !== null && unit.hasUser(user)) {
    const { status, updated_ms: sinceMs } = row
    const may_be = deposit_uuid != null && { deposit_uuid }
    report(unit, user, { kind, withdrawal_id: null, transaction_uuid, status, sinceMs, ...may_be })
  }
  return true
}

/**
 * Reports a purchase again whose line a person has settled: a deposit has come since the report that may be its own, and
 * its events may never say so. They may have credited it by hand.
 */
export function reportDelivery(unit: UnitOfWork, purchase: DueTransactionKey): void {
  const row = unit.transaction('onramp', purchase.transaction_uuid)
  const deposit = unit.transaction('deposit', purchase.deposit_uuid ?? '')
  if (row === null || deposit === null || row.overdue_ms === null || row.deposit_uuid !== null) return
  const { kind, transaction_uuid, status, user_reference_id, updated_ms: sinceMs } = row
  unit.putTransaction({ ...row, overdue_ms: Math.max(unit.now, deposit.updated_ms) })
  const waiting = { kind, withdrawal_id: null, transaction_uuid, status, sinceMs }
  report(unit, user_reference_id, { ...waiting, deposit_uuid: deposit.transaction_uuid })
}

/**
 * Reports those of these withdrawals and transactions that have waited this long, once each. A withdrawal waits since
 * the end of its call; a transaction since its present status. Returns how many were marked.
 */
export function reportOverdue(unit: UnitOfWork, due: DueKeys, overdueMs: number): number {
  const marked = [
    ...due.withdrawals.map((id) => checkWithdrawal(unit, id, overdueMs)),
    ...due.transactions.map((key) => checkTransaction(unit, key, overdueMs)),
  ]
  return marked.filter(Boolean).length
}

const totalOf = (rows: readonly TransactionRow[]): Decimal => sum(rows.flatMap(({ amount }) => amount ?? []))

/** Whether these deposits brought much less than was bought by this purchase and others for which they stand. */
function hasBroughtLess(unit: UnitOfWork, purchase: TransactionRow, deposits: readonly TransactionRow[]): boolean {
  const bought = deposits
    .flatMap((deposit) => unit.transfers.same(deposit))
    .filter(({ kind, status }) => kind === 'onramp' && status === 'succeeded')
  const purchases = new Map([purchase, ...bought].map((row) => [row.transaction_uuid, row]))
  return isMuchLess(totalOf(deposits), totalOf([...purchases.values()]))
}

/**
 * Reports a purchase whose deposits have brought much less, until what is missing comes.
 * @param news the deposit that has just succeeded
 */
function tellLess(
  unit: UnitOfWork,
  purchase: TransactionRow,
  deposits: readonly TransactionRow[],
  news: TransactionRow | null = null,
): void {
  if (hasBroughtLess(unit, purchase, deposits)) {
    reportDispute(unit, 'contradiction', purchase, contradicted(deposits, JSON.stringify(purchase), LESS))
    return
  }
  const before = deposits.filter(({ transaction_uuid }) => transaction_uuid !== news?.transaction_uuid)
  if (news !== null && before.length > 0 && hasBroughtLess(unit, purchase, before))
    endLess(unit, purchase, { evidence: JSON.stringify(news), news, missing: undefined })
  else unit.settleReport('contradiction', purchase.transaction_uuid, LESS)
}

/**
 * No control totals have what the merchant booked: reports, once each, deposits and payouts that a webhook called
 * succeeded and a complete read of the list does not, and purchases whose deposit has not come, or brought much less.
 */
export function reportUnlisted(unit: UnitOfWork, keys: readonly TransactionKey[], ledgerMode: LedgerMode): void {
  for (const { kind, transaction_uuid } of keys) {
    const row = unit.transaction(kind, transaction_uuid)
    if (row === null || row.overdue_ms !== null || row.standing !== 'confirmed') continue
    if (!isToldOf(unit, row, ledgerMode)) continue
    if (listedSuccess(unit.facts(kind, transaction_uuid)) !== undefined) continue
    unit.putTransaction(reported(unit, row))
    const deposits = kind === 'onramp' ? depositsOf(unit, row) : []
    if (deposits.length > 0) {
      tellLess(unit, row, deposits)
      continue
    }
    const { status, user_reference_id, withdrawal_id, updated_ms: sinceMs } = row
    report(unit, user_reference_id, { kind, withdrawal_id, transaction_uuid, status, sinceMs })
  }
}

/** Reports that a part of the user's list has been unreadable for too long: nobody knows what it tells. */
export function reportUnreadable(unit: UnitOfWork, user: string, sinceMs: number): void {
  if (!unit.hasUser(user)) return
  unit.quarantineOnce({
    reason: 'overdue',
    event_name: null,
    user_reference_id: user,
    transaction_uuid: listKey(user),
    event: JSON.stringify({ kind: 'list', user_reference_id: user, since: new Date(sinceMs).toISOString() }),
  })
}

/**
 * Asks a person about payouts that another list alone has shown for this long, or a message that is not applied: coins
 * may have left. What an event has told of is overdue as a transaction.
 */
export const reportAwaited = (unit: UnitOfWork, user: string, overdueMs: number): void =>
  openAwaited(
    unit,
    user,
    ({ transaction_uuid, first_seen_ms, status }) =>
      status !== 'failed' &&
      unit.transaction('payout', transaction_uuid) === null &&
      isLongAgo(first_seen_ms, unit.now, overdueMs),
  )

/** The facts of purchases that name no user, as facts about the session's user: their deposits are found by these. */
export const asFactsOfSession = (unit: UnitOfWork, keys: readonly TransactionKey[]): readonly Fact[] =>
  keys.flatMap(({ kind, transaction_uuid }) => {
    const row = unit.transaction(kind, transaction_uuid)
    const session = row !== null && awaitsDeposit(row) ? unit.onramp(null, row.onramp_session_id) : null
    if (session === null) return []
    const { user_reference_id } = session
    return unit.facts(kind, transaction_uuid).map((fact) => ({ ...fact, user_reference_id }))
  })

/** Since when a transaction has its status: that its amount gets more digits is no news (`updatedMs`). */
function statusSince(unit: UnitOfWork, { kind, transaction_uuid, status, updated_ms }: TransactionRow): number {
  const before = unit.transaction(kind, transaction_uuid)
  return before?.status === status ? before.updated_ms : updated_ms
}

/** It was reported after its success (`reportUnlisted`), which the list still does not show. */
function isUnlisted(unit: UnitOfWork, row: TransactionRow, ledgerMode: LedgerMode): boolean {
  if (row.status !== 'succeeded' || (row.overdue_ms ?? 0) <= statusSince(unit, row)) return false
  if (row.kind === 'onramp')
    return ledgerMode === 'merchant' && row.onramp_session_id !== null && depositsOf(unit, row).length === 0
  return (
    (row.kind === 'deposit' || row.withdrawal_id !== null) &&
    listedSuccess(unit.facts(row.kind, row.transaction_uuid)) === undefined
  )
}

/**
 * Settles the report about a transaction. If it is booked now, or has failed, and a person has dismissed the report, they
 * may have credited it by an adjustment, and are told.
 * @param by what brings it now: the transaction itself, or its deposit
 */
function endReport(
  unit: UnitOfWork,
  row: TransactionRow,
  { by = row, isEnd }: { readonly by?: TransactionRow; readonly isEnd: boolean },
): void {
  const { kind, transaction_uuid, overdue_ms, created_ms: knownSinceMs } = row
  const told = unit.transaction(kind, transaction_uuid)
  const overdue = new Date(overdue_ms ?? unit.now).toISOString()
  const line = disputeLine('contradiction', row, () => JSON.stringify({ stands: row, message: null, overdue }))
  const booked = correctionOf(row, [row.amount, by.amount, told?.amount])
  unit.settleReport('overdue', transaction_uuid, '', isEnd ? { line, booked, knownSinceMs } : undefined)
}

/**
 * A purchase may be marked after its success without a report: its deposits had come. Else it credits somebody only now
 * that an event names its user. What failed brings nothing, and a person may have credited it. The payout of a withdrawal
 * is reported after its success alone, if the list does not show it.
 */
function isEndedLate(unit: UnitOfWork, row: TransactionRow): boolean {
  const { kind, status, standing, withdrawal_id, overdue_ms } = row
  if (!hasTransactionEnded(status) || standing !== 'confirmed') return false
  if (kind === 'payout')
    return status === 'succeeded' && withdrawal_id !== null && (overdue_ms ?? 0) > statusSince(unit, row)
  if (status === 'failed') return kind === 'deposit' || depositsOf(unit, row).length === 0
  if (kind === 'deposit' || (overdue_ms ?? Infinity) <= statusSince(unit, row)) return true
  const before = unit.transaction(kind, row.transaction_uuid)
  return before !== null && awaitsDeposit(before) && depositsOf(unit, row).length === 0
}

/**
 * Settles the reports about purchases whose deposit has come. Credits tell of much less where the books are ours.
 * @param isNews the deposit has succeeded by this message
 */
export function endDelivered(
  unit: UnitOfWork,
  deposit: TransactionRow,
  { ledgerMode, isNews }: { readonly ledgerMode: LedgerMode; readonly isNews: boolean },
): void {
  if (deposit.kind !== 'deposit' || deposit.status !== 'succeeded') return
  for (const purchase of [...unit.transfers.same(deposit), ...unit.transfers.unnamedPurchases(deposit)]) {
    if (purchase.kind !== 'onramp' || purchase.overdue_ms === null) continue
    endReport(unit, purchase, { by: deposit, isEnd: isNews && depositsOf(unit, purchase).length === 1 })
    if (ledgerMode === 'merchant' && purchase.status === 'succeeded' && purchase.standing === 'confirmed')
      tellLess(unit, purchase, depositsOf(unit, purchase), isNews ? deposit : null)
  }
}

/** Settles the report about a transaction that waits no longer. */
export function endWaiting(unit: UnitOfWork, row: TransactionRow, ledgerMode: LedgerMode): TransactionRow {
  if (row.overdue_ms === null || awaitsGateway(row)) return row
  // Its amount may have got more digits since it was reported.
  if (isUnlisted(unit, row, ledgerMode)) return { ...row, overdue_ms: Math.max(row.overdue_ms, row.updated_ms + 1) }
  // Its withdrawal may have been reported under the same uuid.
  if ((unit.withdrawalOf(row.transaction_uuid)?.overdue_ms ?? null) === null)
    endReport(unit, row, { isEnd: isEndedLate(unit, row) })
  return { ...row, overdue_ms: null }
}
