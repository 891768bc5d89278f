/** A session that ends over and over would have us ask the merchant for tokens without end. */
const MOST = 3
const WINDOW_MS = 60_000

/** Says each time whether one more restart is in order. `clock` in milliseconds. */
export function createRestartLimit(clock: () => number): () => boolean {
  let times: number[] = []
  return () => {
    const now = clock()
    times = times.filter((at) => at > now - WINDOW_MS)
    return times.push(now) <= MOST
  }
}
