import type { Gateway } from '../gateway/port.ts'
import { applyRecords } from '../ledger/apply-records.ts'
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

/** How soon a user is compared again: with something open, recently here, and then no more until a sign of life. */
const OPEN_MS = 30_000
const RECENT_MS = 300_000
const RECENT_FOR_MS = 3_600_000

/** When this user's list is worth another look; null: not until it is asked for again. */
export function nextCompareMs(nowMs: number, open: boolean, lastSeenMs: number): number | null {
  if (open) return nowMs + OPEN_MS
  return nowMs - lastSeenMs < RECENT_FOR_MS ? nowMs + RECENT_MS : null
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
      const open = (await tx.openSince(user, startedMs)) !== null
      await tx.users.reconciled(user, startedMs, nextCompareMs(clock(), open, lastSeenMs))
      return news
    })
  }
}
