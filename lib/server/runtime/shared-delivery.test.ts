/** Two instances, of which one alone has `MERCHANT_WEBHOOK_URL`. */
import { describe, expect, test } from 'vitest'
import { STATUSES } from '../gateway/testing/sample-record.ts'
import { createReconcileJob } from '../reconcile/reconcile-job.ts'
import { NO_MERCHANT_LIST } from '../reconcile/testing/user-list.ts'
import { openStore, type Store } from '../store/store.ts'
import { sampleFact } from '../store/testing/sample-rows.ts'
import { applyOneFact } from '../store/testing/seed.ts'
import { FLAVOURS } from '../store/testing/test-databases.ts'
import { useStores } from '../store/testing/use-stores.ts'

const START = Date.UTC(2026, 10, 1)

describe.each(FLAVOURS)('%s', (flavour) => {
  let now = START
  const stores = useStores(flavour, { clock: () => now, databaseClock: () => now })

  /** What an instance does every few seconds while it is alive. */
  const live = (store: Store, instance: string) =>
    createReconcileJob({
      ...{ store, instance, clock: () => now, sleep: () => Promise.resolve() },
      ...{ checkUnknown: () => Promise.resolve(0), compareUser: () => Promise.resolve(0) },
      ...{ merchantList: NO_MERCHANT_LIST, statuses: STATUSES, ledgerStartMs: 0, clockOffsetMs: () => null },
      ...{ isAway: () => true, resume: () => Promise.resolve(), onRound: () => undefined, onFault: () => undefined },
      ...{ stuckMs: 60_000, callsPerSecond: 1, overdueMs: 86_400_000, absenceMs: 3_600_000 },
    }).runOnce()

  test('the events of the other are delivered, too, while an instance lives that delivers', async () => {
    const { one: other } = stores
    const delivering = await openStore({ url: stores.url, clock: () => now, databaseClock: () => now, deliver: true })
    const pending = async (): Promise<number> => {
      await other.events.number()
      return (await other.deliveries.counts()).pending
    }
    const tell = (uuid: string) => applyOneFact(other, sampleFact({ transaction_uuid: uuid, status: 'succeeded' }))
    try {
      await live(delivering, 'delivering')
      await live(other, 'other')
      await tell('d1')
      expect(await pending()).toBe(1)
      now += 60_000
      await live(other, 'other')
      await tell('d2')
      expect(await pending()).toBe(1)
    } finally {
      await delivering.close()
    }
  })
})
