const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

const LONGEST_WAIT = 8 * HOUR

/** Pauses after the first, second, … failed attempt; the last one applies to all that follow. */
const WAITS = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR, LONGEST_WAIT]

/** A delivery is given up this long after its first attempt. */
export const GIVE_UP_AFTER_MS = 72 * HOUR

/**
 * When to retry after `failures` failed attempts, the last one at `nowMs`; null: give up. `random` (0..1) spreads
 * deliveries that failed together by up to a tenth. The last attempt is at the end of the three days.
 */
export function nextTryMs(
  { firstMs, failures, nowMs }: { readonly firstMs: number; readonly failures: number; readonly nowMs: number },
  random: number,
): number | null {
  const end = firstMs + GIVE_UP_AFTER_MS
  if (nowMs >= end) return null
  const wait = WAITS[failures - 1] ?? LONGEST_WAIT
  return Math.min(Math.round(nowMs + wait * (1 + random / 10)), end)
}
