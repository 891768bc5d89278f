import { isGatewayError, type GatewayFailure } from './errors.ts'
import type { Gateway } from './port.ts'

/** Failures that say that the gateway is away, not that it said no. */
const AWAY: ReadonlySet<GatewayFailure> = new Set(['unreachable', 'outcome_unknown', 'unreadable'])

/** How long it is taken to be down after that many failures in a row. */
const PAUSES_MS = [2000, 5000, 15_000, 30_000]

export interface Circuit {
  /** True while reads should not wait for the gateway. One read after each pause finds out. */
  isDown(): boolean
  /** Runs a read and remembers how it went. */
  watch<T>(read: () => Promise<T>): Promise<T>
}

/** Remembers that the gateway is down, for reads alone: a withdrawal is never refused for another call's failure. */
export function createCircuit(clock: () => number): Circuit {
  let failures = 0
  let downUntil = 0

  return {
    isDown: () => clock() < downUntil,
    async watch(read) {
      try {
        const value = await read()
        failures = 0
        downUntil = 0
        return value
      } catch (error) {
        if (isGatewayError(error) && AWAY.has(error.kind)) {
          downUntil = clock() + (PAUSES_MS[Math.min(failures, PAUSES_MS.length - 1)] ?? 0)
          failures += 1
        }
        throw error
      }
    },
  }
}

/** The reads of a gateway, watched. */
export const watchedReads = (gateway: Gateway, circuit: Circuit) => ({
  listCurrencies: () => circuit.watch(() => gateway.listCurrencies()),
  listUserTransactions: (...args: Parameters<Gateway['listUserTransactions']>) =>
    circuit.watch(() => gateway.listUserTransactions(...args)),
})
