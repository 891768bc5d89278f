import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Runs `work` soon after each call of `ask`: once for all calls that come while it runs, and at most once every
 * `everyMs`. `work` must not reject.
 */
export function spaced(work: () => Promise<void>, everyMs: number) {
  let asked = 0
  let answered = 0
  let finishing = false
  let running: Promise<void> | null = null

  const run = async (): Promise<void> => {
    while (asked > answered) {
      answered = asked
      await work()
      if (asked > answered || !finishing) await sleep(everyMs, undefined, { ref: false })
    }
    running = null
  }

  return {
    ask(): void {
      asked += 1
      running ??= run()
    },
    /** Resolves when nothing is left to do. */
    async finish(): Promise<void> {
      finishing = true
      while (running !== null) await running
    },
  }
}
