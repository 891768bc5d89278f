import { storeFaultOf } from './store-fault.ts'
import type { Lane } from './lanes.ts'

/** Tries after a conflict with another transaction, which has then ended. */
const CONFLICT_TRIES = 6

/** Each try waits for the lane's `lockMs`. Webhooks and jobs postpone locked work and try again by themselves. */
const LOCK_TRIES: Readonly<Record<Lane, number>> = { calls: 3, webhooks: 1, jobs: 1, commands: 1 }

function triesFor(error: unknown, lane: Lane): number {
  const fault = storeFaultOf(error)
  if (fault === 'conflict') return CONFLICT_TRIES
  return fault === 'locked' ? LOCK_TRIES[lane] : 1
}

/** Repeats a transaction after a conflict or a lock timeout; between tries its connection is free for others. */
export async function withRetries<T>(lane: Lane, attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt()
    } catch (error) {
      if (tries >= triesFor(error, lane)) throw error
    }
  }
}
