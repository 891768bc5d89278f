import { applyFact, type ApplyOptions } from './apply-fact.ts'
import { hasOtherMeaning, underStoredNames } from './changed-meaning.ts'
import { noteSaid } from './disputed-facts.ts'
import { contradicted, reportDispute } from './disputes.ts'
import { asPayout, fold, type Fact, type ListedRecord } from './facts.ts'
import { millis } from './gateway-time.ts'
import { waitAnew } from './overdue.ts'
import { isPayout } from './payouts/follow-payout.ts'
import { recordPayout, recordShown, setOwner, type PayoutOptions } from './payouts/payout-owners.ts'
import type { UnitOfWork } from './unit-of-work.ts'
import {
  endTakenBack,
  isCounted,
  isTakenBack,
  markTakenBack,
  reportBackUnderWay,
  returned,
} from './vanished-records.ts'

/** The rules for records of a list. */
export type ListOptions = Pick<ApplyOptions, 'ledgerMode' | 'clockOffset' | 'ledgerStartMs'>

/** How the event of a line ends that tells of a record under an id that meant another currency. */
export const OTHER_CURRENCY = ',"other_currency":true}'

/** True for a record of an unknown type that has the uuid of a deposit or a purchase. */
export const isKnownAsOther = (unit: UnitOfWork, uuid: string): boolean =>
  (['deposit', 'onramp'] as const).some((kind) => unit.transaction(kind, uuid) !== null)

/**
 * What a record says. A record of an unknown type counts only if a webhook or the gateway's reply has named its uuid:
 * it is then read as that kind of transaction.
 */
const factOf = (unit: UnitOfWork, { fact, readings = [], transaction_uuid }: ListedRecord): Fact | null =>
  fact ??
  readings.find(
    ({ kind }) =>
      unit.transaction(kind, transaction_uuid) !== null ||
      (kind === 'payout' && unit.withdrawalOf(transaction_uuid) !== null),
  ) ??
  null

/** Money may have left by a record of an unknown type that nothing explains: a person is asked whose it is. */
function recordUntyped(unit: UnitOfWork, listed: ListedRecord, options: PayoutOptions): void {
  const payout = asPayout(listed)
  if (payout === null || !isPayout(payout)) return
  const known = unit.payout(listed.transaction_uuid)
  if (isKnownAsOther(unit, listed.transaction_uuid)) {
    if (known?.owner === null) setOwner(unit, known, 'acknowledged', { note: `It is a ${listed.type}.` })
    return
  }
  // A person called it none of ours before any money had come or left.
  const hasMoved = payout.status === 'succeeded' && known?.status !== payout.status
  if (known?.owner === 'acknowledged' && hasMoved) setOwner(unit, known, null)
  recordPayout(unit, payout, null, options)
}

/**
 * Stores records of a user's list and applies their facts like those of webhooks, oldest first.
 * @param records newest first, as the list gives them
 * @param saidSince since when the list has said what this record says; null: it is the stored record
 * @returns how many facts were applied
 */
export function applyRecords(
  unit: UnitOfWork,
  records: readonly ListedRecord[],
  saidSince: (record: ListedRecord) => number | null,
  options: ListOptions,
): number {
  let applied = 0
  for (const listed of records.toReversed()) {
    const { fact: _fact, readings: _readings, changeable: _changeable, currency, ...record } = listed
    const insertedMs = millis(record.inserted_at) ?? unit.now
    const told = { ...options, insertedMs, insertedAt: record.inserted_at, evidence: record.record }
    const fact = factOf(unit, listed)
    if (listed.fact === null && fact?.kind !== 'payout') recordUntyped(unit, listed, told)
    const seenMs = saidSince(listed)
    if (seenMs !== null) {
      unit.putRecord({ ...record, inserted_ms: insertedMs, seen_ms: seenMs })
      unit.learnCurrency(currency)
    }
    if (fact === null) continue
    if (fact.kind !== 'payout' && hasOtherMeaning(unit, fact)) {
      const stands = unit.currenciesSoFar().find(({ id }) => id === fact.currency_id) ?? null
      reportDispute(unit, 'contradiction', fact, contradicted(stands, listed.record, OTHER_CURRENCY))
      continue
    }
    const outcome = applyFact(unit, underStoredNames(unit, fact), told)
    if (fact.status === 'other' && seenMs === unit.now) waitAnew(unit, fact)
    reportBackUnderWay(unit, fact, listed, options.ledgerMode)
    if (outcome === 'applied') applied += 1
  }
  return applied
}

/** `unknown`: a deposit or payout has got an unknown type. `known`: it has got another type, which we know. */
export type Retyped = 'unknown' | 'known' | null

/** The kinds of which a record's type tells. */
const TYPED = ['deposit', 'payout'] as const

/** @param before the type of the stored record */
export function retypedAs(before: string | undefined, { type, fact }: ListedRecord): Retyped {
  if (before === undefined || before.toLowerCase() === type.toLowerCase()) return null
  if (fact !== null) return 'known'
  return TYPED.some((kind) => kind === before.toLowerCase()) ? 'unknown' : null
}

/**
 * Reports booked deposits and payouts that the list called so, and gives a type that nobody knows now: their coins may
 * have gone back.
 */
export function reportRetyped(unit: UnitOfWork, records: readonly ListedRecord[]): void {
  for (const { transaction_uuid, record } of records)
    for (const row of TYPED.flatMap((kind) => unit.transaction(kind, transaction_uuid) ?? [])) {
      if (!isCounted(unit, row)) continue
      reportDispute(unit, 'contradiction', row, contradicted(fold(unit.facts(row.kind, transaction_uuid)), record))
      markTakenBack(unit, row)
      noteSaid(unit, row, '')
    }
}

/**
 * Reports booked transactions to which the list gives their type again, after a person was told of another one: they may
 * have corrected a balance since.
 * @param told the transactions with a line, open or settled; a settled line may be deleted by then
 */
export function reportTypedBack(unit: UnitOfWork, records: readonly ListedRecord[], told: ReadonlySet<string>): void {
  for (const { fact } of records) {
    const row = fact === null ? null : unit.transaction(fact.kind, fact.transaction_uuid)
    if (row === null || !isCounted(unit, row)) continue
    const isMarked = isTakenBack(unit, row)
    if (fact?.status === 'succeeded') endTakenBack(unit, row)
    if (isMarked || told.has(row.transaction_uuid)) reportDispute(unit, 'contradiction', row, returned(unit, row))
  }
}

/**
 * Keeps the records of a user's list that name another user, so that a fact that contradicts them is noticed, and a
 * payout of that user is not taken for absent. The unit has locked those users.
 */
export function applyMisplaced(unit: UnitOfWork, records: readonly ListedRecord[], options: ListOptions): void {
  for (const { fact, record, inserted_at } of records) {
    if (fact === null) continue
    const told = { ...options, evidence: record }
    applyFact(unit, { ...fact, misplaced: true }, told)
    if (isPayout(fact)) recordShown(unit, fact, { ...told, insertedMs: millis(inserted_at) })
  }
}

/**
 * Keeps the payouts of the list across all users that no user's own list has shown yet: money may have left by them. The
 * unit has locked the users.
 */
export function showPayouts(
  unit: UnitOfWork,
  records: readonly ListedRecord[],
  options: Pick<ListOptions, 'ledgerStartMs' | 'clockOffset'>,
): void {
  for (const { fact, record, inserted_at } of records)
    if (fact !== null && isPayout(fact))
      recordShown(unit, fact, { ...options, insertedMs: millis(inserted_at), evidence: record })
}

/** Reports records of another user in this user's list. */
export function reportForeign(unit: UnitOfWork, user: string, records: readonly ListedRecord[]): void {
  for (const { transaction_uuid, record } of records)
    unit.quarantineOnce({
      reason: 'foreign_record',
      event_name: null,
      user_reference_id: user,
      transaction_uuid,
      event: record,
    })
}
