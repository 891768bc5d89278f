/** Stops the process in an order that loses no request (docs/guides/operate.md, "Starting and stopping"). */
import { setTimeout as sleep } from 'node:timers/promises'

export interface StopSteps {
  /** How long requests are still answered, so that load balancers notice that it is not ready. */
  readonly drainS: number
  /** Reports not ready from now on. */
  readonly announce: () => void
  /** Ends streams, finishes requests, closes the store, in this order; called once. */
  readonly end: () => Promise<void>
}

/** npm passes on a signal that its whole process group has got, so one stop may come twice. */
const SAME_STOP_MS = 1000

/** The handler of a stop signal; a later second signal ends the wait for load balancers. Rejects if `end` does. */
export function createStop({ drainS, announce, end }: StopSteps): () => Promise<void> {
  const drained = new AbortController()
  let beganAt: number | undefined
  return async () => {
    if (beganAt !== undefined) {
      if (performance.now() - beganAt >= SAME_STOP_MS) drained.abort()
      return
    }
    beganAt = performance.now()
    announce()
    await sleep(drainS * 1000, undefined, { signal: drained.signal }).catch(() => undefined)
    await end()
  }
}

const PARENT_CHECK_MS = 500

/** Calls `tell` once when the parent process has ended. @param parent its present id */
export function onParentGone(
  tell: () => void,
  parent: () => number = () => process.ppid,
  everyMs = PARENT_CHECK_MS,
): void {
  const first = parent()
  const timer = setInterval(() => {
    if (parent() === first) return
    clearInterval(timer)
    tell()
  }, everyMs)
  timer.unref()
}
