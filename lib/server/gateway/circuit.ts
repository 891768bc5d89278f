import { isGatewayError, type GatewayFailure } from './errors.ts'

/** Failures that mean that the gateway is down, not that it refused. */
const DOWN: ReadonlySet<GatewayFailure> = new Set(['unreachable', 'outcome_unknown', 'unreadable'])

/** For how long it counts as down after one, two, three … failures in a row. */
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
    isDown: () => failures > 0 && (clock() < downUntil || underWay > 0),
    async run(read) {
      underWay += 1
      try {
        const value = await read()
        failures = 0
        return value
      } catch (error) {
        if (isGatewayError(error) && DOWN.has(error.kind)) {
          downUntil = clock() + (PAUSES_MS[Math.min(failures, PAUSES_MS.length - 1)] ?? 0)
          failures += 1
        }
        throw error
      } finally {
        underWay -= 1
      }
    },
  }
}
