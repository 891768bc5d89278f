import type { LedgerMode } from '../ledger/accounts.ts'
import { listedRecords } from '../gateway/listed-records.ts'
import type { Gateway } from '../gateway/types.ts'
import { callEndedAt, gatewayTime, type ClockOffset } from '../ledger/gateway-time.ts'
import { settleWithdrawal } from '../ledger/settle-withdrawal.ts'
import type { UnitOfWork } from '../ledger/unit-of-work.ts'
import { matchOpenPayouts } from '../ledger/payouts/payout-owners.ts'
import type { Store, WithdrawalRow } from '../store/types.ts'
import { scanList, type ReadLists, type Scan } from './scan-user-list.ts'

export interface CheckOptions {
  readonly store: Store
  readonly gateway: Pick<Gateway, 'listUserTransactions' | 'clockOffsetMs' | 'statuses'>
  readonly ledgerMode: LedgerMode
  /** `LEDGER_START`. */
  readonly ledgerStartMs: number
  readonly clock: () => number
  /** `WITHDRAWAL_ABSENCE_S` in milliseconds. */
  readonly absenceMs: number
  /** Called for a user whose list has an unreadable part. */
  readonly onUnreadable?: (user: string, error: unknown) => void
}

/**
 * This many complete scans without a payout prove that it was never made. The page promises a time by it: `PROOF_MS` in
 * components/withdraw/timeline.ts.
 */
const ABSENT_SCANS = 2

interface AbsenceRule {
  readonly absenceMs: number
  /** The offset of the gateway's clock, as far as this instance knows it. */
  readonly offset: ClockOffset
}

const SHORTEST_MS = 2000
/** Short enough that, with the wait for a turn, each withdrawal is checked within 15 s. */
const LONGEST_MS = 10_000

/**
 * Sets the end of the call. If the calling machine did not know the gateway's time, its own clock may be wrong by
 * hours. The call then counts as ended when its list was first read, by the gateway's time of that moment. Before a
 * reply nobody knows the gateway's time, and machines that check later have other clocks.
 */
const withKnownEnd = (row: WithdrawalRow, startedMs: number, offset: ClockOffset): WithdrawalRow =>
  row.clock_offset_ms === null && row.checked_ms === null ? { ...row, call_ended_ms: startedMs + (offset ?? 0) } : row

/** When the call ended, by the gateway's clock, for a row with a known end. */
const endedAt = (row: WithdrawalRow, offset: ClockOffset): number | null =>
  row.clock_offset_ms === null ? row.call_ended_ms : callEndedAt(row, offset)

/**
 * The time of the next check of an uncertain withdrawal: after 2 s, 4 s, 8 s, then every 10 s, but at the latest when
 * its absence begins to count. From then on the intervals are shorter.
 */
function nextCheckMs(row: WithdrawalRow, nowMs: number, { absenceMs, offset }: AbsenceRule): number {
  const backoff = Math.min(SHORTEST_MS * 2 ** Math.min(row.checks, 10), LONGEST_MS)
  const toOurClock = nowMs - gatewayTime(nowMs, row, offset)
  const countsFrom = (endedAt(row, offset) ?? row.created_ms) + absenceMs + toOurClock
  if (nowMs < countsFrom) return Math.min(nowMs + backoff, countsFrom)
  return nowMs + Math.min(backoff, Math.max(SHORTEST_MS, absenceMs / 10))
}

/** True if a complete scan with this start counts as evidence of the withdrawal's absence. */
function counts(row: WithdrawalRow, startedMs: number, { absenceMs, offset }: AbsenceRule): boolean {
  const ended = endedAt(row, offset)
  return ended !== null && gatewayTime(startedMs, row, offset) >= ended + absenceMs
}

/**
 * Looks for evidence about a user's uncertain withdrawals (docs/explanation/money.md, "Absence"): their payouts in the
 * list, or their absence from two complete scans. One scan serves all of the user's withdrawals. Returns the number of
 * settled withdrawals.
 */
export function createCheckUnknownWithdrawals(options: CheckOptions) {
  const { store, gateway, ledgerMode, ledgerStartMs, clock, absenceMs } = options

  /**
   * Applies a scan to one withdrawal. True if it is no longer uncertain. While the user has a payout that nobody owns,
   * it may be this withdrawal's, whatever its amount, address and time: nothing is absent then.
   */
  const judge = (unit: UnitOfWork, stored: WithdrawalRow, scan: Scan | null, startedMs: number): boolean => {
    const rule = { absenceMs, offset: gateway.clockOffsetMs() }
    const row = scan === null ? stored : withKnownEnd(stored, startedMs, rule.offset)
    const isEvidence = scan?.complete === true && counts(row, startedMs, rule)
    const proves = isEvidence && unit.openPayouts(row.user_reference_id).length === 0
    const absent_scans = row.absent_scans + (proves ? 1 : 0)
    const seen = { ...row, absent_scans, checks: row.checks + 1 }
    const checked: WithdrawalRow = {
      ...seen,
      checked_ms: scan === null ? row.checked_ms : unit.now,
      next_check_ms: nextCheckMs(seen, unit.now, rule),
    }
    unit.putWithdrawal(checked)
    if (!proves || absent_scans < ABSENT_SCANS) return false
    settleWithdrawal(unit, checked, { evidence: { kind: 'absent' }, source: 'reconciliation' })
    return true
  }

  const settleFromScan = async (
    user: string,
    ids: readonly string[],
    scan: Scan | null,
    startedMs: number,
  ): Promise<number> => {
    const records = scan === null ? [] : listedRecords(scan.edges, gateway.statuses)
    const offset = gateway.clockOffsetMs()
    await store.applyRecords(user, records, { ledgerMode, ledgerStartMs, clockOffset: offset })
    return store.unitOfWork({ users: [user], withdrawals: ids, attemptsOf: [user] }, (unit) => {
      matchOpenPayouts(unit, user, offset)
      return ids.reduce((settled, id) => {
        const row = unit.withdrawal(id)
        const isSettled = row?.status !== 'unknown' || judge(unit, row, scan, startedMs)
        return settled + (isSettled ? 1 : 0)
      }, 0)
    })
  }

  return async (user: string, ids: readonly string[], read: ReadLists = gateway): Promise<number> => {
    const startedMs = clock()
    const scan = await scanList(read, user).catch((error: unknown) => ({ error }))
    const unreadable = 'error' in scan ? null : scan.unreadable !== null
    if (!('error' in scan) && unreadable === true) options.onUnreadable?.(user, scan.unreadable)
    try {
      const settled = await settleFromScan(user, ids, 'error' in scan ? null : scan, startedMs)
      if ('error' in scan) throw new Error('reading the list of transactions failed', { cause: scan.error })
      return settled
    } finally {
      await store.reconcileQueue.checked(user, { atLeastMs: SHORTEST_MS, unreadable })
    }
  }
}
