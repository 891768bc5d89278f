import type { LedgerMode } from '../ledger/accounts.ts'
import { listedRecords } from '../gateway/listed-records.ts'
import { matchOpenPayouts } from '../ledger/payouts/payout-owners.ts'
import type { Gateway } from '../gateway/types.ts'
import type { ClaimedUser, Store } from '../store/types.ts'
import { totalsScan, type CheckTotals } from './check-totals.ts'
import { nextReconciliation } from './next-reconciliation.ts'
import { readsFrom } from './reads-from.ts'
import { reportMissing } from './report-missing.ts'
import { scanRound, type ScanRound } from './scan-round.ts'
import { UNREADABLE, type Edge, type ScanVerdict } from './scan-state.ts'
import type { ReadLists } from './scan-user-list.ts'

export interface CompareOptions {
  readonly store: Store
  readonly gateway: Pick<Gateway, 'listUserTransactions' | 'clockOffsetMs' | 'statuses'>
  readonly ledgerMode: LedgerMode
  readonly clock: () => number
  /** `LEDGER_START`. */
  readonly ledgerStartMs: number
  /** Compares the books with a whole list. */
  readonly checkTotals: CheckTotals
  /** Called for a user whose list has an unreadable part. */
  readonly onUnreadable?: (user: string, error: unknown) => void
}

/** Gives open payouts to withdrawals that match now. */
async function matchAgain({ store, gateway }: CompareOptions, user: string): Promise<void> {
  if ((await store.payouts.openOf([user])).length === 0) return
  await store.unitOfWork({ users: [user], attemptsOf: [user] }, (unit) => {
    matchOpenPayouts(unit, user, gateway.clockOffsetMs())
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
  const { store, gateway, ledgerMode, ledgerStartMs, clock, onUnreadable } = options
  return async (claimed: ClaimedUser, read: ReadLists = gateway): Promise<number> => {
    const { user_reference_id: user, reconciled_ms: reconciledMs, last_seen_ms: lastSeenMs } = claimed
    const clockOffsetMs = (): number | null => gateway.clockOffsetMs()
    const from = readsFrom(claimed, await store.openStates.span(user), clock())
    let missedWebhooks = 0
    const apply = async (edges: readonly Edge[]): Promise<void> => {
      const records = listedRecords(edges, gateway.statuses)
      const rules = { ledgerMode, ledgerStartMs, clockOffset: clockOffsetMs() }
      missedWebhooks += await store.applyRecords(user, records, rules)
    }
    const sinceMs = from === 'whole' ? null : from
    const wanted = { purpose: 'compare', sinceMs, findMissing: true } as const
    const reading = async (): Promise<ScanRound> => {
      const done = await scanRound({ store, read, clock, clockOffsetMs, apply }, user, wanted)
      await matchAgain(options, user)
      if (done.verdict === 'complete') {
        await reportMissing(store, user, done)
        await options.checkTotals(user, totalsScan(done))
      }
      return done
    }
    const scan = await reading().catch(async (error: unknown) => {
      if (from === 'whole') await store.users.wholeReadFailed(user)
      throw error
    })
    const unreadable = scan.verdict === 'unreadable'
    if (unreadable) onUnreadable?.(user, scan.unreadable)
    const open = await store.openStates.span(user)
    const beganMs = scan.began_ms + (scan.clock_offset_ms ?? clockOffsetMs() ?? 0)
    const next = nextReconciliation(clock(), {
      newestOpenMs: open?.newestMs ?? null,
      lastSeenMs,
      unreadable,
      more: scan.verdict === 'more',
    })
    const scannedMs = LEAVES_GAPS[scan.verdict] ? reconciledMs : beganMs
    const { wholeMs, restored_ms: restoredMs, isComplete } = scan
    const shown = { unreadable: UNREADABLE[scan.verdict], wholeMs, restoredMs, isComplete }
    await store.users.reconciled(user, scannedMs, next, shown)
    return missedWebhooks
  }
}
