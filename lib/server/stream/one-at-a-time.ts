const PAUSE_FACTOR = 9
const SHORTEST_PAUSE_MS = 20

/**
 * Runs `work` on each call of `ask`; calls while it runs or pauses make it run once more afterwards. The pause is
 * proportional to the duration of `work`, so that `work` takes at most a tenth of the time.
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
    await work().catch(onFailure)
    if (stopped) return
    rest = setTimeout(
      () => {
        busy = false
        if (asked) void run()
      },
      Math.max(SHORTEST_PAUSE_MS, PAUSE_FACTOR * (performance.now() - began)),
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
