/** Stops the process in the order that loses no request (docs/guides/operate.md, "Starting and stopping"). */
import { setTimeout as sleep } from 'node:timers/promises'

export interface StopSteps {
  /** How long everything is still answered, so that balancers notice that it is not ready. */
  readonly drainS: number
  /** Reports not ready from now on. */
  readonly announce: () => void
  /** Ends streams, finishes requests, closes the store, in this order; called once. */
  readonly end: () => Promise<void>
}

/** The handler of a signal to stop; a second one does not wait for balancers. Rejects where `end` does. */
export function createStop({ drainS, announce, end }: StopSteps): () => Promise<void> {
  const drained = new AbortController()
  let stopping = false
  return async () => {
    if (stopping) {
      drained.abort()
      return
    }
    stopping = true
    announce()
    await sleep(drainS * 1000, undefined, { signal: drained.signal }).catch(() => undefined)
    await end()
  }
}

const PARENT_CHECK_MS = 500

/** Calls `tell` once when the process that started this process has ended. @param parent its id now */
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
