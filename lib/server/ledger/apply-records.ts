import { applyFact, type ApplyOptions } from './apply-fact.ts'
import type { Fact, ListedRecord } from './facts.ts'
import type { UnitOfWork } from './unit-of-work.ts'

const millis = (iso: string): number | null => {
  const ms = Date.parse(iso)
  return Number.isNaN(ms) ? null : ms
}

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

/**
 * Stores records of a user's list and applies their facts like those of webhooks, oldest first.
 * @param records newest first, as the list gives them
 * @param changed whether a record is new or differs from the stored one
 * @returns how many facts were applied
 */
export function applyRecords(
  unit: UnitOfWork,
  records: readonly ListedRecord[],
  changed: (record: ListedRecord) => boolean,
  options: Pick<ApplyOptions, 'ledgerMode' | 'clockOffset'>,
): number {
  let applied = 0
  for (const listed of records.toReversed()) {
    const { fact: _fact, readings: _readings, currency, ...record } = listed
    const fact = factOf(unit, listed)
    const insertedMs = millis(record.inserted_at) ?? unit.now
    if (changed(listed)) {
      unit.putRecord({ ...record, inserted_ms: insertedMs, seen_ms: unit.now })
      unit.learnCurrency(currency)
    }
    if (fact === null) continue
    const outcome = applyFact(unit, fact, { ...options, insertedMs, evidence: record.record })
    if (outcome === 'applied') applied += 1
  }
  return applied
}

/** Keeps the records of a user's list that name another user, so that a fact that contradicts them is noticed. */
export function applyMisplaced(
  unit: UnitOfWork,
  records: readonly ListedRecord[],
  options: Pick<ApplyOptions, 'ledgerMode' | 'clockOffset'>,
): void {
  for (const { fact, record } of records)
    if (fact !== null) applyFact(unit, { ...fact, misplaced: true }, { ...options, evidence: record })
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
