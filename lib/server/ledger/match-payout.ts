import type { Decimal } from '#lib/contract/money.ts'
import type { WithdrawalRow } from './rows.ts'
import { calledAt, type ClockOffset } from './gateway-time.ts'
import { LATE_FAILURES } from './transaction-states.ts'

/** For this long after it, a payout may still turn out to be of a withdrawal that was refused or met no gateway. */
const REFUSED_FOR_MS = 7 * 86_400_000

/** A payout that shows up although the withdrawal had failed without one: reported as `late_payout`. */
function isLate(row: WithdrawalRow, nowMs: number): boolean {
  if (row.status !== 'failed' || row.transaction_uuid !== null) return false
  if (row.failure === 'absent') return true
  if (row.failure === null || !LATE_FAILURES.includes(row.failure)) return false
  return nowMs - (row.call_ended_ms ?? row.updated_ms) <= REFUSED_FOR_MS
}

/** Five minutes: what two clocks may differ by. */
const RECORD_LEEWAY_MS = 300_000

/** How well a withdrawal matches a payout of the same details, best first: surely accepted, uncertain, failed. Null: not at all. */
function matchPriority(row: WithdrawalRow, nowMs: number): number | null {
  if (row.status === 'awaiting_approval') return 0
  if (row.status === 'processing') return row.step === 'ended' ? 0 : 1
  if (row.status === 'unknown') return 1
  if (isLate(row, nowMs)) return row.failure === 'absent' ? 2 : 3
  return null
}

export interface PayoutToMatch {
  readonly amount_key: Decimal
  /** The time of a list's record: one from over five minutes before our call is another payout. Null: not known. */
  readonly insertedMs: number | null
  /** Since when the list has told of a payout that an event names: by its time or by ours, the earlier one. */
  readonly listedMs: number | null
  readonly clockOffset: ClockOffset
  readonly nowMs: number
}

/**
 * The withdrawal that a payout belongs to: not one that has another payout; by `matchPriority`, then the one whose reply
 * had this amount, then the oldest.
 */
export function matchPayout(candidates: readonly WithdrawalRow[], payout: PayoutToMatch): WithdrawalRow | null {
  const { amount_key, insertedMs, listedMs, clockOffset, nowMs } = payout
  const matches = candidates.flatMap((row) => {
    const called = calledAt(row, clockOffset)
    const priority = row.transaction_uuid === null && called !== null ? matchPriority(row, nowMs) : null
    const since = (called ?? 0) - RECORD_LEEWAY_MS
    const sinceByEither = Math.min(called ?? 0, row.called_ms ?? 0) - RECORD_LEEWAY_MS
    const inTime = insertedMs === null ? listedMs === null || sinceByEither <= listedMs : since <= insertedMs
    return priority !== null && inTime ? [{ row, priority, asked: row.reply_amount_key === amount_key ? 0 : 1 }] : []
  })
  matches.sort(
    (a, b) =>
      a.priority - b.priority ||
      a.asked - b.asked ||
      a.row.created_ms - b.row.created_ms ||
      (a.row.id < b.row.id ? -1 : 1),
  )
  return matches[0]?.row ?? null
}
