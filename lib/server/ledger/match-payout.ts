import type { Decimal } from '#lib/contract/money.ts'
import type { WithdrawalRow } from './rows.ts'
import { calledAt, type ClockOffset } from './gateway-time.ts'
import { hasWithdrawalEnded, LATE_FAILURES } from './withdrawal-statuses.ts'

/** For this long after it, a payout may still turn out to be of a withdrawal that was refused, met no gateway or failed. */
export const LATE_FOR_MS = 7 * 86_400_000

/** A payout that shows up although the withdrawal had failed without one: reported as `late_payout`. */
function isLate(row: WithdrawalRow, nowMs: number): boolean {
  if (row.status !== 'failed' || row.transaction_uuid !== null) return false
  if (row.failure === 'absent') return true
  if (row.failure === null || !LATE_FAILURES.includes(row.failure)) return false
  return nowMs - (row.call_ended_ms ?? row.updated_ms) <= LATE_FOR_MS
}

/** A withdrawal that failed by its own record: the gateway may have paid under another uuid since, if it has paid for sure. */
function isReplaced(row: WithdrawalRow, { succeeded, nowMs }: PayoutToMatch): boolean {
  return succeeded && row.status === 'failed' && row.transaction_uuid !== null && nowMs - row.updated_ms <= LATE_FOR_MS
}

/** Whether a payout that we knew before may turn out to be of this withdrawal. */
export function mayYetBePaid(
  row: Pick<WithdrawalRow, 'called_ms' | 'status' | 'transaction_uuid' | 'failure' | 'updated_ms'>,
  nowMs: number,
): boolean {
  if (row.called_ms === null) return false
  if (!hasWithdrawalEnded(row.status)) return true
  if (row.transaction_uuid !== null) return row.status === 'failed' && nowMs - row.updated_ms <= LATE_FOR_MS
  return row.failure !== null && LATE_FAILURES.includes(row.failure)
}

/** Five minutes: what two clocks may differ by. */
const RECORD_LEEWAY_MS = 300_000

/** The last priority, of a withdrawal that failed by its own record. */
const REPLACED = 4

/**
 * How well a withdrawal matches a payout of the same details, best first: surely accepted, uncertain, failed. Null: not at
 * all.
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
  /** The time of a list's record: one from over five minutes before our call is another payout. Null: not known. */
  readonly insertedMs: number | null
  /** Since when the list has told of a payout that an event names: by its time or by ours, the earlier one. */
  readonly listedMs: number | null
  readonly clockOffset: ClockOffset
  /** The money has left: less is too little for a withdrawal whose own record says that it failed. */
  readonly succeeded: boolean
  readonly nowMs: number
}

/** Whether the payout is not from before the withdrawal's call. */
function isInTime(row: WithdrawalRow, { insertedMs, listedMs, clockOffset }: PayoutToMatch): boolean {
  const called = calledAt(row, clockOffset)
  if (called === null) return false
  const since = called - RECORD_LEEWAY_MS
  const sinceByEither = Math.min(called, row.called_ms ?? 0) - RECORD_LEEWAY_MS
  return insertedMs === null ? listedMs === null || sinceByEither <= listedMs : since <= insertedMs
}

/**
 * The withdrawal that a payout belongs to: not one that has another payout, unless that one failed; by `matchPriority`,
 * then the one whose reply had this amount, then the oldest. While another of the same details waits for a payout that
 * was named otherwise, it may be that one's, so none that failed by its own record has it.
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
