import type { LedgerMode } from '../ledger/accounts.ts'
import { listedRecords } from '../gateway/listed-records.ts'
import type { ListedRecord } from '../ledger/facts.ts'
import { isOpenWithdrawal } from '../ledger/withdrawal-statuses.ts'
import { nearPayouts, reviewAccepted, reviewNamed } from '../ledger/unmatched-payout.ts'
import type { Gateway } from '../gateway/types.ts'
import type { ClaimedUser, Store } from '../store/types.ts'
import { nextReconciliation } from './next-reconciliation.ts'
import { readsFrom } from './reads-from.ts'
import { scanRound } from './scan-round.ts'
import type { Edge, ScanVerdict } from './scan-state.ts'
import type { ReadLists } from './scan-user-list.ts'

export interface CompareOptions {
  readonly store: Store
  readonly gateway: Pick<Gateway, 'listUserTransactions' | 'clockOffsetMs'>
  readonly ledgerMode: LedgerMode
  readonly clock: () => number
  /** `WITHDRAWAL_ABSENCE_S` in milliseconds: a payout should be in the list this long after the call. */
  readonly absenceMs: number
  /** Called for a user whose list has an unreadable part. */
  readonly onUnreadable?: (user: string, error: unknown) => void
}

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

/** After these the range was not read without a gap: the next read goes back equally far. */
const LEAVES_GAPS: Readonly<Record<ScanVerdict, boolean>> = {
  complete: false,
  recent: false,
  changed: false,
  broken: true,
  unreadable: true,
  more: true,
}

/**
 * Compares a user's list with what is stored, as far back as `readsFrom` says; a long list takes several rounds. `read`
 * reads the list, by default from the gateway directly. Returns the number of states that no webhook had brought.
 */
export function createCompareUser(options: CompareOptions) {
  const { store, gateway, ledgerMode, clock, onUnreadable } = options
  return async (claimed: ClaimedUser, read: ReadLists = gateway): Promise<number> => {
    const { user_reference_id: user, reconciled_ms: reconciledMs, last_seen_ms: lastSeenMs } = claimed
    const clockOffsetMs = (): number | null => gateway.clockOffsetMs()
    const from = readsFrom(claimed, await store.openStates.span(user), clock())
    let missedWebhooks = 0
    const apply = async (edges: readonly Edge[]): Promise<void> => {
      const records = listedRecords(edges)
      missedWebhooks += await store.applyRecords(user, records, { ledgerMode, clockOffset: clockOffsetMs() })
    }
    const sinceMs = from === 'whole' ? null : from
    const scan = await scanRound({ store, read, clock, clockOffsetMs, apply }, user, { purpose: 'compare', sinceMs })
    const unreadable = scan.verdict === 'unreadable'
    if (unreadable) onUnreadable?.(user, scan.unreadable)
    const broken = LEAVES_GAPS[scan.verdict]
    const open = await store.openStates.span(user)
    if (open !== null) await reviewOpenWithdrawals(options, user, { records: listedRecords(scan.edges), broken })
    const beganMs = scan.began_ms + (scan.clock_offset_ms ?? clockOffsetMs() ?? 0)
    const next = nextReconciliation(clock(), {
      newestOpenMs: open?.newestMs ?? null,
      lastSeenMs,
      unreadable,
      more: scan.verdict === 'more',
    })
    await store.users.reconciled(user, broken ? reconciledMs : beganMs, next, { unreadable, wholeMs: scan.wholeMs })
    return missedWebhooks
  }
}
