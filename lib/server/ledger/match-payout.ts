import type { Decimal } from '#lib/contract/money.ts'
import type { WithdrawalRow } from './rows.ts'
import { calledAt, type ClockOffset } from './gateway-time.ts'
import { hasWithdrawalEnded, LATE_FAILURES } from './withdrawal-statuses.ts'

/**
 * A payout may still turn out to belong to a withdrawal that was refused, unreachable or failed up to this long ago.
 */
export const LATE_FOR_MS = 7 * 86_400_000

/** Whether a payout may still show up for a withdrawal that failed without one; it is reported as `late_payout`. */
function isLate(row: WithdrawalRow, nowMs: number): boolean {
  if (row.status !== 'failed' || row.transaction_uuid !== null) return false
  if (row.failure === 'absent') return true
  if (row.failure === null || !LATE_FAILURES.includes(row.failure)) return false
  return nowMs - (row.call_ended_ms ?? row.updated_ms) <= LATE_FOR_MS
}

/** A withdrawal whose own record failed: a payout that succeeded under another uuid may be the gateway's second try. */
function isReplaced(row: WithdrawalRow, { succeeded, nowMs }: PayoutToMatch): boolean {
  return succeeded && row.status === 'failed' && row.transaction_uuid !== null && nowMs - row.updated_ms <= LATE_FOR_MS
}

/** Whether a payout that we already know may turn out to belong to this withdrawal. */
export function mayYetBePaid(
  row: Pick<WithdrawalRow, 'called_ms' | 'status' | 'transaction_uuid' | 'failure' | 'updated_ms'>,
  nowMs: number,
): boolean {
  if (row.called_ms === null) return false
  if (!hasWithdrawalEnded(row.status)) return true
  if (row.transaction_uuid !== null) return row.status === 'failed' && nowMs - row.updated_ms <= LATE_FOR_MS
  return row.failure !== null && LATE_FAILURES.includes(row.failure)
}

/** Five minutes: the allowed difference between two clocks. */
const RECORD_LEEWAY_MS = 300_000

/** The last priority: a withdrawal that failed by its own record. */
const REPLACED = 4

/**
 * How well a withdrawal matches a payout with the same details; the lowest number is best: surely accepted, uncertain,
 * failed. Null: no match.
 */
function matchPriority(row: WithdrawalRow, payout: PayoutToMatch): number | null {
  if (row.transaction_uuid !== null) return isReplaced(row, payout) ? REPLACED : null
  if (row.status === 'awaiting_approval') return 0
  if (row.status === 'processing') return row.step === 'ended' ? 0 : 1
  if (row.status === 'unknown') return 1
  if (isLate(row, payout.nowMs)) return row.failure === 'absent' ? 2 : 3
  return null
}

export interface PayoutToMatch {
  readonly amount_key: Decimal
  /** The time of a list's record; more than five minutes before our call it is another payout. Null: unknown. */
  readonly insertedMs: number | null
  /** Since when the list has shown the payout that an event names: by its time or by ours, whichever is earlier. */
  readonly listedMs: number | null
  readonly clockOffset: ClockOffset
  /** True if the money has left. A withdrawal whose own record failed takes only such a payout. */
  readonly succeeded: boolean
  readonly nowMs: number
}

/** Whether the payout is no older than the withdrawal's call. */
function isInTime(row: WithdrawalRow, { insertedMs, listedMs, clockOffset }: PayoutToMatch): boolean {
  const called = calledAt(row, clockOffset)
  if (called === null) return false
  const since = called - RECORD_LEEWAY_MS
  const sinceByEither = Math.min(called, row.called_ms ?? 0) - RECORD_LEEWAY_MS
  return insertedMs === null ? listedMs === null || sinceByEither <= listedMs : since <= insertedMs
}

/**
 * The withdrawal that a payout belongs to: the best by `matchPriority`, then the withdrawal whose reply had this
 * amount, then the oldest. A withdrawal that has another payout is excluded unless that payout failed. Such a failed
 * withdrawal does not match while another with the same details is still open: the payout may be that withdrawal's,
 * even if the gateway has named another payout for it.
 */
export function matchPayout(candidates: readonly WithdrawalRow[], payout: PayoutToMatch): WithdrawalRow | null {
  const inTime = candidates.filter((row) => isInTime(row, payout))
  const matches = inTime.flatMap((row) => {
    const priority = matchPriority(row, payout)
    return priority === null ? [] : [{ row, priority, asked: row.reply_amount_key === payout.amount_key ? 0 : 1 }]
  })
  matches.sort(
    (a, b) =>
      a.priority - b.priority ||
      a.asked - b.asked ||
      a.row.created_ms - b.row.created_ms ||
      (a.row.id < b.row.id ? -1 : 1),
  )
  const [best] = matches
  if (best === undefined) return null
  return best.priority === REPLACED && inTime.some(({ status }) => !hasWithdrawalEnded(status)) ? null : best.row
}
