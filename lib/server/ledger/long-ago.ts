/**
 * Stored times that are long ago. A time far in the future was written while a clock was wrong: nobody knows when that
 * was, and nobody may wait until the clock would have been right.
 */

const DAY_MS = 86_400_000

/** The clocks of machines that work are not so far apart. */
export const isFarAhead = (ms: number, nowMs: number): boolean => ms - nowMs >= DAY_MS

/**
 * What happened since a time has no earlier time than this, whichever machines wrote both: that of the first may be
 * ahead.
 */
export const notBefore = (ms: number, nowMs: number): number => (isFarAhead(ms, nowMs) ? 0 : ms - DAY_MS)

/**
 * The time of a state that follows a state of that time. It is later, although another machine's clock may be ahead, or
 * both came at once: who is told by `updated_at` which of two states is newer must not take the first for the newer one.
 */
export const laterThan = (beforeMs: number, nowMs: number): number =>
  isFarAhead(beforeMs, nowMs) ? nowMs : Math.max(nowMs, beforeMs + 1)

/** Whether a time is at least so long ago, or far in the future. */
export const isLongAgo = (ms: number, nowMs: number, forMs: number): boolean =>
  nowMs - ms >= forMs || isFarAhead(ms, nowMs)

/** The same for a query: the latest of the times that are long ago, and the earliest of those that are far ahead. */
export interface LongAgo {
  readonly sinceMs: number
  readonly aheadMs: number
}

export const longAgo = (nowMs: number, sinceMs: number): LongAgo => ({ sinceMs, aheadMs: nowMs + DAY_MS })

/** A time of which `notBefore` allows nothing earlier than this one, as if all clocks agreed. */
export const exactlySince = (ms: number, nowMs: number): number => Math.min(ms, nowMs - 1) + DAY_MS
