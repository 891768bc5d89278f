import { setImmediate as nextTick } from 'node:timers/promises'
import { add, ZERO } from '#lib/contract/money.ts'
import { createLeasedRounds } from '../../jobs/leased-rounds.ts'
import type { BookPlace, BookTotal, Store } from '../../store/types.ts'

const EVERY_MS = 60_000
/** A pass takes at most this part of the time. */
const SHARE = 20
const PAGE = 1000

export interface BookTotalsJobOptions {
  readonly store: Pick<Store, 'transaction' | 'leases' | 'bookTotals' | 'operators'>
  /** Names this instance: one instance at a time runs the job. */
  readonly holder: string
  readonly clock: () => number
  readonly onFault: (error: unknown) => void
}

/** All rows, page by page, each after the last row of the page before. */
async function* pagesOf<Row extends BookPlace>(
  page: (after: BookPlace, limit: number) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  let after: BookPlace = { user_reference_id: '', currency_id: '' }
  for (;;) {
    const rows = await page(after, PAGE)
    yield rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE) return
    after = last
    // SQLite answers without a turn of the event loop.
    await nextTick()
  }
}

/**
 * Adds up the users' balances and their last control totals, by currency, page by page: SQLite has no decimals, and a
 * sum that each unit of work changed would make all users wait for each other. Users who move money meanwhile count as
 * they were when their page was read.
 */
export function createBookTotalsJob({ store, holder, clock, onFault }: BookTotalsJobOptions) {
  const takeTotals = async (): Promise<void> => {
    const totals = new Map<string, BookTotal>()
    const taken_ms = clock()
    const change = (currency_id: string, to: (total: BookTotal) => Partial<BookTotal>): void => {
      const nothing = { currency_id, available: ZERO, held: ZERO, gateway: ZERO, ledger: ZERO, differing: 0, taken_ms }
      const total = totals.get(currency_id) ?? nothing
      totals.set(currency_id, { ...total, ...to(total) })
    }
    for await (const rows of pagesOf((after, limit) => store.bookTotals.balancesAfter(after, limit))) {
      for (const row of rows)
        change(row.currency_id, ({ available, held }) => ({
          available: add(available, row.available),
          held: add(held, row.held),
        }))
    }
    for await (const rows of pagesOf((after, limit) => store.bookTotals.controlTotalsAfter(after, limit))) {
      for (const row of rows)
        change(row.currency_id, ({ gateway, ledger, differing }) => ({
          gateway: add(gateway, row.gateway),
          ledger: add(ledger, row.ledger),
          differing: differing + row.differs,
        }))
    }
    await store.transaction((tx) => tx.bookTotals.replace([...totals.values()]))
  }

  /** Returns the milliseconds until the next pass. */
  const runOnce = async (): Promise<number> => {
    if (!(await store.operators.any()) || !(await rounds.takeLease())) return EVERY_MS
    const began = performance.now()
    await takeTotals()
    return Math.max(EVERY_MS, (performance.now() - began) * SHARE)
  }

  const rounds = createLeasedRounds({
    leases: store.leases,
    lease: 'book-totals',
    holder,
    round: runOnce,
    onFault,
    everyMs: 1000,
    longestMs: 3_600_000,
  })
  return { runOnce, start: () => rounds.start(), stop: () => rounds.stop() }
}
