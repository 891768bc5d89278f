import { isGatewayError, type GatewayFailure } from './errors.ts'

/** Failures that say that the gateway is away, not that it said no. */
const AWAY: ReadonlySet<GatewayFailure> = new Set(['unreachable', 'outcome_unknown', 'unreadable'])

/** How long it is taken to be down after that many failures in a row. */
const PAUSES_MS = [2000, 5000, 15_000, 30_000]

export interface Circuit {
  /** True while reads should not wait for the gateway: during a pause, and while the one read after it finds out. */
  isDown(): boolean
  /** Runs a read and remembers how it went. */
  watch<T>(read: () => Promise<T>): Promise<T>
}

/** Remembers that the gateway is down, for reads alone: a withdrawal is never refused for another call's failure. */
export function createCircuit(clock: () => number): Circuit {
  let failures = 0
  let downUntil = 0
  let underWay = 0

  return {
    isDown: () => failures > 0 && (clock() < downUntil || underWay > 0),
    async watch(read) {
      underWay += 1
      try {
        const value = await read()
        failures = 0
        return value
      } catch (error) {
        if (isGatewayError(error) && AWAY.has(error.kind)) {
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
