import type { LedgerMode } from '../ledger/accounts.ts'
import { listedRecords } from '../gateway/listed-records.ts'
import type { Gateway } from '../gateway/types.ts'
import { reportTaken } from '../ledger/disputes.ts'
import { mayBeToldBy } from '../ledger/payouts/attempts.ts'
import { matchOpenPayouts } from '../ledger/payouts/payout-owners.ts'
import type { UnitOfWork } from '../ledger/unit-of-work.ts'
import type { Store, Tx } from '../store/types.ts'
import { totalsScan, type CheckTotals } from './check-totals.ts'
import { judgeAbsence, SHORTEST_MS, type AbsenceScan } from './judge-absence.ts'
import { mayProveAbsence } from './report-missing.ts'
import { scanRound, type ScanRound } from './scan-round.ts'
import { UNREADABLE } from './scan-state.ts'
import type { Edge, ReadLists } from './scan-user-list.ts'

/** The books are not compared with the list at each check. */
const DAY_MS = 86_400_000

export interface CheckOptions {
  readonly store: Store
  readonly gateway: Pick<Gateway, 'listUserTransactions' | 'clockOffsetMs' | 'statuses'>
  readonly ledgerMode: LedgerMode
  /** `LEDGER_START`. */
  readonly ledgerStartMs: number
  readonly clock: () => number
  /** `WITHDRAWAL_ABSENCE_S` in milliseconds. */
  readonly absenceMs: number
  /** Compares the books with a whole list. */
  readonly checkTotals: CheckTotals
  /** Called for a user whose list has an unreadable part. */
  readonly onUnreadable?: (user: string, error: unknown) => void
}

/**
 * The scan as evidence now. A list with a payout that another user has may have the payout of this user, however short
 * ago it became the other user's; a person is told.
 */
async function asEvidence(
  { quarantine }: Pick<Tx, 'quarantine'>,
  unit: UnitOfWork,
  user: string,
  scan: AbsenceScan,
): Promise<AbsenceScan> {
  if (!scan.complete) return scan
  const taken = await quarantine.takenPayouts(user)
  reportTaken(unit, user, taken)
  return { ...scan, complete: taken.length === 0 }
}

/**
 * Looks for evidence about a user's uncertain withdrawals (docs/explanation/money.md, "Absence"): their payouts in the
 * list, or their absence from two complete scans. One scan serves all of the user's withdrawals. Returns the number of
 * settled withdrawals.
 */
export function createCheckUnknownWithdrawals(options: CheckOptions) {
  const { store, gateway, ledgerMode, ledgerStartMs, clock, absenceMs } = options
  const clockOffsetMs = (): number | null => gateway.clockOffsetMs()

  const judged = async (user: string, scan: ScanRound): Promise<AbsenceScan> => ({
    complete: scan.verdict === 'complete' && (await mayProveAbsence(store, user, scan)),
    beganMs: scan.began_ms,
    offset: scan.clock_offset_ms,
    beganDatabaseMs: scan.began_database_ms,
  })

  const settleFrom = async (user: string, ids: readonly string[], scan: ScanRound | null): Promise<number> => {
    const seen = scan && (await judged(user, scan))
    const offset = clockOffsetMs()
    const databaseMs = offset === null ? await store.reconciliation.nowMs() : null
    return store.transaction(async (tx) => {
      const unit = await tx.load({ users: [user], withdrawals: ids, attemptsOf: [user] })
      // The database may have lost since what the scan told: a payout, too.
      const isKept = scan?.restored_ms === (await tx.reconciliation.restoredMs())
      const evidence = seen === null || !isKept ? null : await asEvidence(tx, unit, user, seen)
      const unread = await tx.quarantine.unreadPayouts(user)
      matchOpenPayouts(unit, user, clockOffsetMs())
      const rule = { absenceMs, offset, databaseMs }
      const judge = (id: string): boolean => {
        const row = unit.withdrawal(id)
        if (row?.status !== 'unknown') return true
        const isTold = unread.some((line) => mayBeToldBy(row, line))
        return judgeAbsence(unit, row, evidence && { ...evidence, complete: evidence.complete && !isTold }, rule)
      }
      const settled = ids.filter(judge).length
      await tx.save(unit)
      return settled
    })
  }

  return async (user: string, ids: readonly string[], read: ReadLists = gateway): Promise<number> => {
    const apply = (edges: readonly Edge[]): Promise<unknown> =>
      store.applyRecords(user, listedRecords(edges, gateway.statuses), {
        ledgerMode,
        ledgerStartMs,
        clockOffset: clockOffsetMs(),
      })
    const totalsDue = await store.users.mustCheckTotals(user, DAY_MS)
    const wanted = { purpose: 'absence', sinceMs: null, findMissing: true } as const
    const scan = await scanRound({ store, read, clock, clockOffsetMs, apply }, user, wanted).catch(
      (error: unknown) => ({ error }),
    )
    const done = 'error' in scan ? null : scan
    const unreadable = done === null ? null : UNREADABLE[done.verdict]
    if (unreadable === true) options.onUnreadable?.(user, done?.unreadable)
    let isComplete = false
    try {
      const settled = await settleFrom(user, ids, done)
      if (totalsDue && done?.verdict === 'complete') await options.checkTotals(user, totalsScan(done))
      if ('error' in scan) throw new Error('reading the list of transactions failed', { cause: scan.error })
      isComplete = done?.verdict === 'complete'
      return settled
    } finally {
      const shown = { unreadable, wholeMs: done?.wholeMs ?? null, restoredMs: done?.restored_ms ?? null, isComplete }
      await store.reconcileQueue.checked(user, { atLeastMs: SHORTEST_MS, ...shown })
    }
  }
}
