/**
 * Detects a dead frame: the browser's error page replaced its page, or its process died. The browser does not tell the
 * merchant's page, so the host pings the frame.
 */

export interface LivenessNeeds {
  readonly ping: () => void
  readonly onDead: () => void
  readonly setTimer: (run: () => void, ms: number) => () => void
}

export interface Liveness {
  /** Pings the frame, unless a check is running. Without an answer `onDead` is called after 6 s. */
  readonly check: () => void
  /** Call it when the frame sent a message. */
  readonly alive: () => void
  /** Stops waiting, because the frame was replaced or removed. */
  readonly stop: () => void
}

/** Several pings, because a page on a slow phone may be busy for some seconds without being dead. */
const PINGS = 3
const ANSWER_MS = 2000

export function createLiveness({ ping, onDead, setTimer }: LivenessNeeds): Liveness {
  let stopTimer: (() => void) | undefined

  const stop = (): void => {
    stopTimer?.()
    stopTimer = undefined
  }

  const ask = (left: number): void => {
    if (left === 0) {
      stop()
      onDead()
      return
    }
    ping()
    stopTimer = setTimer(() => ask(left - 1), ANSWER_MS)
  }

  return {
    check: () => {
      if (!stopTimer) ask(PINGS)
    },
    alive: stop,
    stop,
  }
}

/**
 * Calls `check` when a frame may have died unnoticed, or when the user expects it to work: the device is online again,
 * the page is shown again, or the user pressed something. A press inside a frame takes the focus from the window around
 * it.
 * @returns a function that stops watching
 */
export function watchForTrouble(check: (trigger: 'online' | 'other') => void): () => void {
  const other = (): void => {
    if (document.visibilityState === 'visible' && navigator.onLine) check('other')
  }
  const online = (): void => check('online')
  const others = [
    [window, 'pageshow'],
    [window, 'blur'],
    [document, 'visibilitychange'],
    [document, 'pointerdown'],
    [document, 'keydown'],
  ] as const
  window.addEventListener('online', online)
  for (const [target, type] of others) target.addEventListener(type, other, { capture: true, passive: true })
  return () => {
    window.removeEventListener('online', online)
    for (const [target, type] of others) target.removeEventListener(type, other, { capture: true })
  }
}

/** Without a limit, sessions that end again and again would request launch tokens for ever. */
const MAX_RESTARTS = 3
const WINDOW_MS = 60_000

/** Each call returns whether one more restart is allowed. `clock` is in milliseconds. */
export function createRestartLimit(clock: () => number): () => boolean {
  let times: number[] = []
  return () => {
    const now = clock()
    times = times.filter((at) => at > now - WINDOW_MS)
    return times.push(now) <= MAX_RESTARTS
  }
}
