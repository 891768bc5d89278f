import { setTimeout as sleep } from 'node:timers/promises'
import type { Store } from '../store/types.ts'

const EVERY_MS = 1000
/** A longer outage leaves the work to those who look for interrupted withdrawals. */
const FOR_MS = 3_600_000

/** Does the work in the background once the store answers again. The end of the process, or a fault of the work, ends it. */
export async function keepTrying(store: Pick<Store, 'faultOf'>, work: () => Promise<unknown>): Promise<void> {
  const deadline = performance.now() + FOR_MS
  while (performance.now() < deadline) {
    try {
      await work()
      return
    } catch (error) {
      if (store.faultOf(error) === null) return
    }
    await sleep(EVERY_MS, undefined, { ref: false })
  }
}
