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
