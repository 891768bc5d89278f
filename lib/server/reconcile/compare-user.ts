import type { LedgerMode } from '../ledger/accounts.ts'
import { listedRecords } from '../gateway/listed-records.ts'
import { matchOpenPayouts } from '../ledger/payouts/payout-owners.ts'
import type { Gateway } from '../gateway/types.ts'
import type { ClaimedUser, Store } from '../store/types.ts'
import { nextReconciliation } from './next-reconciliation.ts'
import { scanList, type ReadLists } from './scan-user-list.ts'

export interface CompareOptions {
  readonly store: Store
  readonly gateway: Pick<Gateway, 'listUserTransactions' | 'clockOffsetMs' | 'statuses'>
  readonly ledgerMode: LedgerMode
  readonly clock: () => number
  /** `LEDGER_START`. */
  readonly ledgerStartMs: number
  /** Called for a user whose list has an unreadable part. */
  readonly onUnreadable?: (user: string, error: unknown) => void
}

/**
 * The overlap of two scans, so that a late record is not missed, nor the record of a call by a machine an hour ahead.
 */
const OVERLAP_MS = 3 * 3_600_000

/** Gives open payouts to withdrawals that match now. */
async function matchAgain({ store, gateway }: CompareOptions, user: string): Promise<void> {
  if ((await store.payouts.openOf([user])).length === 0) return
  await store.unitOfWork({ users: [user], attemptsOf: [user] }, (unit) => {
    matchOpenPayouts(unit, user, gateway.clockOffsetMs())
  })
}

/**
 * Compares a user's list with what is stored: from an overlap before the last scan, or from the oldest open state.
 * `read` reads the list, by default from the gateway directly. Returns the number of states that no webhook had
 * brought.
 */
export function createCompareUser(options: CompareOptions) {
  const { store, gateway, ledgerMode, ledgerStartMs, clock, onUnreadable } = options
  return async (claimed: Omit<ClaimedUser, 'priority'>, read: ReadLists = gateway): Promise<number> => {
    const { user_reference_id: user, reconciled_ms: reconciledMs, last_seen_ms: lastSeenMs } = claimed
    const startedMs = clock()
    const before = await store.openStates.span(user)
    const sinceMs = Math.min(reconciledMs ?? 0, before?.oldestMs ?? Number.MAX_SAFE_INTEGER) - OVERLAP_MS
    const scan = await scanList(read, user, { sinceMs })
    const unreadable = scan.unreadable !== null
    if (unreadable) onUnreadable?.(user, scan.unreadable)
    const records = listedRecords(scan.edges, gateway.statuses)
    const missedWebhooks = await store.applyRecords(user, records, {
      ledgerMode,
      ledgerStartMs,
      clockOffset: gateway.clockOffsetMs(),
    })
    const open = await store.openStates.span(user)
    await matchAgain(options, user)
    // After a broken scan the same range is read again.
    const scannedMs = scan.broken ? reconciledMs : startedMs + (gateway.clockOffsetMs() ?? 0)
    const next = nextReconciliation(clock(), { newestOpenMs: open?.newestMs ?? null, lastSeenMs, unreadable })
    await store.users.reconciled(user, scannedMs, next, { unreadable })
    return missedWebhooks
  }
}
