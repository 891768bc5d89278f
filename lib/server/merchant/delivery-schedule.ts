const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

const LONGEST_WAIT = 8 * HOUR

/** Pauses after the first, second, … failed attempt; the last one applies to all that follow. */
const WAITS = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR, LONGEST_WAIT]

/** A delivery is given up this long after its first attempt. */
export const GIVE_UP_AFTER_MS = 72 * HOUR

const waitAfter = (failures: number): number => WAITS[failures - 1] ?? LONGEST_WAIT
/** The longest wait is so much longer. */
const SPREAD = 1.1

/** How many attempts three days have at least. With fewer, they are not over, whatever the clock says. */
function fewestAttempts(): number {
  let attempts = 1
  for (let atMs = 0; atMs < GIVE_UP_AFTER_MS; attempts += 1) atMs += waitAfter(attempts) * SPREAD
  return attempts
}

const FEWEST_ATTEMPTS = fewestAttempts()

/**
 * When to retry after `failures` failed attempts, the last one at `nowMs`; null: give up. `random` (0..1) spreads
 * deliveries that failed together by up to a tenth. The last attempt is at the end of the three days; a clock that is
 * set ahead does not end them, nor do days in which no instance ran.
 */
export function nextTryMs(
  { firstMs, failures, nowMs }: { readonly firstMs: number; readonly failures: number; readonly nowMs: number },
  random: number,
): number | null {
  const end = firstMs + GIVE_UP_AFTER_MS
  const isOver = nowMs >= end
  if (isOver && failures >= FEWEST_ATTEMPTS) return null
  const next = Math.round(nowMs + waitAfter(failures) * (1 + random * (SPREAD - 1)))
  return isOver ? next : Math.min(next, end)
}
