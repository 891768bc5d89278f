import type { Circuit } from '../gateway/circuit.ts'
import type { WaitingUsers } from '../store/types.ts'
import type { ReadMerchantList } from './scan-merchant-list.ts'
import type { ReadLists } from './scan-user-list.ts'

export type CallPriority = WaitingUsers['priority']

export interface CallBudgetOptions {
  readonly gateway: ReadLists & ReadMerchantList
  /** The circuit of reconciliation alone: open while the gateway is down. */
  readonly circuit: Circuit
  /** `RECONCILE_CALLS_PER_S`. */
  readonly perSecond: number
  /** Reserves calls for this instance; returns the milliseconds until the first of them may be made. */
  readonly reserve: (count: number, everyMs: number) => Promise<number>
  readonly clock: () => number
  readonly sleep: (ms: number) => Promise<void>
}

/** One reservation covers the calls of this time, so that not every call costs a write. */
const RESERVED_MS = 200

const ORDER: readonly CallPriority[] = ['unknown', 'open', 'quarantined', 'sweep']

interface Waiting {
  readonly rank: number
  readonly start: () => void
  readonly fail: (error: unknown) => void
}

export interface CallBudget {
  /** The gateway's lists, each page within the budget; of the waiting calls the higher priority comes first. */
  lists(priority: CallPriority): ReadLists
  /** The list across all users, within the same budget, with the priority of a sweep. */
  readonly merchantList: ReadMerchantList
  /** Refuses the waiting calls and all later calls. */
  close(): void
}

/**
 * Keeps reconciliation within `RECONCILE_CALLS_PER_S`, for all instances together: each reserves the next few calls in
 * the database and makes them at their times.
 */
export function createCallBudget(options: CallBudgetOptions): CallBudget {
  const { gateway, circuit, perSecond, clock, sleep } = options
  const everyMs = 1000 / perSecond
  const batch = Math.max(1, Math.floor(RESERVED_MS / everyMs))
  const waiting: Waiting[] = []
  let reserved: number[] = []
  let seenMs = -Infinity
  let pumping = false
  let closed = false

  /**
   * The time of the next call. Unused past times are dropped: saved up, they would allow a burst. If the clock was set
   * back, all reserved times are dropped.
   */
  const nextTime = async (): Promise<number> => {
    const now = clock()
    reserved = now < seenMs ? [] : reserved.filter((time) => time > now - RESERVED_MS)
    seenMs = now
    if (reserved.length === 0) {
      const inMs = await options.reserve(batch, everyMs)
      // Read afterwards: the clock may have been set meanwhile.
      const first = clock() + inMs
      reserved = Array.from({ length: batch }, (_item, index) => first + index * everyMs)
    }
    return reserved.shift() ?? clock()
  }

  const startNext = async (): Promise<void> => {
    const wait = (await nextTime()) - clock()
    if (wait > 0) await sleep(wait)
    waiting.sort((one, other) => one.rank - other.rank)
    waiting.shift()?.start()
  }

  const pump = async (): Promise<void> => {
    if (pumping) return
    pumping = true
    try {
      while (waiting.length > 0) await startNext()
    } catch (error) {
      for (const { fail } of waiting.splice(0)) fail(error)
    } finally {
      pumping = false
    }
  }

  const turn = (rank: number): Promise<void> =>
    new Promise((start, fail) => {
      if (closed) {
        fail(new Error('reconciliation is stopping'))
        return
      }
      waiting.push({ rank, start, fail })
      void pump()
    })

  /** The lists whose calls failed since the last success: a second failure of the same list is that list's own. */
  const failed = new Set<string>()

  const read = async <T>(list: string, priority: CallPriority, ask: () => Promise<T>): Promise<T> => {
    await turn(ORDER.indexOf(priority))
    if (failed.has(list)) {
      const reply = await ask()
      failed.clear()
      return circuit.run(() => Promise.resolve(reply))
    }
    failed.add(list)
    const reply = await circuit.run(ask)
    failed.clear()
    return reply
  }

  return {
    lists: (priority) => ({
      listUserTransactions: (user, ...query) =>
        read(`user ${user}`, priority, () => gateway.listUserTransactions(user, ...query)),
    }),
    merchantList: {
      listMerchantTransactions: (...query) =>
        read('merchant', 'sweep', () => gateway.listMerchantTransactions(...query)),
    },
    close() {
      closed = true
      for (const { fail } of waiting.splice(0)) fail(new Error('reconciliation is stopping'))
    },
  }
}
