/**
 * Decides which tabs and frames of one browser have a live stream. Over HTTP/1.1 a browser opens six connections to a
 * host for all its tabs together: with six streams, no call of any page would get an answer. So only two pages have a
 * stream at a time, and if more pages want one they take turns. A stream resumes where it ended, so that each page gets
 * all events.
 */

type Locks = Pick<LockManager, 'request' | 'query'>

export interface StreamTurnsOptions {
  /** Shared with the other tabs and frames. Undefined if the browser has no locks: the page then keeps its stream. */
  readonly locks: Locks | undefined
  /** From 0 to 1, like `Math.random`. */
  readonly random: () => number
  readonly setTimer: (run: () => void, ms: number) => () => void
  /** The page may have a stream from now on. */
  readonly onTurn: () => void
  /** The page must close its stream. */
  readonly onEnd: () => void
}

export interface StreamTurns {
  /** Call it when the page is shown and wants a stream. */
  readonly start: () => void
  /** Call it when the page is hidden or left: it gives up its stream. */
  readonly stop: () => void
}

const PLACES = ['cashier.stream.1', 'cashier.stream.2']
/** How long a page keeps its place while another page waits for it. */
const TURN_MS = 2000

export function createStreamTurns({ locks, random, setTimer, onTurn, onEnd }: StreamTurnsOptions): StreamTurns {
  let current: AbortController | null = null

  const pause = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const end = (): void => {
        stopTimer()
        signal.removeEventListener('abort', end)
        resolve()
      }
      const stopTimer = setTimer(end, TURN_MS)
      signal.addEventListener('abort', end)
    })

  /**
   * The stream is open until the turn is over. It ends at once when the page is hidden, because the next turn may begin
   * before this function notices.
   */
  async function takeTurn(isOver: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
    let isOpen = true
    const end = (): void => {
      if (isOpen) onEnd()
      isOpen = false
    }
    onTurn()
    signal.addEventListener('abort', end)
    do await pause(signal)
    while (!signal.aborted && !(await isOver()))
    signal.removeEventListener('abort', end)
    end()
  }

  async function run(shared: Locks, signal: AbortSignal): Promise<void> {
    const turnAt = (place: string) => async (lock: Lock | null) => {
      if (lock && !signal.aborted) await takeTurn(() => isWanted(shared, place), signal)
      return lock !== null
    }
    const takeFree = async (): Promise<boolean> => {
      for (const place of PLACES) if (await shared.request(place, { ifAvailable: true }, turnAt(place))) return true
      return false
    }
    while (!signal.aborted) {
      if (await takeFree()) continue
      const place = await leastWanted(shared, random)
      await shared.request(place, { signal }, turnAt(place))
    }
  }

  return {
    start: () => {
      if (current) return
      current = new AbortController()
      const { signal } = current
      const alone = (): Promise<void> => takeTurn(() => Promise.resolve(false), signal)
      // A frame may have no storage and so no locks. A page that is hidden while it waits also gets no lock.
      void (locks ? run(locks, signal).catch(() => (signal.aborted ? undefined : alone())) : alone())
    },
    stop: () => {
      current?.abort()
      current = null
    },
  }
}

/** The place that the fewest pages want; at random if equal, because pages that start together see the same state. */
async function leastWanted(locks: Locks, random: () => number): Promise<string> {
  const { held = [], pending = [] } = await locks.query()
  const wants = (place: string): number => [...held, ...pending].filter(({ name }) => name === place).length
  const least = Math.min(...PLACES.map(wants))
  const candidates = PLACES.filter((place) => wants(place) === least)
  return candidates[Math.floor(random() * candidates.length)] ?? ''
}

async function isWanted(locks: Locks, place: string): Promise<boolean> {
  const { pending = [] } = await locks.query()
  return pending.some(({ name }) => name === place)
}
