/**
 * How far the device's clock is ahead of the server's, negative if it is behind. Clocks of phones may be wrong by a day,
 * and may be changed while the page is open.
 */
export interface ClockAhead {
  readonly ms: () => number
  /** Call it with the `Date` of each response. */
  readonly heard: (date: string | null) => void
}

/** A response may be slow, and its `Date` is in seconds: less than this is no change of the clock. */
const CHANGE_MS = 60_000

/** @param ms at first @param now the device's time */
export function createClockAhead(ms: number, now: () => number): ClockAhead {
  let ahead = ms
  return {
    ms: () => ahead,
    heard: (date) => {
      const measured = now() - Date.parse(date ?? '')
      if (Math.abs(measured - ahead) > CHANGE_MS) ahead = measured
    },
  }
}
