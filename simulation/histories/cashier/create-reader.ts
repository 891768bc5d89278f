/** The cashier that reads a user's whole list again and again, and keeps the totals of the last comparison. */
import { longAgo } from '#lib/server/ledger/long-ago.ts'
import { reportUnlisted } from '#lib/server/ledger/overdue.ts'
import type { MemoryLedger } from '#lib/server/ledger/testing/memory-ledger.ts'
import { isOpenTransaction } from '#lib/server/ledger/transaction-statuses.ts'
import { listedSuccess } from '#lib/server/ledger/facts.ts'
import { reportReopened } from '#lib/server/ledger/vanished-records.ts'
import type { Reader } from '../corrected.ts'
import type { Cashier } from '../port.ts'
import { toWire, USER } from '../wire.ts'
import { compareAgain, type Compared } from './compare-with-list.ts'
import { recordsIn } from './read-messages.ts'
import { OVERDUE_MS, STATUSES } from './settings.ts'

const MINUTE = 60_000

/** What no totals have, as `reconcile/check-totals.ts` reports it. */
function reportOthers(ledger: MemoryLedger, now: number, present: ReadonlySet<string>): MemoryLedger {
  const { sinceMs } = longAgo(now, now - OVERDUE_MS)
  const facts = ledger.rows('facts')
  const unlisted = ledger
    .rows('transactions')
    .filter(
      (row) =>
        row.user_reference_id === USER &&
        (row.kind === 'deposit' || row.withdrawal_id !== null || row.onramp_session_id !== null) &&
        row.status === 'succeeded' &&
        row.standing === 'confirmed' &&
        row.overdue_ms === null &&
        row.updated_ms <= sinceMs &&
        row.postings === 0 &&
        row.deposit_uuid === null &&
        listedSuccess(
          facts.filter((fact) => fact.kind === row.kind && fact.transaction_uuid === row.transaction_uuid),
        ) === undefined,
    )
  const underWay = ledger
    .rows('records')
    .filter((row) => present.has(row.transaction_uuid) && row.seen_ms <= sinceMs)
    .filter((row) => isOpenTransaction(STATUSES.record(row.status)))
  if (unlisted.length + underWay.length === 0) return ledger
  return ledger.run(now, (unit) => {
    reportUnlisted(unit, unlisted, 'embedded')
    reportReopened(unit, USER, underWay, 'embedded')
  }).ledger
}

export const createReader = (cashier: Cashier<MemoryLedger>): Reader<Compared> => ({
  key: ({ ledger, totals }) => JSON.stringify([ledger.id, totals]),
  read: ({ ledger, totals }, at, words) => {
    const texts = words.map(toWire)
    const later = at + OVERDUE_MS + 2 * MINUTE
    const read = cashier.wholeList(cashier.wholeList(ledger, at, texts), later, texts)
    const after = cashier.deadlines(read, later, [])
    const { records, complete } = recordsIn(texts)
    if (!complete) return { ledger: after, totals }
    const others = reportOthers(after, later, new Set(records.map(({ transaction_uuid }) => transaction_uuid)))
    return compareAgain({ ledger: others, totals }, later, records)
  },
  // By the next word, settled lines may be deleted (`KEEP_WEBHOOKS_DAYS`).
  dismiss: ({ ledger, totals }) => ({ ledger: ledger.settled(ledger.quarantine), totals }),
  books: ({ ledger }) => cashier.books(ledger),
})
