import { isZero } from '#lib/contract/money.ts'
import type { LedgerMode } from './accounts.ts'
import { compareTexts } from './compare.ts'
import { contradicted, reportDispute } from './disputes.ts'
import { fold, listedSuccess, type Fact } from './facts.ts'
import type { RecordRow, TransactionKey, TransactionRow } from './rows.ts'
import { isOpenTransaction, TRANSACTION_KINDS } from './transaction-statuses.ts'
import type { UnitOfWork } from './unit-of-work.ts'

/** The transactions that a record with this uuid may be. */
export const possibleTransactions = (transaction_uuid: string): readonly TransactionKey[] =>
  TRANSACTION_KINDS.map((kind) => ({ kind, transaction_uuid }))

/** A record that is under way, as text. */
export type ReopenedRecord = Pick<RecordRow, 'transaction_uuid' | 'record'>

/** Whether money was booked for it, here or by the merchant, whoever keeps the books now. */
export function isBooked(unit: UnitOfWork, row: TransactionRow): boolean {
  if (row.kind === 'payout') return unit.withdrawalOf(row.transaction_uuid)?.status === 'succeeded'
  const isTold = row.kind === 'deposit' && row.standing === 'confirmed' && row.status === 'succeeded'
  return isTold || !isZero(row.credited)
}

/**
 * Whether money was booked for it, or a person may have booked it by an adjustment: after a conflict, or for a payout
 * that they have called none of ours.
 */
export function isCounted(unit: UnitOfWork, row: TransactionRow): boolean {
  const payout = row.kind === 'payout' ? unit.payout(row.transaction_uuid) : null
  const isAcknowledged = payout?.owner === 'acknowledged' && payout.status !== 'failed'
  return row.standing === 'disputed' || isAcknowledged || isBooked(unit, row)
}

/** Whether the merchant has booked it, who kept the books then: no control totals have it. */
const isBookedByMerchant = (unit: UnitOfWork, row: TransactionRow): boolean =>
  row.kind === 'payout'
    ? unit.withdrawalOf(row.transaction_uuid)?.funds === 'none'
    : row.postings === 0 && row.deposit_uuid === null

/** Whether to report it if the list does not confirm it: the control totals tell of what the ledger has booked. */
export const isToldOf = (unit: UnitOfWork, row: TransactionRow, ledgerMode: LedgerMode): boolean =>
  ledgerMode === 'merchant' || isBookedByMerchant(unit, row)

const evidenceOf = (stands: Fact | null): string => JSON.stringify({ stands, message: null, missing: true })

const markVanished = (unit: UnitOfWork, row: TransactionRow): void =>
  unit.putTransaction({ ...row, vanished_ms: unit.now })

/** Another line tells that a record gives a user's transaction to another user: of the way back a person is told, too. */
export function markGivenAway(unit: UnitOfWork, { kind, transaction_uuid, user_reference_id }: Fact): void {
  const row = unit.transaction(kind, transaction_uuid)
  if (row === null || row.vanished_ms !== null) return
  if (compareTexts(row.user_reference_id, user_reference_id) === 'differ') markVanished(unit, row)
}

/** Whose list has the transaction: an event may have given a payout to another user before. */
const listedUser = (unit: UnitOfWork, { kind, transaction_uuid, user_reference_id }: TransactionRow): string | null =>
  (kind === 'payout' ? unit.payout(transaction_uuid)?.user_reference_id : null) ?? user_reference_id

const reportContradiction = (unit: UnitOfWork, row: TransactionRow, evidence: string): void =>
  reportDispute(unit, 'contradiction', { ...row, user_reference_id: listedUser(unit, row) }, evidence)

function report(unit: UnitOfWork, row: TransactionRow, evidence: (stands: Fact) => string = evidenceOf): void {
  if (row.vanished_ms !== null) return
  markVanished(unit, row)
  reportContradiction(unit, row, evidence(fold(unit.facts(row.kind, row.transaction_uuid))))
}

/** The transactions of this user, or of none, that the record was: another user's list may have had one with its uuid. */
const rowsOf = (unit: UnitOfWork, user: string, uuid: string): readonly TransactionRow[] =>
  possibleTransactions(uuid)
    .flatMap(({ kind }) => unit.transaction(kind, uuid) ?? [])
    .filter((row) =>
      [row.user_reference_id, listedUser(unit, row)].some((name) => compareTexts(name, user) !== 'differ'),
    )

/**
 * Reports, once for each transaction, that a complete scan of the whole list did not have the record of money that was
 * booked. Nothing is booked. What is still open becomes overdue instead.
 */
export function reportVanished(unit: UnitOfWork, user: string, uuids: readonly string[]): void {
  for (const row of uuids.flatMap((uuid) => rowsOf(unit, user, uuid))) if (isCounted(unit, row)) report(unit, row)
}

/**
 * The same for every record, booked or not: while one of them is missing and its line is open, the list proves no
 * absence.
 * @param told the records of an undocumented type that have a line, open or settled
 */
export function reportLost(unit: UnitOfWork, user: string, uuids: readonly string[], told: ReadonlySet<string>): void {
  for (const uuid of uuids) {
    const rows = rowsOf(unit, user, uuid)
    for (const row of rows) report(unit, row)
    if (rows.length > 0 || told.has(uuid)) continue
    const about = { kind: 'payout', transaction_uuid: uuid, user_reference_id: user } as const
    reportDispute(unit, 'contradiction', about, evidenceOf(null))
  }
}

/** Reports transactions that the list had as this user's and gives to another user now, as those that vanished. */
export function reportGivenAway(
  unit: UnitOfWork,
  user: string,
  records: readonly Pick<RecordRow, 'transaction_uuid' | 'record'>[],
): void {
  for (const { transaction_uuid, record } of records)
    for (const row of rowsOf(unit, user, transaction_uuid))
      if (isCounted(unit, row)) report(unit, row, (stands) => contradicted(stands, record))
}

/**
 * Keeps with the success of a booked transaction that the list has taken it back, and that a person was told: of the way
 * back they are told, too (`isSaidAgain`), although their line may be deleted by then.
 */
export function markTakenBack(unit: UnitOfWork, { kind, transaction_uuid }: TransactionKey): void {
  for (const fact of unit.loadedFacts(kind, transaction_uuid))
    if (fact.status === 'succeeded' && fact.misplaced === undefined) unit.replaceFact({ ...fact, taken_back: true })
}

const takenBackOf = (unit: UnitOfWork, { kind, transaction_uuid }: TransactionKey): readonly Fact[] =>
  unit.facts(kind, transaction_uuid).filter((fact) => fact.taken_back === true)

export const isTakenBack = (unit: UnitOfWork, key: TransactionKey): boolean => takenBackOf(unit, key).length > 0

/** Ends the marks of `markTakenBack`: the way back is told. */
export function endTakenBack(unit: UnitOfWork, key: TransactionKey): void {
  for (const { taken_back: _ended, ...fact } of takenBackOf(unit, key)) unit.replaceFact(fact)
}

/** The list says again what it had said of this transaction. */
export const returned = (unit: UnitOfWork, { kind, transaction_uuid }: TransactionKey): string =>
  JSON.stringify({ stands: fold(unit.facts(kind, transaction_uuid)), message: null, returned: true })

/**
 * The list has these records again: of money that was booked a person is told, who may have corrected a balance since. If
 * they vanish once more, they are reported once more.
 * @param open the transactions with an open line: nobody has acted on it yet
 */
export function reportReturned(unit: UnitOfWork, keys: readonly TransactionKey[], open: ReadonlySet<string>): void {
  for (const { kind, transaction_uuid } of keys) {
    const row = unit.transaction(kind, transaction_uuid)
    if (row === null || row.vanished_ms === null) continue
    unit.putTransaction({ ...row, vanished_ms: null })
    if (open.has(transaction_uuid) || !isCounted(unit, row)) continue
    reportContradiction(unit, row, returned(unit, row))
  }
}

function reopen(unit: UnitOfWork, row: TransactionRow, record: string, ledgerMode: LedgerMode): void {
  const success = listedSuccess(unit.facts(row.kind, row.transaction_uuid))
  if (
    success === undefined ||
    (row.standing !== 'confirmed' && row.kind !== 'payout') ||
    !isBooked(unit, row) ||
    !isToldOf(unit, row, ledgerMode)
  )
    return
  markTakenBack(unit, row)
  reportContradiction(unit, row, contradicted(success, record))
}

/**
 * No totals have what the merchant booked: reports each success of the list's own that the list has long shown as under
 * way again. Once the list says it again, it may be reported again.
 */
export function reportReopened(
  unit: UnitOfWork,
  user: string,
  records: readonly ReopenedRecord[],
  ledgerMode: LedgerMode,
): void {
  for (const { transaction_uuid, record } of records)
    for (const row of rowsOf(unit, user, transaction_uuid)) reopen(unit, row, record, ledgerMode)
}

/** The same at once of a record that the list had lost, and has again: no replica that lags behind says so. */
export function reportBackUnderWay(
  unit: UnitOfWork,
  { kind, transaction_uuid, status }: Fact,
  { user_reference_id: user, record }: Pick<RecordRow, 'user_reference_id' | 'record'>,
  ledgerMode: LedgerMode,
): void {
  if (!isOpenTransaction(status)) return
  for (const row of rowsOf(unit, user, transaction_uuid))
    if (row.kind === kind && row.vanished_ms !== null) reopen(unit, row, record, ledgerMode)
}
