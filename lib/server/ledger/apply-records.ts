import { applyFact, type ApplyOptions } from './apply-fact.ts'
import type { ListedRecord } from './facts.ts'
import type { UnitOfWork } from './unit-of-work.ts'

const millis = (iso: string): number | null => {
  const ms = Date.parse(iso)
  return Number.isNaN(ms) ? null : ms
}

/**
 * Stores records of a user's list and applies their facts like those of webhooks, oldest first.
 * @param records newest first, as the list gives them
 * @param changed whether a record is new or not what is stored
 * @returns how many states were new
 */
export function applyRecords(
  unit: UnitOfWork,
  records: readonly ListedRecord[],
  changed: (record: ListedRecord) => boolean,
  options: Pick<ApplyOptions, 'ledgerMode' | 'clockOffset'>,
): number {
  let applied = 0
  for (const listed of records.toReversed()) {
    const { fact, currency, ...record } = listed
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
