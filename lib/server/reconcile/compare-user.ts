import type { LedgerMode } from '../ledger/accounts.ts'
import { listedRecords } from '../gateway/listed-records.ts'
import type { Gateway } from '../gateway/port.ts'
import type { ClaimedUser, Store } from '../store/port.ts'
import { nextReconciliation } from './next-reconciliation.ts'
import { scanList, type ReadLists } from './scan-user-list.ts'

export interface CompareOptions {
  readonly store: Store
  readonly gateway: Pick<Gateway, 'listUserTransactions' | 'clockOffsetMs'>
  readonly ledgerMode: LedgerMode
  readonly clock: () => number
  /** Told of a user whose list has a part that cannot be read. */
  readonly onUnreadable?: (user: string, error: unknown) => void
}

/** Two scans overlap by this much, so that a late record is not missed. */
const OVERLAP_MS = 3_600_000

/**
 * Compares a user's list with what is stored: from an overlap before the last scan, or from the oldest open state.
 * `read` says how the list is asked for, if not by the gateway directly. Returns how many states no webhook had brought.
 */
export function createCompareUser({ store, gateway, ledgerMode, clock, onUnreadable }: CompareOptions) {
  return async (claimed: Omit<ClaimedUser, 'priority'>, read: ReadLists = gateway): Promise<number> => {
    const { user_reference_id: user, reconciled_ms: reconciledMs, last_seen_ms: lastSeenMs } = claimed
    const startedMs = clock()
    const openSince = await store.openSince(user)
    const sinceMs = Math.min(reconciledMs ?? 0, openSince ?? Number.MAX_SAFE_INTEGER) - OVERLAP_MS
    const scan = await scanList(read, user, { sinceMs })
    const unreadable = scan.unreadable !== null
    if (unreadable) onUnreadable?.(user, scan.unreadable)
    const missedWebhooks = await store.applyRecords(user, listedRecords(scan.edges), {
      ledgerMode,
      clockOffset: gateway.clockOffsetMs(),
    })
    const openSinceMs = await store.openSince(user)
    // What could not be read is looked for again.
    const scannedMs = unreadable ? reconciledMs : startedMs + (gateway.clockOffsetMs() ?? 0)
    const next = nextReconciliation(clock(), { openSinceMs, lastSeenMs, unreadable })
    await store.users.reconciled(user, scannedMs, next, { unreadable })
    return missedWebhooks
  }
}
