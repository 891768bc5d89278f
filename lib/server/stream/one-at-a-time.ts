const REST_FACTOR = 9
const SHORTEST_REST_MS = 20

/**
 * Runs `work` when asked; asked while it runs or rests, it runs once more afterwards. It rests in proportion to what the
 * work took, so that however often it is asked, no more than a tenth of the time goes into it.
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
      Math.max(SHORTEST_REST_MS, REST_FACTOR * (performance.now() - began)),
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
