/** The cashier that reads a user's whole list again and again, and keeps the totals of the last comparison. */
import type { LedgerMode } from '#lib/server/ledger/accounts.ts'
import { reportUnsaid } from '#lib/server/ledger/disputed-facts.ts'
import { longAgo } from '#lib/server/ledger/long-ago.ts'
import { reportUnlisted } from '#lib/server/ledger/overdue.ts'
import type { MemoryLedger } from '#lib/server/ledger/testing/memory-ledger.ts'
import { toldUuids } from '#lib/server/ledger/report-totals.ts'
import { isOpenTransaction } from '#lib/server/ledger/transaction-statuses.ts'
import { listedSuccess, type ListedRecord } from '#lib/server/ledger/facts.ts'
import { reportReopened } from '#lib/server/ledger/vanished-records.ts'
import type { Reader } from '../corrected.ts'
import { toWire, USER } from '../wire.ts'
import { compareAgain, type Compared } from './compare-with-list.ts'
import { createCashier } from './create-cashier.ts'
import { bookEvents, withMerchant, type MerchantBooks } from './merchant-books.ts'
import { recordsIn } from './read-messages.ts'
import { OVERDUE_MS, STATUSES } from './settings.ts'

const MINUTE = 60_000

/** What no totals have, as `reconcile/check-totals.ts` reports it. */
function reportOthers(
  { ledger, totals }: Compared,
  now: number,
  records: readonly ListedRecord[],
  ledgerMode: LedgerMode,
): MemoryLedger {
  const { sinceMs } = longAgo(now, now - OVERDUE_MS)
  const facts = ledger.rows('facts')
  const present = new Set(records.map(({ transaction_uuid }) => transaction_uuid))
  const isPosted = (row: { readonly postings: number; readonly deposit_uuid: string | null }): boolean =>
    ledgerMode === 'embedded' && (row.postings > 0 || row.deposit_uuid !== null)
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
        !isPosted(row) &&
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
    reportUnlisted(unit, unlisted, ledgerMode)
    reportReopened(unit, USER, underWay, ledgerMode)
    const named = ledgerMode === 'embedded' ? toldUuids(totals) : new Set()
    reportUnsaid(
      unit,
      USER,
      underWay.filter(({ transaction_uuid }) => !named.has(transaction_uuid)),
    )
  }).ledger
}

/** A cashier's state, and what the merchant has booked while they kept the books. */
export interface Kept extends Compared {
  readonly merchant: MerchantBooks
}

/** @param keeperAt who keeps the books at a time: from then on events of the merchant's feed are booked, or not */
export function createReader(keeperAt: (at: number) => LedgerMode): Reader<Kept> {
  const cashiers = {
    embedded: createCashier({ pinned: true, ledgerMode: 'embedded' }),
    merchant: createCashier({ pinned: true, ledgerMode: 'merchant' }),
  }
  const { books } = cashiers.embedded
  return {
    key: ({ ledger, totals, merchant }) => JSON.stringify([ledger.id, totals, merchant]),
    read: ({ ledger, totals, merchant }, at, words) => {
      const ledgerMode = keeperAt(at)
      const isOurs = ledgerMode === 'embedded'
      const cashier = cashiers[ledgerMode]
      const texts = words.map(toWire)
      const later = at + OVERDUE_MS + 2 * MINUTE
      const read = cashier.wholeList(cashier.wholeList(ledger, at, texts), later, texts)
      const after = cashier.deadlines(read, later, [])
      const { records, complete } = recordsIn(texts)
      const others = complete ? reportOthers({ ledger: after, totals }, later, records, ledgerMode) : after
      const compared = complete
        ? compareAgain({ ledger: others, totals }, later, records, ledgerMode)
        : { ledger: others, totals }
      const told = compared.ledger.feed.slice(ledger.feed.length)
      // What the merchant approved ends without an entry, by its event, whoever keeps the books then.
      const theirs = new Set(compared.ledger.rows('withdrawals').flatMap((one) => (one.funds === 'none' ? one.id : [])))
      const booked = told.filter(({ event }) => !isOurs || theirs.has(event.withdrawal_id ?? ''))
      return { ...compared, merchant: bookEvents(merchant, booked, books(ledger).credits) }
    },
    dismiss: ({ ledger, totals, merchant }, at) => {
      const cashier = cashiers[keeperAt(at)]
      const { unowned, withdrawals } = books(ledger)
      const acknowledged = unowned.reduce(
        (before, uuid) => cashier.own(before, at, uuid, { acknowledged: true, note: 'none of ours' }) ?? before,
        ledger,
      )
      const givenUp = withdrawals
        .filter(({ attention }) => attention !== null)
        .reduce(
          (before, { id }) => cashier.resolve(before, at, id, { outcome: 'not_sent' }, []) ?? before,
          acknowledged,
        )
      // By the next word, settled lines may be deleted (`KEEP_WEBHOOKS_DAYS`).
      return { ledger: givenUp.settled(givenUp.quarantine), totals, merchant }
    },
    books: ({ ledger, merchant }) => withMerchant(books(ledger), merchant),
  }
}
