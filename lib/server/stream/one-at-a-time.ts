const PAUSE_FACTOR = 9
const SHORTEST_PAUSE_MS = 20
/** Nobody waits longer for an event because the database was slow. */
const LONGEST_PAUSE_MS = 2000

/**
 * Runs `work` on each call of `ask`; calls while it runs or pauses make it run once more afterwards. The pause is
 * proportional to the duration of `work`, up to 2 s, so that quick work takes at most a tenth of the time. After a
 * failure it is short: a hang says nothing about the next time.
 */
export function oneAtATime(work: () => Promise<void>, onFailure: (error: unknown) => void) {
  let asked = false
  let busy = false
  let stopped = false
  let rest: NodeJS.Timeout | undefined

  const run = async (): Promise<void> => {
    busy = true
    asked = false
    const began = performance.now()
    const pauseMs = await work().then(
      () => PAUSE_FACTOR * (performance.now() - began),
      (error: unknown) => {
        onFailure(error)
        return SHORTEST_PAUSE_MS
      },
    )
    if (stopped) return
    rest = setTimeout(
      () => {
        busy = false
        if (asked) void run()
      },
      Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, pauseMs)),
    )
    rest.unref()
  }

  return {
    ask: (): void => {
      asked = true
      if (!busy && !stopped) void run()
    },
    stop: (): void => {
      stopped = true
      clearTimeout(rest)
    },
  }
}
