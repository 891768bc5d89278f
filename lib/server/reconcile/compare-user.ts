import type { LedgerMode } from '../ledger/accounts.ts'
import { listedRecords } from '../gateway/listed-records.ts'
import { possibleTransactions, reportVanished } from '../ledger/vanished-records.ts'
import { matchOpenPayouts } from '../ledger/payouts/payout-owners.ts'
import type { Gateway } from '../gateway/types.ts'
import type { ClaimedUser, Store } from '../store/types.ts'
import { totalsScan, type CheckTotals } from './check-totals.ts'
import { nextReconciliation } from './next-reconciliation.ts'
import { readsFrom } from './reads-from.ts'
import { scanRound } from './scan-round.ts'
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

/** Transactions in one unit of work. */
const UNIT = 200

/** Reports booked transactions whose records the whole list no longer has. */
async function reportMissing(
  { store, ledgerMode }: CompareOptions,
  user: string,
  missing: readonly string[],
): Promise<void> {
  for (let from = 0; from < missing.length; from += UNIT) {
    const uuids = missing.slice(from, from + UNIT)
    await store.unitOfWork({ users: [user], transactions: uuids.flatMap(possibleTransactions) }, (unit) => {
      reportVanished(unit, uuids, ledgerMode)
    })
  }
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
    const scan = await scanRound({ store, read, clock, clockOffsetMs, apply }, user, wanted)
    const unreadable = scan.verdict === 'unreadable'
    if (unreadable) onUnreadable?.(user, scan.unreadable)
    await matchAgain(options, user)
    // A list with records of others may lack some of its own.
    if (!scan.foreign) await reportMissing(options, user, scan.missing)
    if (scan.verdict === 'complete') await options.checkTotals(user, totalsScan(scan))
    const open = await store.openStates.span(user)
    const beganMs = scan.began_ms + (scan.clock_offset_ms ?? clockOffsetMs() ?? 0)
    const next = nextReconciliation(clock(), {
      newestOpenMs: open?.newestMs ?? null,
      lastSeenMs,
      unreadable,
      more: scan.verdict === 'more',
    })
    const scannedMs = LEAVES_GAPS[scan.verdict] ? reconciledMs : beganMs
    const shown = { unreadable: UNREADABLE[scan.verdict], wholeMs: scan.wholeMs }
    await store.users.reconciled(user, scannedMs, next, shown)
    return missedWebhooks
  }
}
