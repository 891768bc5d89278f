/**
 * The promises of docs/explanation/money.md, "Reconciliation", at full size: the real store and job, and a gateway that
 * takes 100 ms per call.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { STATUSES } from '../gateway/testing/sample-record.ts'
import { createCircuit } from '../gateway/circuit.ts'
import { UnreadableReplyError } from '../gateway/errors.ts'
import type { TransactionsList } from '../gateway/types.ts'
import { openStore, type Store } from '../store/store.ts'
import { sampleTransaction, sampleWithdrawal } from '../store/testing/sample-rows.ts'
import { seed, seedIn } from '../store/testing/seed.ts'
import { createCallBudget } from './call-budget.ts'
import { createCheckUnknownWithdrawals } from './check-unknown-withdrawals.ts'
import { createCheckTotals } from './check-totals.ts'
import { createCompareUser } from './compare-user.ts'
import { createReconcileJob } from './reconcile-job.ts'
import { createVirtualTime, type VirtualTime } from '../jobs/testing/virtual-time.ts'
import { EMPTY_LIST, NO_MERCHANT_LIST } from './testing/user-list.ts'

const START = Date.UTC(2026, 10, 22)
const PER_SECOND = 50

let time: VirtualTime
let store: Store

beforeEach(async () => {
  time = createVirtualTime(START)
  store = await openStore({ url: 'file::memory:', clock: time.clock, deliver: false })
})
afterEach(() => store.close())

const names = (kind: string, count: number) => Array.from({ length: count }, (_item, index) => `${kind}-${index}`)

async function addUsers(users: readonly string[]): Promise<void> {
  await store.transaction(async (tx) => {
    for (const user of users) await tx.users.ensure(user, START)
  })
}

const addOpen = (users: readonly string[]): Promise<void> =>
  store.transaction(async (tx) => {
    for (const [index, user] of users.entries()) {
      // Ages are spread over a day.
      const created_ms = START - ((index * 7919) % 86_000) * 1000
      await seedIn(tx, {
        transactions: [
          sampleTransaction({
            transaction_uuid: `t-${user}`,
            user_reference_id: user,
            status: 'processing',
            created_ms,
          }),
        ],
      })
      await tx.users.scheduleReconciliation(user, START)
    }
  })

const addUnknown = (users: readonly string[]): Promise<void> =>
  seed(store, {
    withdrawals: users.map((user) => {
      const more = { id: `w-${user}`, user_reference_id: user, next_check_ms: START, call_ended_ms: START }
      return sampleWithdrawal({ ...more, status: 'unknown', created_ms: START })
    }),
  })

/** One instance. `failing` gives the error that a user's list throws. */
function instance(failing: (user: string) => Error | null = () => null) {
  const asked = new Map<string, number[]>()
  const times: number[] = []
  const faults: string[] = []
  const listUserTransactions = async (user: string): Promise<TransactionsList> => {
    times.push(time.clock())
    asked.set(user, [...(asked.get(user) ?? []), time.clock()])
    await time.sleep(100)
    const failure = failing(user)
    if (failure !== null) throw failure
    return EMPTY_LIST
  }
  const gateway = { ...NO_MERCHANT_LIST, listUserTransactions, clockOffsetMs: () => 0, statuses: STATUSES }
  const rules = { ledgerMode: 'embedded', ledgerStartMs: 0 } as const
  const checkTotals = createCheckTotals({
    store,
    statuses: STATUSES,
    ...rules,
    overdueMs: 86_400_000,
    clock: time.clock,
  })
  const options = { store, gateway, ...rules, clock: time.clock, absenceMs: 3_600_000, checkTotals }
  const circuit = createCircuit(time.clock)
  const budget = createCallBudget({
    gateway,
    circuit,
    perSecond: PER_SECOND,
    reserve: (count, everyMs) => store.reconciliation.reserveCalls(count, everyMs),
    clock: time.clock,
    sleep: time.sleep,
  })
  const check = createCheckUnknownWithdrawals(options)
  const compare = createCompareUser(options)
  const job = createReconcileJob({
    store,
    instance: 'one',
    clock: time.clock,
    sleep: time.sleep,
    checkUnknown: (user, ids) => check(user, ids, budget.lists('unknown')),
    compareUser: (user) => compare(user, budget.lists(user.priority)),
    merchantList: budget.merchantList,
    statuses: STATUSES,
    ledgerStartMs: 0,
    clockOffsetMs: gateway.clockOffsetMs,
    isAway: () => circuit.isDown(),
    resume: () => Promise.resolve(),
    onRound: () => undefined,
    onFault: (error, what) => faults.push(`${what}: ${String(error)}`),
    stuckMs: 60_000,
    callsPerSecond: PER_SECOND,
    overdueMs: 86_400_000,
    absenceMs: 3_600_000,
  })
  return {
    asked,
    times,
    faults,
    circuit,
    job,
    stop: async () => {
      budget.close()
      await time.until(job.stop())
    },
  }
}

/** The user's longest wait for a call, from the start to the end. */
function longestWait(asked: ReadonlyMap<string, readonly number[]>, user: string): number {
  const times = [START, ...(asked.get(user) ?? []), time.clock()]
  return Math.max(...times.slice(1).map((at, index) => at - (times[index] ?? at)))
}

/** The most calls that began within a second. */
function mostInASecond(times: readonly number[]): number {
  let most = 0
  for (let from = 0, until = 0; until < times.length; until += 1) {
    while ((times[until] ?? 0) - (times[from] ?? 0) >= 1000) from += 1
    most = Math.max(most, until - from + 1)
  }
  return most
}

describe('10,000 users online, 500 of them with something open, 50 with an unknown withdrawal', () => {
  test('each open user is read within 60 s, each unknown withdrawal within 15 s, within the budget', async () => {
    const idle = names('idle', 9450)
    const open = names('open', 500)
    const unknown = names('unknown', 50)
    await addUsers([...idle, ...open, ...unknown])
    await addOpen(open)
    await addUnknown(unknown)
    const { asked, times, faults, job, stop } = instance()
    await time.until(job.start())
    await time.run(100_000)
    expect(faults).toEqual([])
    expect(Math.max(...unknown.map((user) => longestWait(asked, user)))).toBeLessThanOrEqual(15_000)
    expect(Math.max(...open.map((user) => longestWait(asked, user)))).toBeLessThanOrEqual(60_000)
    // A reserved call that was not used at once may come in the next second.
    expect(mostInASecond(times)).toBeLessThanOrEqual(PER_SECOND * 1.2)
    // The rest of the budget goes to users with nothing open: each once, not each minute.
    const idleCalls = idle.map((user) => asked.get(user)?.length ?? 0)
    expect(Math.max(...idleCalls)).toBe(1)
    expect(idleCalls.filter((calls) => calls === 1).length).toBeGreaterThan(1000)
    await stop()
  })
})

test('users whose lists fail delay nobody, and do not open the circuit', async () => {
  const open = names('open', 60)
  const poison = names('poison', 3)
  const unknown = names('unknown', 5)
  await addUsers([...poison, ...open, ...unknown])
  await addOpen([...poison, ...open])
  await addUnknown(unknown)
  const { asked, faults, circuit, job, stop } = instance((user) => {
    if (user === 'poison-0') return new UnreadableReplyError('garbled', { operation: 'list' })
    return user.startsWith('poison') ? new Error('no list') : null
  })
  await time.until(job.start())
  await time.run(180_000)
  expect(Math.max(...unknown.map((user) => longestWait(asked, user)))).toBeLessThanOrEqual(15_000)
  expect(Math.max(...open.map((user) => longestWait(asked, user)))).toBeLessThanOrEqual(60_000)
  expect(circuit.isDown()).toBe(false)
  expect(new Set(faults)).toEqual(new Set(['compare user: Error: no list']))
  expect(await store.reconciliationDelays.countUnreadable()).toBe(1)
  await stop()
})

test('a user on the page is read once a day while webhooks come, and each minute while none come', async () => {
  await addUsers(['here'])
  const webhook = () =>
    seed(store, { webhooks: [{ received_ms: time.clock(), sent_s: 0, body: '{}', outcome: 'applied' }] })
  await webhook()
  const { asked, job, stop } = instance()
  await time.until(job.start())
  const calls = () => asked.get('here')?.length ?? 0
  await time.run(240_000)
  expect(calls()).toBe(1)
  await time.run(240_000)
  expect(calls()).toBeGreaterThanOrEqual(3)
  await webhook()
  await time.run(10_000)
  const before = calls()
  await time.run(280_000)
  expect(calls()).toBe(before)
  await stop()
})
