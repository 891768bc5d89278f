export interface ClockOffsetTracker {
  /** Takes the `Date` of a reply, with our own times of request and reply. */
  note(date: string | undefined, sentMs: number, receivedMs: number): void
  /** The gateway's clock minus ours; null before two replies agreed on it. */
  current(): number | null
}

/** `Date` has whole seconds. */
const DATE_STEP_MS = 1000

/** Offsets that differ by at most this much are taken as those of the same clock. */
const DRIFT_MS = 60_000

/**
 * Our clock was set if it went on by so much more, or less, than the time since the machine's start. Some machines tell
 * that in whole seconds.
 */
const SET_MS = 2000

/**
 * Estimates the gateway's clock from its replies. Each `Date` allows a range of offsets, which is wider for slow
 * replies: the estimate stays while it fits the range, and otherwise moves to the nearest value in it. A jump of more
 * than a minute counts only if the next reply agrees: a single machine or cache may have a wrong time. If our own clock is
 * set, the offset is unknown until two replies agree again: the clock may have been wrong before, or be wrong now.
 * @param clock ours
 * @param uptimeMs milliseconds by a clock that nobody sets
 */
export function createClockOffset(clock: () => number, uptimeMs: () => number): ClockOffsetTracker {
  let offset: number | null = null
  /** The offset of the last reply, if it is far from the estimate. */
  let unconfirmed: number | null = null
  /** When the machine was started, by our clock. */
  let startedMs: number | null = null

  const forgetIfSet = (): void => {
    const nowStartedMs = clock() - uptimeMs()
    startedMs ??= nowStartedMs
    if (Math.abs(nowStartedMs - startedMs) < SET_MS) return
    startedMs = nowStartedMs
    offset = null
    unconfirmed = null
  }

  return {
    note(date, sentMs, receivedMs) {
      const gatewayMs = Date.parse(date ?? '')
      if (Number.isNaN(gatewayMs)) return
      forgetIfSet()
      const nearest = (to: number): number =>
        Math.min(Math.max(to, gatewayMs - receivedMs), gatewayMs + DATE_STEP_MS - sentMs)
      const isNear = (to: number | null): to is number => to !== null && Math.abs(nearest(to) - to) <= DRIFT_MS
      const known = [offset, unconfirmed].find(isNear)
      if (known === undefined) unconfirmed = nearest(offset ?? 0)
      else {
        offset = nearest(known)
        unconfirmed = null
      }
    },
    current() {
      forgetIfSet()
      return offset
    },
  }
}
