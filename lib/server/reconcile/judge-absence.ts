/** When a withdrawal counts as never sent (docs/explanation/money.md, "Absence"). */
import type { ClockOffset } from '../ledger/gateway-time.ts'
import { openAwaited } from '../ledger/payouts/payout-owners.ts'
import { settleWithdrawal } from '../ledger/settle-withdrawal.ts'
import type { UnitOfWork } from '../ledger/unit-of-work.ts'
import type { UnknownWithdrawal } from '../store/types.ts'

/**
 * This many complete scans without a payout prove that it was never made. The page promises a time by it: `PROOF_MS` in
 * components/withdraw/timeline.ts.
 */
const ABSENT_SCANS = 2

export interface AbsenceRule {
  readonly absenceMs: number
  /** The gateway's clock minus ours; null while it is unknown. */
  readonly offset: ClockOffset
  /** The time by the database; needed while the offset is unknown. */
  readonly databaseMs?: number | null
}

/** A scan of the user's list that has ended, or goes on. */
export interface AbsenceScan {
  /** The whole list was read, and it has every stored record whose loss nobody has settled. */
  readonly complete: boolean
  /** When its first page was requested, by the clock of that instance. */
  readonly beganMs: number
  /** The gateway's clock minus the clock of that instance; left out: `offset` of the rule. */
  readonly offset?: ClockOffset
  /** The same time by the database; null if that instance knew the gateway's time. */
  readonly beganDatabaseMs?: number | null
}

/** The shortest time between two checks. */
export const SHORTEST_MS = 2000
/** Short enough that, with the wait for a turn, each withdrawal is checked within 15 s. */
const LONGEST_MS = 10_000

/**
 * Sets the end of a call whose machine did not know the gateway's time: its own clock may be wrong by hours. The call
 * then counts as ended now, after the list was first read: by the gateway's clock, or by the database's as long as no
 * reply has told the gateway's time (`checked_ms` is not null then).
 */
function withKnownEnd(
  row: UnknownWithdrawal,
  now: number,
  { offset, databaseMs = null }: AbsenceRule,
): UnknownWithdrawal {
  if (row.clock_offset_ms !== null) return row
  if (offset !== null) return { ...row, call_ended_ms: now, clock_offset_ms: offset, checked_ms: null, absent_scans: 0 }
  if (row.checked_ms !== null || databaseMs === null) return row
  return { ...row, call_ended_ms: databaseMs, checked_ms: now, absent_scans: 0 }
}

/** How long after the end of the call the scan began, both by one clock; null if no clock shows it. */
function sinceEndMs(row: UnknownWithdrawal, scan: AbsenceScan, rule: AbsenceRule): number | null {
  const { call_ended_ms: ended, clock_offset_ms: offset } = row
  if (offset === null) {
    const { beganDatabaseMs = null } = scan
    return row.checked_ms === null || beganDatabaseMs === null ? null : beganDatabaseMs - ended
  }
  const { offset: ours = rule.offset } = scan
  return ours === null ? null : scan.beganMs + ours - (ended + offset)
}

/**
 * The time of the next check of an uncertain withdrawal: after 2 s, 4 s, 8 s, then every 10 s, but at the latest when
 * its absence begins to count. From then on the intervals are shorter.
 */
function nextCheckMs(checks: number, nowMs: number, sinceMs: number | null, absenceMs: number): number {
  const backoff = Math.min(SHORTEST_MS * 2 ** Math.min(checks, 10), LONGEST_MS)
  if (sinceMs === null) return nowMs + backoff
  if (sinceMs < absenceMs) return nowMs + Math.min(backoff, absenceMs - sinceMs)
  return nowMs + Math.min(backoff, Math.max(SHORTEST_MS, absenceMs / 10))
}

/**
 * Applies a scan to an uncertain withdrawal. True if it is no longer uncertain. While the user has a payout that nobody
 * owns, it may be this withdrawal's, whatever its amount, address and time: nothing is absent then. The unit has loaded
 * the user's attempts.
 */
export function judgeAbsence(
  unit: UnitOfWork,
  stored: UnknownWithdrawal,
  scan: AbsenceScan | null,
  rule: AbsenceRule,
): boolean {
  const { absenceMs } = rule
  const row = scan === null ? stored : withKnownEnd(stored, unit.now, rule)
  const sinceMs = scan === null ? null : sinceEndMs(row, scan, rule)
  const isEvidence = scan?.complete === true && sinceMs !== null && sinceMs >= absenceMs
  if (isEvidence) openAwaited(unit, row.user_reference_id)
  const proves = isEvidence && unit.openPayouts(row.user_reference_id).length === 0
  const absent_scans = row.absent_scans + (proves ? 1 : 0)
  const checked: UnknownWithdrawal = {
    ...row,
    absent_scans,
    checks: row.checks + 1,
    next_check_ms: nextCheckMs(row.checks + 1, unit.now, sinceMs, absenceMs),
  }
  unit.putWithdrawal(checked)
  if (!proves || absent_scans < ABSENT_SCANS) return false
  settleWithdrawal(unit, checked, { evidence: { kind: 'absent' }, source: 'reconciliation' })
  return true
}
