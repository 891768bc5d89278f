export interface ClockOffsetTracker {
  /** Takes the `Date` of a reply, with our own times of the request and the reply. */
  note(date: string | undefined, sentMs: number, receivedMs: number): void
  /** The gateway's clock minus ours; null before two replies agreed about it. */
  current(): number | null
}

/** `Date` has whole seconds. */
const DATE_STEP_MS = 1000

/** An offset that moves by no more at a time is that of one clock. */
const DRIFT_MS = 60_000

/**
 * What replies tell of the gateway's clock. A `Date` allows a range, the wider the slower the reply was: the offset stays
 * while it fits, and else moves to the nearest that does. One reply alone, of a machine or a cache whose time is wrong,
 * moves it by at most a minute: the next must agree.
 */
export function createClockOffset(): ClockOffsetTracker {
  let offset: number | null = null
  /** What the last reply told, where it is far from the offset. */
  let unconfirmed: number | null = null
  return {
    note(date, sentMs, receivedMs) {
      const gatewayMs = Date.parse(date ?? '')
      if (Number.isNaN(gatewayMs)) return
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
    current: () => offset,
  }
}
