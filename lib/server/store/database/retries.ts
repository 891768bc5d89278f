import { storeFaultOf } from './store-fault.ts'
import type { Lane } from './lanes.ts'

/** Tries after a conflict with another transaction, which has ended by then. */
const CONFLICT_TRIES = 6

/** Each waits for the lane's `lockMs`. Webhooks and jobs set aside what is locked and try it again by themselves. */
const LOCK_TRIES: Readonly<Record<Lane, number>> = { calls: 3, webhooks: 1, jobs: 1, commands: 1 }

function triesFor(error: unknown, lane: Lane): number {
  const fault = storeFaultOf(error)
  if (fault === 'conflict') return CONFLICT_TRIES
  return fault === 'locked' ? LOCK_TRIES[lane] : 1
}

/** Runs a transaction again after a conflict or a wait for a lock; its connection is free for others in between. */
export async function withRetries<T>(lane: Lane, attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt()
    } catch (error) {
      if (tries >= triesFor(error, lane)) throw error
    }
  }
}
