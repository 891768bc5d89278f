/** Runs the rounds of a job: when work is due, after a change of the database, and at long intervals anyway. */
import { setTimeout as timer } from 'node:timers/promises'

/** Resolves after this time, or when the signal is aborted. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<unknown>

export interface RoundsOptions {
  /**
   * Does all work that is due. Returns the milliseconds until the next work, as far as is known; null if there is none
   * before something changes. A rejection ends only this round.
   */
  readonly round: () => Promise<number | null>
  readonly onFault: (error: unknown) => void
  /** The shortest time from the end of a round to the next; `wake` reduces it to `soonMs`. */
  readonly everyMs: number
  /** `everyMs` by default. */
  readonly soonMs?: number
  /** The longest time from one round to the next: this finds the changes of other processes. */
  readonly longestMs: number
  /**
   * Calls back after this process has changed the database; returns a function that stops it. Null: changes bring no
   * work.
   */
  readonly onChange: ((listener: () => void) => () => void) | null
  /** By default, timers of Node that do not keep the process alive. */
  readonly sleep?: Sleep
}

export interface Rounds {
  /** Starts with a round at once. */
  start(): void
  /** Reports work that need not wait for `everyMs`. */
  wake(): void
  /** Resolves after the round under way. */
  stop(): Promise<void>
}

/** The pause after a failed round. */
const AFTER_FAULT_MS = 1000

const realSleep: Sleep = (ms, signal) => timer(ms, undefined, { ref: false, signal })

export function createRounds(options: RoundsOptions): Rounds {
  const { round, onFault, everyMs, soonMs = everyMs, longestMs, onChange, sleep = realSleep } = options
  let woken = false
  let changed = false
  let stopped = false
  let running: Promise<void> | null = null
  let ignoreChanges: () => void = () => undefined
  /** Ends the present pause, if it may end early. */
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
