/** Reports what a whole list contradicts or hides: totals that differ, records that cannot be read. */
import { compareTotals, gatewayAmount, type ControlTotals } from '#lib/server/ledger/control-totals.ts'
import type { ListedRecord } from '#lib/server/ledger/facts.ts'
import { listKey } from '#lib/server/ledger/line-key.ts'
import { reportUnreadable } from '#lib/server/ledger/overdue.ts'
import type { LedgerMode } from '#lib/server/ledger/accounts.ts'
import {
  followDismissed,
  onlyTold,
  raiseGone,
  raiseTotals,
  reportTotals,
  settledKeys,
  toldUuids,
  type StoredTotals,
} from '#lib/server/ledger/report-totals.ts'
import type { QuarantineLine } from '#lib/server/ledger/rows.ts'
import type { MemoryLedger } from '#lib/server/ledger/testing/memory-ledger.ts'
import { transferOf } from '#lib/server/reconcile/check-totals.ts'
import type { WholeRead } from '../port.ts'
import { START_MS, USER } from '../wire.ts'
import { uuidIn, isUnreadable } from './read-messages.ts'
import { STATUSES, LEDGER_START_MS, OVERDUE_MS } from './settings.ts'

/** The user's totals by a complete list and by the books. */
function totalsOf(ledger: MemoryLedger, now: number, records: readonly ListedRecord[]): readonly ControlTotals[] {
  const present = new Set(records.map(({ transaction_uuid }) => transaction_uuid))
  const listed = ledger
    .rows('records')
    .filter((row) => STATUSES.record(row.status) === 'succeeded' && present.has(row.transaction_uuid))
    .map(transferOf)
  const withdrawals = ledger.rows('withdrawals')
  const currencies = ledger.rows('currencies').map((one) => ({ ...one, currency_id: one.id }))
  const names = new Map([...listed, ...withdrawals, ...currencies].map((one) => [one.currency_id, one]))
  const bookings = ledger
    .rows('postings')
    .filter(({ user_reference_id }) => user_reference_id === USER)
    .filter(({ from_account, to_account }) => from_account === 'gateway' || to_account === 'gateway')
    .map(({ posting_key, currency_id, amount, from_account }) => {
      const { currency_code = '', network = '' } = names.get(currency_id) ?? {}
      const moved = gatewayAmount(amount, from_account)
      return { posting_key, currency_id, currency_code, network, amount: moved, created_ms: START_MS }
    })
  return compareTotals(USER, listed, bookings, {
    nowMs: now,
    ledgerStartMs: LEDGER_START_MS,
    overdueMs: OVERDUE_MS,
    settledBeforeMs: now,
    merchants: new Set(
      ledger
        .rows('transactions')
        .filter((row) => row.kind === 'deposit' && row.status === 'succeeded' && row.standing === 'confirmed')
        .flatMap((row) => (row.postings === 0 ? row.transaction_uuid : [])),
    ),
    payouts: new Map(ledger.rows('payouts').map((row) => [row.transaction_uuid, row])),
    withdrawals: new Map(withdrawals.map((row) => [row.id, row])),
  })
}

/** Compares the books with a complete list for the first time, as `reconcile/check-totals.ts` does it. */
export const compareWithList = (ledger: MemoryLedger, now: number, records: readonly ListedRecord[]): MemoryLedger =>
  compareAgain({ ledger, totals: [] }, now, records).ledger

/** A ledger, and the totals of its last comparison with the list. */
export interface Compared {
  readonly ledger: MemoryLedger
  readonly totals: readonly StoredTotals[]
}

/** Compares the books with a complete list, as `reconcile/check-totals.ts` does it. */
export function compareAgain(
  { ledger, totals: before }: Compared,
  now: number,
  records: readonly ListedRecord[],
  ledgerMode: LedgerMode = 'embedded',
): Compared {
  const isOurs = ledgerMode === 'embedded'
  if (!isOurs && toldUuids(before).size === 0) return { ledger, totals: before }
  const found = totalsOf(ledger, now, records)
  const report = reportTotals(before, isOurs ? found : onlyTold(found, before))
  const keys = settledKeys(USER, report)
  const ended = ledger.quarantine.filter(
    ({ reason, transaction_uuid: key }) => reason === 'totals_differ' && key !== null && keys.includes(key),
  )
  const open = new Set(ended.flatMap(({ transaction_uuid }) => transaction_uuid ?? []))
  const { rows, gone } = followDismissed(USER, { before, report, open })
  const settled = ended.length === 0 ? ledger : ledger.settled(ended)
  if (report.raised.length + gone.length === 0) return { ledger: settled, totals: rows }
  const told = settled.run(now, (unit) => {
    raiseTotals(unit, USER, report)
    raiseGone(unit, USER, gone)
  })
  return { ledger: told.ledger, totals: rows }
}

/** Since when the reads of the list have found records that cannot be read; null: all are readable. */
function unreadableSince(reads: readonly WholeRead[]): number | null {
  const readable = reads.findLastIndex(({ records }) => !records.some(isUnreadable))
  return reads[readable + 1]?.at ?? null
}

/**
 * Reports the user's list as `reconcile/find-overdue.ts` does it. Who reads that line looks into the gateway's list: the
 * uuids of its unreadable records are kept with the line.
 */
export function reportList(ledger: MemoryLedger, now: number, reads: readonly WholeRead[]): MemoryLedger {
  const isOfList = ({ transaction_uuid }: QuarantineLine): boolean => transaction_uuid === listKey(USER)
  const sinceMs = unreadableSince(reads)
  const before = ledger.quarantine.filter(isOfList)
  if (sinceMs === null || now - sinceMs < OVERDUE_MS) return before.length > 0 ? ledger.settled(before) : ledger
  if (before.length > 0) return ledger
  const { ledger: told } = ledger.run(now, (unit) => {
    reportUnreadable(unit, USER, sinceMs)
  })
  const lines = told.quarantine.filter(isOfList)
  const unreadable = (reads.at(-1)?.records ?? []).filter(isUnreadable).map(uuidIn)
  return told.settled(lines).run(now, (unit) => {
    for (const line of lines) unit.quarantineOnce({ ...line, event: JSON.stringify({ unreadable }) })
  }).ledger
}
