import { afterEach, beforeEach, expect, test } from 'vitest'
import { createCircuit } from '../gateway/circuit.ts'
import { OutcomeUnknownError } from '../gateway/errors.ts'
import { openStore, type Store } from '../store/store.ts'
import { createCallBudget } from './call-budget.ts'
import { createVirtualTime, type VirtualTime } from '../jobs/testing/virtual-time.ts'
import { EMPTY_LIST, NO_MERCHANT_LIST } from './testing/user-list.ts'

const START = 1_800_000_000_000

let time: VirtualTime
let store: Store
beforeEach(async () => {
  time = createVirtualTime(START)
  store = await openStore({ url: 'file::memory:', clock: time.clock, deliver: false })
})
afterEach(() => store.close())

/** An instance. All instances together may make `perSecond` calls a second. */
function instance(perSecond: number, fails: (user: string) => boolean = () => false) {
  const calls: { readonly user: string; readonly atMs: number }[] = []
  const circuit = createCircuit(time.clock)
  const budget = createCallBudget({
    gateway: {
      ...NO_MERCHANT_LIST,
      listUserTransactions: (user) => {
        calls.push({ user, atMs: time.clock() - START })
        return fails(user)
          ? Promise.reject(new OutcomeUnknownError('cut', { operation: 'list' }))
          : Promise.resolve(EMPTY_LIST)
      },
    },
    circuit,
    perSecond,
    reserve: (count, everyMs) => store.reconciliation.reserveCalls(count, everyMs),
    clock: time.clock,
    sleep: time.sleep,
  })
  return { budget, calls, circuit }
}

test('two instances keep one common rate, and share it', async () => {
  const both = [instance(50), instance(50)]
  const work = both.map(({ budget }) =>
    Promise.all(Array.from({ length: 500 }, (_item, index) => budget.lists('sweep').listUserTransactions(`u${index}`))),
  )
  await time.run(10_000)
  const counts = both.map(({ calls }) => calls.length)
  expect(counts[0]! + counts[1]!).toBeLessThanOrEqual(10 * 50 + 1)
  expect(counts[0]! + counts[1]!).toBeGreaterThan(10 * 50 - 20)
  expect(Math.min(...counts)).toBeGreaterThan(200)
  await time.until(Promise.all(work))
})

test('the rate is kept after a pause too: unused calls are not saved up', async () => {
  const { budget, calls } = instance(10)
  await time.until(budget.lists('open').listUserTransactions('first'))
  await time.run(60_000)
  const work = Array.from({ length: 20 }, () => budget.lists('open').listUserTransactions('u'))
  await time.run(1000)
  expect(calls.length - 1).toBeLessThanOrEqual(11)
  await time.until(Promise.all(work))
})

test('a clock that is set back while calls are reserved makes no call wait until it has caught up', async () => {
  let aheadMs = 5 * 86_400_000
  const slept: number[] = []
  const budget = createCallBudget({
    gateway: { ...NO_MERCHANT_LIST, listUserTransactions: () => Promise.resolve(EMPTY_LIST) },
    circuit: createCircuit(time.clock),
    perSecond: 50,
    reserve: () => {
      aheadMs = 0
      return Promise.resolve(40)
    },
    clock: () => time.clock() + aheadMs,
    sleep: (ms) => {
      slept.push(ms)
      return Promise.resolve()
    },
  })
  await budget.lists('open').listUserTransactions('u')
  expect(slept).toEqual([40])
})

test('of the waiting calls the higher priority comes first', async () => {
  const { budget, calls } = instance(1)
  const work = (['sweep', 'sweep', 'quarantined', 'open', 'unknown'] as const).map((priority) =>
    budget.lists(priority).listUserTransactions(priority),
  )
  await time.until(Promise.all(work))
  expect(calls.map(({ user }) => user)).toEqual(['unknown', 'open', 'quarantined', 'sweep', 'sweep'])
  expect(calls.at(-1)?.atMs).toBe(4000)
})

test('the list across all users is read after the lists of users, at the same rate', async () => {
  const order: string[] = []
  const budget = createCallBudget({
    gateway: {
      listUserTransactions: (user) => Promise.resolve(void order.push(user)).then(() => EMPTY_LIST),
      listMerchantTransactions: () => Promise.resolve(void order.push('all')).then(() => EMPTY_LIST),
    },
    circuit: createCircuit(time.clock),
    perSecond: 1,
    reserve: (count, everyMs) => store.reconciliation.reserveCalls(count, everyMs),
    clock: time.clock,
    sleep: time.sleep,
  })
  const work = [
    budget.merchantList.listMerchantTransactions(),
    budget.lists('quarantined').listUserTransactions('two'),
    budget.lists('open').listUserTransactions('one'),
  ]
  const began = time.clock()
  await time.until(Promise.all(work))
  expect(order).toEqual(['one', 'two', 'all'])
  expect(time.clock() - began).toBeGreaterThanOrEqual(2000)
})

test('one user’s list that fails repeatedly does not open the circuit; three users’ lists do', async () => {
  const { budget, circuit } = instance(1000, (user) => user !== 'well')
  const ask = (user: string) =>
    time.until(
      budget
        .lists('open')
        .listUserTransactions(user)
        .catch(() => undefined),
    )
  for (let tries = 0; tries < 20; tries += 1) await ask(tries % 2 === 0 ? 'poison' : 'other')
  expect(circuit.isDown()).toBe(false)
  await ask('well')
  for (const user of ['a', 'b', 'c']) await ask(user)
  expect(circuit.isDown()).toBe(true)
})

test('after `close`, waiting and later calls are refused', async () => {
  const { budget } = instance(1)
  await time.until(budget.lists('open').listUserTransactions('u'))
  const waiting = budget.lists('open').listUserTransactions('u')
  const refused = expect(waiting).rejects.toThrow('stopping')
  budget.close()
  await refused
  await expect(budget.lists('open').listUserTransactions('u')).rejects.toThrow('stopping')
})

test('a clock that is set back delays no call by that time', async () => {
  const slept: number[] = []
  let now = START
  const budget = createCallBudget({
    gateway: { ...NO_MERCHANT_LIST, listUserTransactions: () => Promise.resolve(EMPTY_LIST) },
    circuit: createCircuit(() => now),
    perSecond: 50,
    // The time of another machine, which was not set back.
    reserve: () => Promise.resolve(0),
    clock: () => now,
    sleep: (ms) => {
      slept.push(ms)
      return Promise.resolve()
    },
  })
  await budget.lists('unknown').listUserTransactions('u')
  now -= 3_600_000
  await budget.lists('unknown').listUserTransactions('u')
  expect(Math.max(0, ...slept)).toBeLessThan(1000)
})

test('if the database is down, the waiting calls fail, and the next ones try again', async () => {
  let away = true
  const budget = createCallBudget({
    gateway: { ...NO_MERCHANT_LIST, listUserTransactions: () => Promise.resolve(EMPTY_LIST) },
    circuit: createCircuit(time.clock),
    perSecond: 50,
    reserve: () => (away ? Promise.reject(new Error('no database')) : Promise.resolve(0)),
    clock: time.clock,
    sleep: time.sleep,
  })
  await expect(budget.lists('open').listUserTransactions('u')).rejects.toThrow('no database')
  away = false
  expect(await time.until(budget.lists('open').listUserTransactions('u'))).toBe(EMPTY_LIST)
})
