/** When a job runs its rounds: as soon as work is due, after a change of the database, and now and then anyway. */
import { setTimeout as timer } from 'node:timers/promises'

/** Resolves after this time, or when the signal is aborted. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<unknown>

export interface RoundsOptions {
  /**
   * Does all that is due. Returns in how many milliseconds there will be more, as far as is known; null: not before
   * something changes. A rejection ends this round only.
   */
  readonly round: () => Promise<number | null>
  readonly onFault: (error: unknown) => void
  /** From the end of one round to the next; `wake` alone makes it `soonMs`. */
  readonly everyMs: number
  /** `everyMs` by default. */
  readonly soonMs?: number
  /** From one round to the next where nothing is due: what another process did is found then. */
  readonly longestMs: number
  /** Calls back after this process has changed the database; returns what stops that. Null: no change brings work. */
  readonly onChange: ((listener: () => void) => () => void) | null
  /** By timers of Node that let the process end by default. */
  readonly sleep?: Sleep
}

export interface Rounds {
  /** The first round is at once. */
  start(): void
  /** There is work, and it need not wait for `everyMs`. */
  wake(): void
  /** Resolves after the round under way. */
  stop(): Promise<void>
}

/** After a round that failed. */
const AFTER_FAULT_MS = 1000

const realSleep: Sleep = (ms, signal) => timer(ms, undefined, { ref: false, signal })

export function createRounds(options: RoundsOptions): Rounds {
  const { round, onFault, everyMs, soonMs = everyMs, longestMs, onChange, sleep = realSleep } = options
  let woken = false
  let changed = false
  let stopped = false
  let running: Promise<void> | null = null
  let ignoreChanges: () => void = () => undefined
  /** Ends the present pause where it may be ended. */
  let interrupt: () => void = () => undefined

  const pause = async (ms: number, isOver: () => boolean): Promise<void> => {
    if (ms <= 0 || isOver()) return
    const ended = new AbortController()
    const interrupted = new Promise<void>((resolve) => {
      interrupt = () => {
        if (isOver()) resolve()
      }
    })
    await Promise.race([interrupted, sleep(ms, ended.signal).catch(() => undefined)])
    ended.abort()
  }

  const keepRunning = async (): Promise<void> => {
    while (!stopped) {
      woken = false
      changed = false
      const dueMs = await round().catch((error: unknown) => {
        onFault(error)
        return AFTER_FAULT_MS
      })
      await pause(soonMs, () => stopped)
      await pause(everyMs - soonMs, () => stopped || woken)
      await pause(Math.min(dueMs ?? longestMs, longestMs) - everyMs, () => stopped || woken || changed)
    }
  }

  return {
    start() {
      if (running !== null) return
      if (onChange !== null)
        ignoreChanges = onChange(() => {
          changed = true
          interrupt()
        })
      running = keepRunning()
    },
    wake() {
      woken = true
      interrupt()
    },
    async stop() {
      stopped = true
      ignoreChanges()
      interrupt()
      await running
    },
  }
}
