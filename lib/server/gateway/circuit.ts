import { isGatewayError, type GatewayError } from './errors.ts'
import { isTransient } from './classify-failure.ts'

/**
 * This many failures in a row open the circuit. Only failures that show an outage of the gateway count: no connection,
 * a timeout, 408, 5xx. An unreadable reply may be due to the data of a single user.
 */
export const FAILURES_TO_OPEN = 3

/** How long the gateway counts as down; each pause is longer, until a read succeeds. */
const PAUSES_MS = [2000, 5000, 15_000, 30_000]
const LONGEST_PAUSE_MS = Math.max(...PAUSES_MS)

export interface Circuit {
  /** True while reads should not wait for the gateway: during a pause, and during the first read after it. */
  isDown(): boolean
  /** Runs a read, even during a pause, and remembers whether it failed. */
  run<T>(read: () => Promise<T>): Promise<T>
}

export interface CircuitOptions {
  /** 3 by default. */
  readonly failuresToOpen?: number
  /** Which failures count; by default those that show an outage of the gateway. */
  readonly counts?: (error: GatewayError) => boolean
}

/**
 * Remembers an outage of the gateway, for reads only: a withdrawal is never refused because another call failed. Unlike
 * the circuit breaker of a library it refuses no call, since only the caller knows whether it can show stored data.
 */
export function createCircuit(
  clock: () => number,
  { failuresToOpen = FAILURES_TO_OPEN, counts = isTransient }: CircuitOptions = {},
): Circuit {
  let failures = 0
  let downUntil = 0
  let underWay = 0

  /** A remaining pause that is longer than the longest pause means that the clock was set back: it does not count. */
  const isBeforeEnd = (time: number): boolean => time < downUntil && downUntil - time <= LONGEST_PAUSE_MS

  return {
    isDown: () => failures >= failuresToOpen && (isBeforeEnd(clock()) || underWay > 0),
    async run(read) {
      const began = clock()
      underWay += 1
      try {
        const value = await read()
        failures = 0
        return value
      } catch (error) {
        // A read that began before the pause adds no new information.
        const isNew = failures < failuresToOpen || !isBeforeEnd(began)
        if (isNew && isGatewayError(error) && counts(error)) {
          failures += 1
          const pauses = failures - failuresToOpen
          if (pauses >= 0) downUntil = clock() + (PAUSES_MS[Math.min(pauses, PAUSES_MS.length - 1)] ?? 0)
        }
        throw error
      } finally {
        underWay -= 1
      }
    },
  }
}

/** How many users with failing lists are remembered. */
const MOST_USERS = 1000

const isListFailure = (error: GatewayError): boolean => isTransient(error) || error.kind === 'unreadable'

/**
 * Circuits for the lists of users: reads of a list that failed do not wait during its pause, while other users' lists
 * are still read. The shared circuit opens for all when the gateway itself is down.
 */
export function createListCircuits(clock: () => number, shared: Circuit) {
  const byUser = new Map<string, Circuit>()

  return {
    isDown: (user: string): boolean => shared.isDown() || byUser.get(user)?.isDown() === true,
    async run<T>(user: string, read: () => Promise<T>): Promise<T> {
      const own = byUser.get(user) ?? createCircuit(clock, { failuresToOpen: 1, counts: isListFailure })
      try {
        const value = await shared.run(() => own.run(read))
        byUser.delete(user)
        return value
      } catch (error) {
        // The last entry of the map is the latest failure.
        byUser.delete(user)
        byUser.set(user, own)
        for (const oldest of byUser.keys()) {
          if (byUser.size <= MOST_USERS) break
          byUser.delete(oldest)
        }
        throw error
      }
    },
  }
}

export type ListCircuits = ReturnType<typeof createListCircuits>
