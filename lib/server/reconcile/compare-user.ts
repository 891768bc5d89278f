import type { LedgerMode } from '../ledger/accounts.ts'
import { listedRecords } from '../gateway/listed-records.ts'
import type { ListedRecord } from '../ledger/facts.ts'
import { isOpenWithdrawal } from '../ledger/withdrawal-statuses.ts'
import { nearPayouts, reviewAccepted, reviewNamed } from '../ledger/unmatched-payout.ts'
import type { Gateway } from '../gateway/types.ts'
import type { ClaimedUser, Store } from '../store/types.ts'
import { nextReconciliation } from './next-reconciliation.ts'
import { scanList, type ReadLists } from './scan-user-list.ts'

export interface CompareOptions {
  readonly store: Store
  readonly gateway: Pick<Gateway, 'listUserTransactions' | 'clockOffsetMs' | 'statuses'>
  readonly ledgerMode: LedgerMode
  readonly clock: () => number
  /** `WITHDRAWAL_ABSENCE_S` in milliseconds: a payout should be in the list this long after the call. */
  readonly absenceMs: number
  /** Called for a user whose list has an unreadable part. */
  readonly onUnreadable?: (user: string, error: unknown) => void
}

/**
 * The overlap of two scans, so that a late record is not missed, nor the record of a call by a machine an hour ahead.
 */
const OVERLAP_MS = 3 * 3_600_000

/**
 * Reviews withdrawals whose payout should be in the list by now and is not linked: the gateway may have paid another
 * amount, or our clocks may be hours apart. A person is asked if the list has a possible payout, and about each
 * withdrawal that only an error reply has named.
 */
async function reviewOpenWithdrawals(
  { store, gateway, clock, absenceMs }: CompareOptions,
  user: string,
  { records, broken }: { readonly records: readonly ListedRecord[]; readonly broken: boolean },
): Promise<void> {
  const rows = await store.withdrawals.openWithoutPayout(user, clock() - absenceMs)
  if (rows.length === 0) return
  const offset = gateway.clockOffsetMs()
  const transactions = rows
    .flatMap((row) => nearPayouts(row, records, offset))
    .map(({ transaction_uuid }) => ({ kind: 'payout' as const, transaction_uuid }))
  const keys = { users: [user], withdrawals: rows.map(({ id }) => id), transactions }
  await store.unitOfWork(keys, (unit) => {
    for (const { id } of rows) {
      const row = unit.withdrawal(id)
      if (row === null || !isOpenWithdrawal(row.status)) continue
      if (row.transaction_uuid === null) reviewAccepted(unit, row, records, { offset, broken })
      else reviewNamed(unit, row, records, offset)
    }
  })
}

/**
 * Compares a user's list with what is stored: from an overlap before the last scan, or from the oldest open state.
 * `read` reads the list, by default from the gateway directly. Returns the number of states that no webhook had
 * brought.
 */
export function createCompareUser(options: CompareOptions) {
  const { store, gateway, ledgerMode, clock, onUnreadable } = options
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
      clockOffset: gateway.clockOffsetMs(),
    })
    const open = await store.openStates.span(user)
    if (open !== null) await reviewOpenWithdrawals(options, user, { records, broken: scan.broken })
    // After a broken scan the same range is read again.
    const scannedMs = scan.broken ? reconciledMs : startedMs + (gateway.clockOffsetMs() ?? 0)
    const next = nextReconciliation(clock(), { newestOpenMs: open?.newestMs ?? null, lastSeenMs, unreadable })
    await store.users.reconciled(user, scannedMs, next, { unreadable })
    return missedWebhooks
  }
}
