import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Problem } from '#lib/contract/problems.ts'
import { STATUSES } from '../gateway/testing/sample-record.ts'
import { NewerSchemaError } from '../store/database/schema-guard.ts'
import { openStore, type Store } from '../store/store.ts'
import { sampleWithdrawal } from '../store/testing/sample-rows.ts'
import { changeWithdrawal, seed } from '../store/testing/seed.ts'
import { createReconcileJob, type ReconcileJobOptions } from './reconcile-job.ts'
import { NO_MERCHANT_LIST } from './testing/user-list.ts'
import { createVirtualTime, type VirtualTime } from '../jobs/testing/virtual-time.ts'

const DAY = 86_400_000
const LATER = { inMs: DAY, priority: 'sweep' } as const

let store: Store
let time: VirtualTime
beforeEach(async () => {
  time = createVirtualTime(1_000 * DAY)
  store = await openStore({ url: 'file::memory:', clock: time.clock, deliver: false })
})
afterEach(() => store.close())

const USERS = ['a', 'b', 'c', 'd', 'e', 'f'] as const

function job(more: Partial<ReconcileJobOptions> = {}) {
  const faults: string[] = []
  const compared: string[] = []
  const made = createReconcileJob({
    store,
    instance: 'one',
    clock: time.clock,
    sleep: time.sleep,
    checkUnknown: async (user, ids) => {
      await store.reconcileQueue.checked(user, { atLeastMs: 5000, unreadable: false })
      return ids.length
    },
    compareUser: async ({ user_reference_id: user }) => {
      compared.push(user)
      await store.users.reconciled(user, time.clock(), LATER)
      return 1
    },
    merchantList: NO_MERCHANT_LIST,
    statuses: STATUSES,
    ledgerStartMs: 0,
    clockOffsetMs: () => null,
    isAway: () => false,
    resume: () => Promise.resolve(),
    onRound: () => undefined,
    onFault: (error, what) => faults.push(`${what}: ${String(error)}`),
    stuckMs: 60_000,
    callsPerSecond: 50,
    overdueMs: 86_400_000,
    absenceMs: 3_600_000,
    ...more,
  })
  return { ...made, faults, compared }
}

const addUsers = async (users: readonly string[], atMs = time.clock()): Promise<void> => {
  for (const user of users) await store.users.ensure(user, atMs)
}

test('a fault with one user delays no other, and that user is tried again later', async () => {
  await addUsers(USERS)
  const compared: string[] = []
  const { runOnce, faults } = job({
    compareUser: async ({ user_reference_id: user }) => {
      if (user === 'c') throw new Error('no list')
      compared.push(user)
      await store.users.reconciled(user, time.clock(), LATER)
      return 2
    },
  })
  expect(await runOnce()).toEqual({ settled: 0, missedWebhooks: 10, resumed: 0, faults: 1 })
  expect(compared.sort()).toEqual(['a', 'b', 'd', 'e', 'f'])
  expect(faults).toEqual(['compare user: Error: no list'])
  expect((await runOnce()).faults).toBe(0)
  await time.run(300_000)
  expect((await runOnce()).faults).toBe(1)
})

test('what waits too long is reported by the leader alone, while the gateway is away', async () => {
  await addUsers(['a'])
  await seed(store, {
    withdrawals: [sampleWithdrawal({ user_reference_id: 'a', called_ms: time.clock(), call_ended_ms: time.clock() })],
  })
  const away = { isAway: () => true, overdueMs: 60_000 }
  await store.leases.take('reconcile', 'other', 100_000)
  await time.run(60_000)
  await job(away).runOnce()
  expect(await store.quarantine.countOpen()).toEqual(new Map())
  await store.leases.release('reconcile', 'other')
  expect((await job(away).runOnce()).faults).toBe(0)
  expect(await store.quarantine.countOpen()).toEqual(new Map([['overdue', 1]]))
})

test('the start waits for seconds only while PostgreSQL answers no write', async () => {
  const silent = () => new Promise<never>(() => undefined)
  const { start, stop } = job({
    store: {
      ...store,
      database: { ...store.database, flavour: 'postgres' },
      leases: { ...store.leases, deleteExpired: silent },
    },
  })
  const started = start()
  await time.run(3000)
  await started
  // Its rounds renew the lease.
  await time.run(5000)
  expect(await store.leases.take('reconcile', 'other', 1)).toBe(false)
  await stop()
})

test('a slow list does not delay the others', async () => {
  await addUsers(USERS)
  let release: (count: number) => void = () => undefined
  const slow = new Promise<number>((resolve) => (release = resolve))
  const compared: string[] = []
  const { runOnce } = job({
    compareUser: async ({ user_reference_id: user }) => {
      if (user === 'a') return slow
      compared.push(user)
      await store.users.reconciled(user, time.clock(), LATER)
      if (compared.length === USERS.length - 1) release(1)
      return 1
    },
  })
  expect((await runOnce()).missedWebhooks).toBe(6)
})

test('users with an unknown withdrawal come first, then an open state, then quarantine, then the others', async () => {
  await addUsers(USERS)
  await seed(store, {
    withdrawals: [sampleWithdrawal({ user_reference_id: 'f', status: 'unknown', next_check_ms: time.clock() })],
  })
  await store.users.scheduleReconciliation('e', time.clock(), 'quarantined')
  await store.users.scheduleReconciliation('d', time.clock())
  const order: string[] = []
  const { runOnce } = job({
    callsPerSecond: 1,
    checkUnknown: async (user, ids) => {
      order.push(`${user}: ${ids.join()}`)
      await store.reconcileQueue.checked(user, { atLeastMs: 5000, unreadable: false })
      return 1
    },
    compareUser: async ({ user_reference_id: user, priority }) => {
      order.push(`${user}: ${priority}`)
      await store.users.reconciled(user, time.clock(), LATER)
      return 0
    },
  })
  await runOnce()
  expect(order.slice(0, 3)).toEqual(['f: w1', 'd: open', 'e: quarantined'])
  expect(order.slice(3).sort()).toEqual(['a: sweep', 'b: sweep', 'c: sweep', 'f: sweep'])
})

test('two instances share the users, and no user is read twice', async () => {
  const users = Array.from({ length: 100 }, (_item, index) => `user-${index}`)
  const [one, two] = [job(), job({ instance: 'two' })]
  await one.runOnce()
  await addUsers(users)
  await Promise.all([one.runOnce(), two.runOnce()])
  expect([...one.compared, ...two.compared].sort()).toEqual([...users].sort())
  expect(Math.min(one.compared.length, two.compared.length)).toBeGreaterThan(10)
})

test('a user claimed by an instance that dies is due again when the claim expires', async () => {
  await addUsers(['a'])
  expect(await store.reconcileQueue.claimDue('sweep', 9, 30_000)).toHaveLength(1)
  const { runOnce, compared } = job()
  await runOnce()
  await time.run(29_000)
  await runOnce()
  expect(compared).toEqual([])
  await time.run(6000)
  await runOnce()
  expect(compared).toEqual(['a'])
})

test('withdrawals of a dead process are resumed, each by itself; those of a living one are not', async () => {
  await addUsers(['u'])
  await store.leases.keepAlive('alive', 15_000)
  const rows = [
    { id: 'w1', driver: 'dead' },
    { id: 'w2', driver: 'alive' },
    { id: 'w3', driver: 'dead' },
  ]
  const more = { step: 'calling', status: 'processing', updated_ms: time.clock() } as const
  await seed(store, {
    withdrawals: rows.map((row) => sampleWithdrawal({ ...row, ...more, idempotency_key: row.id })),
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
  await time.run(61_000)
  await runOnce()
  expect(resumed.slice(2).sort()).toEqual(['w1', 'w2', 'w3'])
})

test('a hundred running calls and a hundred that fail do not hide a dead process’s withdrawal', async () => {
  await addUsers(['u'])
  await store.leases.keepAlive('alive', 15_000)
  const more = { step: 'calling', status: 'processing' } as const
  await seed(store, {
    withdrawals: Array.from({ length: 300 }, (_item, number) => {
      const id = `w${number}`
      const driver = number < 150 ? 'alive' : 'dead'
      return sampleWithdrawal({ ...more, id, idempotency_key: id, driver, updated_ms: time.clock() - 1000 + number })
    }),
  })
  const resumed = new Set<string>()
  const { runOnce } = job({
    resume: ({ id }) => {
      resumed.add(id)
      return Promise.reject(new Error('away'))
    },
  })
  await runOnce()
  expect(resumed.size).toBe(100)
  await runOnce()
  expect([...resumed].sort()).toEqual(Array.from({ length: 150 }, (_item, index) => `w${index + 150}`))
})

test('hundreds of withdrawals are resumed without a pause, whatever the other loops report meanwhile', async () => {
  await addUsers(['u'])
  const more = { step: 'calling', status: 'processing', driver: 'dead', updated_ms: time.clock() } as const
  await seed(store, {
    withdrawals: Array.from({ length: 250 }, (_item, number) =>
      sampleWithdrawal({ ...more, id: `w${number}`, idempotency_key: `w${number}` }),
    ),
  })
  let resumed = 0
  const reported: number[] = []
  const started = job({
    resume: async ({ id }) => {
      resumed += 1
      if (resumed > 100) await time.sleep(50)
      await changeWithdrawal(store, id, { step: 'ended' })
    },
    onRound: (counts) => reported.push(counts.resumed),
  })
  await time.until(started.start())
  await time.run(4000)
  expect(resumed).toBe(250)
  await time.until(started.stop())
  expect(reported.filter((count) => count > 0).length).toBeGreaterThan(1)
})

describe('a withdrawal whose wait ends', () => {
  const waiting = (id: string, wait_until_ms: number) =>
    sampleWithdrawal({
      ...{ id, idempotency_key: id, status: 'pending_authorization', step: 'pending', early_decision: 'approve' },
      ...{ review: '["wait_for_new_address"]', wait_until_ms },
    })
  const send = (id: string) =>
    changeWithdrawal(store, id, {
      step: 'calling',
      status: 'processing',
      driver: 'one',
      called_ms: time.clock(),
      updated_ms: time.clock(),
    })

  test('is sent once, by one of two instances, within seconds, and not before', async () => {
    await addUsers(['u'])
    await seed(store, { withdrawals: [waiting('w1', time.clock() + 60_000), waiting('w2', time.clock() + 90_000)] })
    const sent: string[] = []
    const resume = async ({ id }: { readonly id: string }) => {
      sent.push(`${id} ${String(time.clock())}`)
      await send(id)
    }
    const began = time.clock()
    const instances = [job({ resume }), job({ resume, instance: 'two' })]
    await time.until(Promise.all(instances.map((one) => one.start())))
    await time.run(120_000)
    await time.until(Promise.all(instances.map((one) => one.stop())))
    expect(sent.map((one) => one.split(' ')[0])).toEqual(['w1', 'w2'])
    const lateMs = sent.map((one, at) => Number(one.split(' ')[1]) - began - (at === 0 ? 60_000 : 90_000))
    for (const ms of lateMs) {
      expect(ms).toBeGreaterThanOrEqual(0)
      expect(ms).toBeLessThanOrEqual(5000)
    }
  })

  test('while it may not be sent it is tried again every half minute, which is no fault', async () => {
    await addUsers(['u'])
    await seed(store, { withdrawals: [waiting('w1', time.clock())] })
    let tries = 0
    const { runOnce, faults } = job({
      resume: ({ id }) => {
        tries += 1
        if (tries === 3) return send(id)
        return Promise.reject(new Problem(tries === 1 ? 'outcome_unknown' : 'conflict', 'not yet'))
      },
    })
    for (let round = 0; round < 20; round += 1) {
      expect(await runOnce()).toMatchObject({ resumed: 0, faults: 0 })
      await time.run(5000)
    }
    expect([tries, faults]).toEqual([3, []])
  })

  test('goes on at another instance, if the first dies before it is sent', async () => {
    await addUsers(['u'])
    await seed(store, { withdrawals: [waiting('w1', time.clock())] })
    void job({ resume: () => new Promise<never>(() => undefined), instance: 'dead' }).runOnce()
    const sent: string[] = []
    const { runOnce } = job({
      resume: async ({ id }) => {
        sent.push(id)
        await send(id)
      },
    })
    await time.run(1000)
    await runOnce()
    expect(sent).toEqual([])
    await time.run(30_000)
    await runOnce()
    await runOnce()
    expect(sent).toEqual(['w1'])
  })
})

test('an instance resumes its own step that takes too long, whatever other clocks say', async () => {
  await addUsers(['u'])
  const more = { step: 'calling', status: 'processing', idempotency_key: 'k', called_ms: time.clock() } as const
  await seed(store, { withdrawals: [sampleWithdrawal({ ...more, driver: 'one' })] })
  const resumed: string[] = []
  const resume = ({ id }: { id: string }) => Promise.resolve(void resumed.push(id))
  const [own, ahead] = [job({ resume }), job({ resume, instance: 'two', clock: () => time.clock() + 3_600_000 })]
  await own.runOnce()
  await ahead.runOnce()
  expect(resumed).toEqual([])
  await time.run(61_000)
  await own.runOnce()
  expect(resumed).toEqual(['w1'])
})

test('one instance leads, and another once its lease expires', async () => {
  const [first, second] = [job({ instance: 'one' }), job({ instance: 'two' })]
  const leads = async () => (await store.leases.take('reconcile', 'one', 15_000)) || 'another'
  await first.runOnce()
  await second.runOnce()
  expect(await leads()).toBe(true)
  await time.run(16_000)
  await second.runOnce()
  await first.runOnce()
  expect(await leads()).toBe('another')
})

test('an instance whose clock is set back keeps its leases', async () => {
  let setBackMs = 0
  const started = job({ clock: () => time.clock() - setBackMs })
  await time.until(started.start())
  await time.run(1000)
  setBackMs = 60_000
  await time.run(16_000)
  const taken = [await store.leases.take('reconcile', 'two', 1), await store.leases.take('instance:one', 'two', 1)]
  expect(taken).toEqual([false, false])
  await time.until(started.stop())
})

test('within five seconds an idle instance notices that a newer version has upgraded the database', async () => {
  const started = job()
  await time.until(started.start())
  await sql`insert into schema_migrations (name, applied_ms) values ('9999-later', 1)`.execute(store.database.db)
  await time.run(5000)
  await expect(store.users.ensure('u', time.clock())).rejects.toThrow(NewerSchemaError)
  await expect(time.until(started.stop())).rejects.toThrow(NewerSchemaError)
})

test('a request that comes while the list is being read is kept', async () => {
  await addUsers(['a'])
  const { runOnce } = job({
    compareUser: async ({ user_reference_id: user }) => {
      await store.users.scheduleReconciliation(user, time.clock() + 15_000)
      await store.users.reconciled(user, time.clock(), LATER)
      return 0
    },
  })
  await runOnce()
  await time.run(15_000)
  expect(await store.reconcileQueue.claimDue('open', 10, 1)).toHaveLength(1)
})

test('after a downtime of over a minute, not a shorter one, all users seen in 30 days are read once', async () => {
  const users = Array.from({ length: 450 }, (_item, index) => `user-${index}`)
  await addUsers(users, time.clock() - 29 * DAY)
  await addUsers(['gone'], time.clock() - 31 * DAY)
  const first = job()
  await time.until(first.runOnce())
  expect(new Set(first.compared)).toEqual(new Set([...users, 'gone']))
  await time.run(59_000)
  const soon = job({ instance: 'soon' })
  await time.until(soon.runOnce())
  expect(soon.compared).toEqual([])
  await time.run(61_000)
  const late = job({ instance: 'late' })
  await time.until(late.runOnce())
  expect([...late.compared].sort()).toEqual([...users].sort())
})

test('no user is claimed while the gateway is down', async () => {
  await addUsers(USERS)
  let away = true
  const { runOnce, compared } = job({ isAway: () => away })
  await runOnce()
  expect(compared).toEqual([])
  away = false
  await runOnce()
  expect(compared).toHaveLength(6)
})

test('with nothing due the job queries users every 5 s only; a user who becomes due is read at once', async () => {
  // Users on the page are read each minute while no webhooks arrive.
  const away = time.clock() - DAY
  await addUsers(['a'], away)
  const claimDue = vi.fn(store.reconcileQueue.claimDue)
  const started = job({ store: { ...store, reconcileQueue: { ...store.reconcileQueue, claimDue } } })
  await time.until(started.start())
  await time.run(20_000)
  const before = started.compared.length
  claimDue.mockClear()
  await time.run(62_000)
  // Each round has three priorities, and the renewal of the leases causes as many rounds again.
  expect(claimDue.mock.calls.length).toBeLessThanOrEqual(13 * 3 * 2)
  const began = time.clock()
  await addUsers(['b'], away)
  await time.run(50)
  const compared = () => started.compared.slice(before)
  expect(compared()).toEqual(['b'])
  await store.users.scheduleReconciliation('b', began + 2340)
  await time.run(2280)
  expect(compared()).toEqual(['b'])
  await time.run(50)
  expect(compared()).toEqual(['b', 'b'])
  await time.until(started.stop())
})
