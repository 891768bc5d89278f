import { afterEach, beforeEach, expect, test } from 'vitest'
import { openStore, type Store } from '../store/store.ts'
import { sampleWithdrawal } from '../store/testing/sample-rows.ts'
import { seed } from '../store/testing/seed.ts'
import { createReconcileJob, type ReconcileJobOptions } from './reconcile-job.ts'

let store: Store
let now = 1_000_000
beforeEach(async () => {
  now = 1_000_000
  store = await openStore({ url: 'file::memory:', clock: () => now, deliver: false })
})
afterEach(() => store.close())

const USERS = ['a', 'b', 'c', 'd', 'e', 'f'] as const

function job(more: Partial<ReconcileJobOptions> = {}) {
  const faults: string[] = []
  const made = createReconcileJob({
    store,
    instance: 'one',
    clock: () => now,
    checkUnknown: () => Promise.resolve(1),
    compareUser: () => Promise.resolve(1),
    resume: () => Promise.resolve(),
    onRound: () => undefined,
    onFault: (error, what) => faults.push(`${what}: ${String(error)}`),
    stuckMs: 60_000,
    everyMs: 1000,
    ...more,
  })
  return { ...made, faults }
}

test('a fault with one user holds up no other, and it is not the first of the next round', async () => {
  for (const user of USERS) await store.users.ensure(user, now)
  const compared: string[] = []
  const { runOnce, faults } = job({
    compareUser: async (user) => {
      if (user === 'c') throw new Error('no list')
      compared.push(user)
      await store.users.reconciled(user, now, now + 300_000)
      return 2
    },
  })
  expect(await runOnce()).toEqual({ settled: 0, missedWebhooks: 10, resumed: 0, faults: 1 })
  expect(compared.sort()).toEqual(['a', 'b', 'd', 'e', 'f'])
  expect(faults).toEqual(['compare user: Error: no list'])
  expect((await runOnce())?.faults).toBe(0)
  now += 30_000
  expect((await runOnce())?.faults).toBe(1)
})

test('a list that is slow in coming does not keep the others waiting', async () => {
  for (const user of USERS) await store.users.ensure(user, now)
  let release: (count: number) => void = () => undefined
  const slow = new Promise<number>((resolve) => (release = resolve))
  const compared: string[] = []
  const { runOnce } = job({
    compareUser: async (user) => {
      if (user === 'a') return slow
      compared.push(user)
      if (compared.length === USERS.length - 1) release(0)
      return 1
    },
  })
  expect(await runOnce()).toMatchObject({ missedWebhooks: 5, faults: 0 })
})

test('what a dead process left is resumed, each by itself; what a living one drives is not', async () => {
  await store.users.ensure('u', now)
  await store.leases.take('instance:alive', 'alive', now, now + 15_000)
  const rows = [
    { id: 'w1', driver: 'dead' },
    { id: 'w2', driver: 'alive' },
    { id: 'w3', driver: 'dead' },
  ]
  await seed(store, {
    withdrawals: rows.map((row) =>
      sampleWithdrawal({ ...row, idempotency_key: row.id, step: 'calling', status: 'processing', updated_ms: now }),
    ),
  })
  const resumed: string[] = []
  const { runOnce } = job({
    resume: ({ id }) => {
      resumed.push(id)
      return id === 'w1' ? Promise.reject(new Error('away')) : Promise.resolve()
    },
  })
  expect(await runOnce()).toMatchObject({ resumed: 1, faults: 1 })
  expect(resumed).toEqual(['w1', 'w3'])
  now += 61_000
  await runOnce()
  expect(resumed.slice(2).sort()).toEqual(['w1', 'w2', 'w3'])
})

test('one instance leads, and another once its lease has run out', async () => {
  const [first, second] = [job(), job({ instance: 'two' })]
  expect(await first.runOnce()).not.toBeNull()
  expect(await second.runOnce()).toBeNull()
  now += 16_000
  expect(await second.runOnce()).not.toBeNull()
  expect(await first.runOnce()).toBeNull()
})

test('a wish that comes while the list is being read stays', async () => {
  await store.users.ensure('a', now)
  const { runOnce } = job({
    compareUser: async (user, _, __, parkedMs) => {
      now += 100
      await store.users.scheduleReconciliation(user, now)
      now += 100
      await store.users.reconciled(user, now, null, parkedMs)
      return 0
    },
  })
  await runOnce()
  expect(await store.users.dueForReconciliation(now, 10)).toHaveLength(1)
})
