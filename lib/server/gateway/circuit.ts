import { isGatewayError } from './errors.ts'
import { isTransient } from './failures.ts'

/**
 * So many failures in a row open it. Only those count that show that the gateway is away: no connection, a timeout, 408,
 * 5xx. A reply that cannot be read may be one user's own fault.
 */
export const FAILURES_TO_OPEN = 3

/** For how long it counts as down, each time longer until a read succeeds. */
const PAUSES_MS = [2000, 5000, 15_000, 30_000]

export interface Circuit {
  /** True while reads should not wait for the gateway: during a pause, and while the first read after it runs. */
  isDown(): boolean
  /** Runs a read, also during a pause, and remembers whether it failed. */
  run<T>(read: () => Promise<T>): Promise<T>
}

/**
 * Remembers that the gateway is down, for reads alone: a withdrawal is never refused because another call failed.
 * Unlike a library's breaker it refuses no call, since only the caller knows whether it has stored data to show instead.
 */
export function createCircuit(clock: () => number): Circuit {
  let failures = 0
  let downUntil = 0
  let underWay = 0

  return {
    isDown: () => failures >= FAILURES_TO_OPEN && (clock() < downUntil || underWay > 0),
    async run(read) {
      const began = clock()
      underWay += 1
      try {
        const value = await read()
        failures = 0
        return value
      } catch (error) {
        // A read that began before the pause says nothing new.
        const isNew = failures < FAILURES_TO_OPEN || began >= downUntil
        if (isNew && isGatewayError(error) && isTransient(error)) {
          failures += 1
          const pauses = failures - FAILURES_TO_OPEN
          if (pauses >= 0) downUntil = clock() + (PAUSES_MS[Math.min(pauses, PAUSES_MS.length - 1)] ?? 0)
        }
        throw error
      } finally {
        underWay -= 1
      }
    },
  }
}
