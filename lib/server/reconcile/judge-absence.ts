/** When a withdrawal counts as never sent (docs/explanation/money.md, "Absence"). */
import { callEndedAt, gatewayTime, type ClockOffset } from '../ledger/gateway-time.ts'
import { openAwaited } from '../ledger/payouts/payout-owners.ts'
import { settleWithdrawal } from '../ledger/settle-withdrawal.ts'
import type { UnitOfWork } from '../ledger/unit-of-work.ts'
import type { WithdrawalRow } from '../store/types.ts'

/**
 * This many complete scans without a payout prove that it was never made. The page promises a time by it: `PROOF_MS` in
 * components/withdraw/timeline.ts.
 */
const ABSENT_SCANS = 2

export interface AbsenceRule {
  readonly absenceMs: number
  /** The gateway's clock minus the clock that timed the scan; null while it is unknown. */
  readonly offset: ClockOffset
}

/** The shortest time between two checks. */
export const SHORTEST_MS = 2000
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

/** A scan of the user's list that has ended, or goes on. */
export interface AbsenceScan {
  readonly complete: boolean
  /** When its first page was requested, by the clock of that instance. */
  readonly beganMs: number
}

/**
 * Applies a scan to an uncertain withdrawal. True if it is no longer uncertain. While the user has a payout that nobody
 * owns, it may be this withdrawal's, whatever its amount, address and time: nothing is absent then. The unit has loaded
 * the user's attempts.
 */
export function judgeAbsence(
  unit: UnitOfWork,
  stored: WithdrawalRow,
  scan: AbsenceScan | null,
  rule: AbsenceRule,
): boolean {
  const row = scan === null ? stored : withKnownEnd(stored, scan.beganMs, rule.offset)
  const isEvidence = scan?.complete === true && counts(row, scan.beganMs, rule)
  if (isEvidence) openAwaited(unit, row.user_reference_id)
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
