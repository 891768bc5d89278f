/** A clock that moves only when all work has paused: hours of waiting take only as long as the work. */
import { setImmediate as everythingElse } from 'node:timers/promises'

export interface VirtualTime {
  readonly clock: () => number
  readonly sleep: (ms: number) => Promise<void>
  /** Moves the clock forward by this time, from one wake-up to the next. */
  run(ms: number): Promise<void>
  /** Moves the clock forward until this promise is settled. */
  until<T>(work: Promise<T>): Promise<T>
}

export function createVirtualTime(startMs: number): VirtualTime {
  let now = startMs
  let sleepers: { readonly at: number; readonly wake: () => void }[] = []

  /** Wakes the sleepers that are due first; false if nobody sleeps, or only for longer than until `endMs`. */
  const step = async (endMs: number): Promise<boolean> => {
    await everythingElse()
    const at = Math.min(...sleepers.map((sleeper) => sleeper.at))
    if (at > endMs) return false
    now = Math.max(now, at)
    const awake = sleepers.filter((sleeper) => sleeper.at <= now)
    sleepers = sleepers.filter((sleeper) => sleeper.at > now)
    for (const { wake } of awake) wake()
    return true
  }

  return {
    clock: () => now,
    sleep: (ms) => new Promise((wake) => sleepers.push({ at: now + Math.max(0, ms), wake })),
    async run(ms) {
      const endMs = now + ms
      while (await step(endMs));
      now = endMs
    },
    async until(work) {
      const settled = new AbortController()
      const end = (): void => {
        settled.abort()
      }
      work.then(end, end)
      // When nobody sleeps, the work waits only for input and output.
      while (!settled.signal.aborted) await step(Number.MAX_SAFE_INTEGER)
      return work
    },
  }
}
