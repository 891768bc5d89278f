import { isGatewayError, type GatewayError } from './errors.ts'
import { isTransient } from './classify-failure.ts'

/**
 * So many failures in a row open it. Only those count that show that the gateway is away: no connection, a timeout, 408,
 * 5xx. A reply that cannot be read may be one user's own fault.
 */
export const FAILURES_TO_OPEN = 3

/** For how long it counts as down, each time longer until a read succeeds. */
const PAUSES_MS = [2000, 5000, 15_000, 30_000]
const LONGEST_PAUSE_MS = Math.max(...PAUSES_MS)

export interface Circuit {
  /** True while reads should not wait for the gateway: during a pause, and while the first read after it runs. */
  isDown(): boolean
  /** Runs a read, also during a pause, and remembers whether it failed. */
  run<T>(read: () => Promise<T>): Promise<T>
}

export interface CircuitOptions {
  /** 3 by default. */
  readonly failuresToOpen?: number
  /** Which failures count; by default those that show that the gateway is away. */
  readonly counts?: (error: GatewayError) => boolean
}

/**
 * Remembers that the gateway is down, for reads alone: a withdrawal is never refused because another call failed.
 * Unlike a library's breaker it refuses no call, since only the caller knows whether it has stored data to show instead.
 */
export function createCircuit(
  clock: () => number,
  { failuresToOpen = FAILURES_TO_OPEN, counts = isTransient }: CircuitOptions = {},
): Circuit {
  let failures = 0
  let downUntil = 0
  let underWay = 0

  /** A pause that would last longer than any was begun by a clock that has been set back since. */
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
        // A read that began before the pause says nothing new.
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

/** Users whose lists are remembered as failing. */
const MOST_USERS = 1000

const isListFailure = (error: GatewayError): boolean => isTransient(error) || error.kind === 'unreadable'

/**
 * For the lists of users: one whose list failed does not wait for it again during the pause, and the others ask on. The
 * shared circuit opens for all once the gateway itself is away.
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
        // The last in the map is the last that failed.
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
