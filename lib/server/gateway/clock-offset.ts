export interface ClockOffsetTracker {
  /** Takes the `Date` of a reply, with our own times of the request and the reply. */
  note(date: string | undefined, sentMs: number, receivedMs: number): void
  /** The gateway's clock minus ours; null before a reply had a `Date`. */
  current(): number | null
}

/** `Date` has whole seconds. */
const DATE_STEP_MS = 1000

/**
 * What replies tell of the gateway's clock. A `Date` allows a range, the wider the slower the reply was: the offset stays
 * while it fits, and else moves to the nearest that does.
 */
export function createClockOffset(): ClockOffsetTracker {
  let offset: number | null = null
  return {
    note(date, sentMs, receivedMs) {
      const gatewayMs = Date.parse(date ?? '')
      if (Number.isNaN(gatewayMs)) return
      const [least, most] = [gatewayMs - receivedMs, gatewayMs + DATE_STEP_MS - sentMs]
      offset = Math.min(Math.max(offset ?? 0, least), most)
    },
    current: () => offset,
  }
}
