/**
 * Notices that the page has not run for a while, because the device slept or the browser suspended the page, and that
 * the device's clock was changed.
 */

export interface SleepWatchOptions {
  readonly now: () => number
  /** Runs the function periodically; returns a function that stops it. */
  readonly setTicker: (run: () => void, ms: number) => () => void
  readonly onWake: () => void
}

const TICK_MS = 15_000
/** Browsers run the timers of a hidden page once a minute, which is not sleep. */
const ASLEEP_MS = 120_000

/** Calls `onWake` when the page runs again. Returns a function that stops watching. */
export function watchForSleep({ now, setTicker, onWake }: SleepWatchOptions): () => void {
  let lastTick = now()
  return setTicker(() => {
    const slept = Math.abs(now() - lastTick) > ASLEEP_MS
    lastTick = now()
    if (slept) onWake()
  }, TICK_MS)
}
