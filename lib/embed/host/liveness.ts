/**
 * Finds out that a frame is dead: its page was replaced by the browser's own error page, or its process died. The browser
 * tells the merchant's page nothing of that, so the frame is asked.
 */

export interface LivenessNeeds {
  readonly ping: () => void
  readonly onDead: () => void
  readonly setTimer: (run: () => void, ms: number) => () => void
}

export interface Liveness {
  /** Asks the frame, unless an answer is awaited already. Without an answer `onDead` is called after 6 s. */
  readonly check: () => void
  /** The frame said something. */
  readonly alive: () => void
  /** Nothing is awaited any more: there is another frame, or none. */
  readonly stop: () => void
}

/** A page that is busy for some seconds, on a slow phone, is not dead: it is asked three times before. */
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
 * Calls `check` when a frame may have died unseen, or when a person expects it to work: the device is online again, the
 * page is shown again, or somebody pressed something. A press within a frame takes the focus from the window around it.
 * @returns stops watching
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

/** Without a limit, a session that ends again and again would request launch tokens without end. */
const MAX_RESTARTS = 3
const WINDOW_MS = 60_000

/** Each call says whether one more restart is allowed. `clock` in milliseconds. */
export function createRestartLimit(clock: () => number): () => boolean {
  let times: number[] = []
  return () => {
    const now = clock()
    times = times.filter((at) => at > now - WINDOW_MS)
    return times.push(now) <= MAX_RESTARTS
  }
}
