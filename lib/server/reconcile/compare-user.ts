import type { Gateway } from '../gateway/port.ts'
import { applyRecords } from '../ledger/apply-records.ts'
import { COMPARE_OPEN_AFTER_MS } from '../ledger/watch-open.ts'
import type { Store } from '../store/port.ts'
import { scanList } from './scan-list.ts'

export interface CompareOptions {
  readonly store: Store
  readonly gateway: Pick<Gateway, 'listUserTransactions'>
  readonly books: boolean
  readonly clock: () => number
}

/** Two looks at a list overlap by this much, so that a late record is not missed. */
const OVERLAP_MS = 3_600_000

/** Was here so short a time ago that somebody may be looking. */
const HERE_FOR_MS = 900_000
const HERE_MS = 60_000
/** Recently here; then no more until there is a sign of life, or something is open. */
const RECENT_FOR_MS = 3_600_000
const RECENT_MS = 300_000
/** What has been open for long is looked at less often. */
const OPEN_SHARE = 20
const OPEN_LONGEST_MS = 900_000

/** When this user's list is worth another look; null: not until something happens. `openSince`: null where all rests. */
export function nextCompareMs(nowMs: number, openSince: number | null, lastSeenMs: number): number | null {
  const unseen = nowMs - lastSeenMs
  if (openSince !== null) {
    const wait = Math.max(COMPARE_OPEN_AFTER_MS, (nowMs - openSince) / OPEN_SHARE)
    return nowMs + Math.round(Math.min(wait, unseen < HERE_FOR_MS ? HERE_MS : OPEN_LONGEST_MS))
  }
  if (unseen < HERE_FOR_MS) return nowMs + HERE_MS
  return unseen < RECENT_FOR_MS ? nowMs + RECENT_MS : null
}

/**
 * Compares a user's list with what we know: from an overlap before the last look, or from the oldest open state.
 * Gives how much no webhook had told.
 */
export function createCompareUser({ store, gateway, books, clock }: CompareOptions) {
  return async (user: string, reconciledMs: number | null, lastSeenMs: number): Promise<number> => {
    const startedMs = clock()
    const openSince = await store.openSince(user, startedMs)
    const sinceMs = Math.min(reconciledMs ?? 0, openSince ?? Number.MAX_SAFE_INTEGER) - OVERLAP_MS
    const scan = await scanList(gateway, user, { sinceMs })
    return store.transaction(async (tx) => {
      await tx.users.lock([user])
      const news = await applyRecords(tx, user, scan.edges, { books })
      const stillOpen = await tx.openSince(user, startedMs)
      await tx.users.reconciled(user, startedMs, nextCompareMs(clock(), stillOpen, lastSeenMs))
      return news
    })
  }
}
