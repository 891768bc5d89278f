import type { ClaimedUser } from '../store/types.ts'

/**
 * The overlap of two scans, so that a late record is not missed, nor the record of a call by a machine an hour ahead.
 */
export const OVERLAP_MS = 3 * 3_600_000

const DAY_MS = 86_400_000

/** After a backup was restored the user waits for it: a reading that has just begun is not repeated. */
const AWAITED_WHOLE_MS = 10_000

/** A sweep reads the whole list, but not every minute: while no webhooks arrive, sweeps follow one another. */
const SWEEP_WHOLE_MS = 3_600_000

/** After a read of the whole list that was not complete, reads are whole again after an hour, then ever less often. */
const wholeAgainMs = (incompleteForMs: number): number =>
  Math.min(Math.max(SWEEP_WHOLE_MS, incompleteForMs / 2), DAY_MS)

export interface OpenSince {
  /** When the oldest of the user's open states began. */
  readonly oldestMs: number
}

/**
 * How far back a user's list is read: to an overlap before the last scan, or to the oldest open state. Once a day, and
 * by a sweep, the whole list is read: a deposit may succeed after it failed, or appear late with an old time. So it is
 * while withdrawals wait for it after a restore.
 * @param nowMs by our clock
 * @returns by the gateway's clock
 */
export function readsFrom(
  {
    priority,
    reconciled_ms,
    whole_ms,
    waits_for_whole,
    incomplete_for_ms,
  }: Pick<ClaimedUser, 'priority' | 'reconciled_ms' | 'whole_ms' | 'waits_for_whole' | 'incomplete_for_ms'>,
  open: OpenSince | null,
  nowMs: number,
): number | 'whole' {
  if (reconciled_ms === null || whole_ms === null) return 'whole'
  const sinceWhole = nowMs - whole_ms
  // A time in the future was written by a wrong clock.
  const regularMs = priority === 'sweep' ? SWEEP_WHOLE_MS : DAY_MS
  const everyMs = incomplete_for_ms === null ? regularMs : Math.min(regularMs, wholeAgainMs(incomplete_for_ms))
  if (sinceWhole < 0 || sinceWhole >= (waits_for_whole === 1 ? AWAITED_WHOLE_MS : everyMs)) return 'whole'
  return Math.min(reconciled_ms, open?.oldestMs ?? Number.MAX_SAFE_INTEGER) - OVERLAP_MS
}
