import type { LedgerMode } from '../ledger/accounts.ts'
import { listedRecords } from '../gateway/listed-records.ts'
import type { Gateway } from '../gateway/port.ts'
import { RECONCILE_OPEN_AFTER_MS } from '../ledger/schedule-reconciliation.ts'
import type { Store } from '../store/port.ts'
import { scanList } from './scan-user-list.ts'

export interface CompareOptions {
  readonly store: Store
  readonly gateway: Pick<Gateway, 'listUserTransactions' | 'clockOffsetMs'>
  readonly ledgerMode: LedgerMode
  readonly clock: () => number
}

/** Two scans overlap by this much, so that a late record is not missed. */
const OVERLAP_MS = 3_600_000

/** A user seen in the last 15 minutes may be on the page: reconciled every minute. */
const ACTIVE_FOR_MS = 900_000
const ACTIVE_EVERY_MS = 60_000
/** A user seen in the last hour: every five minutes. After that, only if something is open. */
const RECENT_FOR_MS = 3_600_000
const RECENT_EVERY_MS = 300_000
/** The longer something has been open, the less often it is reconciled. */
const OPEN_SHARE = 20
const OPEN_LONGEST_MS = 900_000

/** When this user is reconciled next; null: not until something happens. `openSince`: null if nothing is open. */
export function nextCompareMs(nowMs: number, openSince: number | null, lastSeenMs: number): number | null {
  const unseen = nowMs - lastSeenMs
  if (openSince !== null) {
    const wait = Math.max(RECONCILE_OPEN_AFTER_MS, (nowMs - openSince) / OPEN_SHARE)
    return nowMs + Math.round(Math.min(wait, unseen < ACTIVE_FOR_MS ? ACTIVE_EVERY_MS : OPEN_LONGEST_MS))
  }
  if (unseen < ACTIVE_FOR_MS) return nowMs + ACTIVE_EVERY_MS
  return unseen < RECENT_FOR_MS ? nowMs + RECENT_EVERY_MS : null
}

/**
 * Compares a user's list with what is stored: from an overlap before the last scan, or from the oldest open state.
 * Returns how many states no webhook had brought.
 */
export function createCompareUser({ store, gateway, ledgerMode, clock }: CompareOptions) {
  return async (user: string, reconciledMs: number | null, lastSeenMs: number, parkedMs: number): Promise<number> => {
    const startedMs = clock()
    const openSince = await store.openSince(user, startedMs)
    const sinceMs = Math.min(reconciledMs ?? 0, openSince ?? Number.MAX_SAFE_INTEGER) - OVERLAP_MS
    const scan = await scanList(gateway, user, { sinceMs })
    const missedWebhooks = await store.applyRecords(user, listedRecords(scan.edges), {
      ledgerMode,
      clockOffset: gateway.clockOffsetMs(),
    })
    const stillOpen = await store.openSince(user, startedMs)
    await store.users.reconciled(user, startedMs, nextCompareMs(clock(), stillOpen, lastSeenMs), parkedMs)
    return missedWebhooks
  }
}
