/** Adjustments of a user whom another process erases at the same time. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { adjustmentRequest } from '#lib/contract/merchant-requests.ts'
import { checkLedger } from '../store/commands/check-ledger.ts'
import type { Store, Tx } from '../store/types.ts'
import { eraseUser } from '../store/commands/erase-user.ts'
import { watchLocks, type LockWaits } from '../store/testing/hold-lock.ts'
import { sampleCurrency } from '../store/testing/sample-rows.ts'
import { useStores } from '../store/testing/use-stores.ts'
import { createAdjustBalance } from './adjust-balance.ts'

const CURRENCY = { ...sampleCurrency, id: '3f1c2c6e-8a5f-4a51-9a0b-4f3f3a3a7a11' }
const stores = useStores('postgres')

let locks: LockWaits
beforeEach(async () => {
  locks = await watchLocks(stores.url)
  await stores.one.transaction((tx) => tx.currencies.replaceListed([CURRENCY], tx.now))
  await stores.one.users.ensure('u', 0)
})

afterEach(() => locks.end())

const adjust = (store: Store, amount: string, reference: string, requestId: string | null = null) =>
  createAdjustBalance(store, 'embedded', () => Promise.resolve())(
    'u',
    adjustmentRequest.parse({ currency_id: CURRENCY.id, amount, reference }),
    requestId,
  )

/** The store with a pause after each insert of a user's row, and after each load of a unit. */
function paused(store: Store, pauses: { inserted: () => Promise<unknown>; loaded: () => Promise<unknown> }): Store {
  return {
    ...store,
    transaction: (work) =>
      store.transaction((tx) => {
        const users: Tx['users'] = {
          ...tx.users,
          async insertIfMissing(id, now) {
            await tx.users.insertIfMissing(id, now)
            await pauses.inserted()
          },
        }
        const load: Tx['load'] = async (keys) => {
          const unit = await tx.load(keys)
          await pauses.loaded()
          return unit
        }
        return work({ ...tx, users, load })
      }),
  }
}

test('two adjustments of a user whose row is deleted meanwhile are both booked', async () => {
  const [eraser, other] = [await stores.another(), await stores.another()]
  const meanwhile = new Map<string, Promise<unknown>>()
  /** Starts the work of another process once, and continues when it has ended or waits for our lock. */
  const once = async (name: string, work: () => Promise<unknown>): Promise<void> => {
    const running = meanwhile.get(name) ?? work()
    meanwhile.set(name, running)
    await Promise.race([running, locks.waiting(1)])
  }
  const first = paused(stores.one, {
    inserted: () => once('erasure', () => eraseUser(eraser, 'u', 'erased_1', Date.now)),
    loaded: () => once('second', () => adjust(other, '5', 'second')),
  })
  await adjust(first, '10', 'first')
  await Promise.all(meanwhile.values())
  expect(await stores.one.snapshot(checkLedger)).toMatchObject({ ok: true, faults: [], postings: 2 })
})

test('a request leads to the adjustment that it made, and its repetition to nothing', async () => {
  const { one } = stores
  for (const requestId of ['request-1', 'request-2']) await adjust(one, '10', 'order-1', requestId)
  expect(await one.requestEffects.of('request-1')).toMatchObject([
    { kind: 'adjustment', name: 'order-1', user_reference_id: 'u' },
  ])
  expect(await one.requestEffects.of('request-2')).toEqual([])
})
