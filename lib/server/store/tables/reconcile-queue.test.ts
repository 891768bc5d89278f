/** Whose list is read next, and by which instance: on both databases, by the database's time. */
import { describe, expect, test, vi } from 'vitest'
import { openStore, type Store } from '../store.ts'
import { sampleTransaction, sampleWithdrawal } from '../testing/sample-rows.ts'
import type { TransactionRow } from '../../ledger/rows.ts'
import { changeWithdrawal, seed } from '../testing/seed.ts'
import { FLAVOURS } from '../testing/test-databases.ts'
import { useStores } from '../testing/use-stores.ts'

const START = 1_800_000_000_000
const HOUR = 3_600_000
const DAY = 24 * HOUR

describe.each(FLAVOURS)('%s', (flavour) => {
  let now = START
  const stores = useStores(flavour, { partitioned: true, clock: () => now, databaseClock: () => now })
  const claimed = async (priority: 'open' | 'quarantined' | 'sweep', limit = 9, store = stores.one) =>
    (await store.reconcileQueue.claimDue(priority, limit, 30_000)).map((user) => user.user_reference_id)

  const use = async (users: readonly string[]): Promise<void> => {
    now = START
    for (const user of users) await stores.one.users.ensure(user, now)
  }

  test('leases: one holder until the lease expires or is released', async () => {
    now = START
    const { leases } = stores.one
    expect(await leases.take('job', 'a', 100)).toBe(true)
    expect(await leases.take('job', 'b', 100)).toBe(false)
    now += 50
    expect(await leases.take('job', 'a', 100)).toBe(true)
    now += 99
    expect(await leases.take('job', 'b', 100)).toBe(false)
    now += 1
    expect(await leases.take('job', 'b', 100)).toBe(true)
    await leases.release('job', 'a')
    expect(await leases.take('job', 'a', 100)).toBe(false)
    await leases.releaseAll('b')
    expect(await leases.take('job', 'a', 100)).toBe(true)
    now += 200
    await leases.keepAlive('x', 100)
    await leases.deleteExpired()
    expect(await leases.take('instance:x', 'y', 100)).toBe(false)
    await leases.deleteAll()
    expect(await leases.take('instance:x', 'y', 100)).toBe(true)
  })

  test('a withdrawal is in flight while no living instance drives or resumes it, oldest first', async () => {
    now = START
    const { leases, withdrawals } = stores.one
    const rows = [
      { id: 'w1', driver: 'alive', updated_ms: now - 9 },
      { id: 'w2', driver: 'dead', updated_ms: now },
      { id: 'w3', driver: null, updated_ms: now - 1 },
      // The clock of the instance that postponed it was ahead.
      { id: 'w4', driver: 'own', called_ms: now - 100, updated_ms: now + 60 },
    ]
    await seed(stores.one, {
      withdrawals: rows.map((row) => sampleWithdrawal({ ...row, step: 'calling', idempotency_key: row.id })),
    })
    await leases.keepAlive('alive', 1000)
    await leases.keepAlive('own', 1000)
    const found = async (stuckSinceMs: number) =>
      (await withdrawals.inFlight(9, { driver: 'own', stuckSinceMs })).map(({ id }) => id)
    expect(await found(now - 100)).toEqual(['w3', 'w2'])
    expect(await found(now - 99)).toEqual(['w3', 'w2', 'w4'])
    expect((await withdrawals.inFlight(1)).map(({ id }) => id)).toEqual(['w3'])
    expect(await leases.takeToResume('w3', 'a', 1000)).toBe(true)
    expect(await leases.takeToResume('w3', 'b', 1000)).toBe(false)
    expect(await found(0)).toEqual(['w2'])
    await leases.resumed('w3')
    expect(await found(0)).toEqual(['w3', 'w2'])
    now += 1000
    expect(await found(0)).toEqual(['w1', 'w3', 'w2', 'w4'])
  })

  test('a claim goes by priority, then longest due first, to one instance, until it ends', async () => {
    await use(['a', 'b', 'c', 'd'])
    const other = await stores.another()
    const { users, reconcileQueue } = stores.one
    await users.scheduleReconciliation('b', now, 'quarantined')
    await users.scheduleReconciliation('c', now + 50)
    await users.scheduleReconciliation('d', now - 50)
    now += 50
    expect(await claimed('open', 1)).toEqual(['d'])
    expect(await claimed('open', 9, other)).toEqual(['c'])
    expect(await claimed('quarantined')).toEqual(['b'])
    expect(await reconcileQueue.claimDue('sweep', 9, 30_000)).toEqual([
      {
        ...{ user_reference_id: 'a', priority: 'sweep', reconciled_ms: null, last_seen_ms: START },
        ...{ whole_ms: null, waits_for_whole: 0, incomplete_for_ms: null },
      },
    ])
    expect(await claimed('sweep')).toEqual([])
    await users.reconciled('d', now, { inMs: 100, priority: 'open' })
    await users.reconciled('c', now, null)
    now += 100
    expect(await claimed('open')).toEqual(['d'])
    await users.reconciliationFailed('d', { inMs: 10, priority: 'sweep' })
    now += 10
    expect(await claimed('sweep')).toEqual(['d'])
    now += DAY
    expect(await claimed('sweep')).toEqual([])
  })

  test('instances that claim at the same time take different users', async () => {
    const all = Array.from({ length: 40 }, (_item, index) => `user-${index}`)
    await use(all)
    const others = [await stores.another(), await stores.another()]
    const taken = await Promise.all(
      [stores.one, ...others].flatMap((store) => [1, 2, 3, 4].map(() => claimed('sweep', 4, store))),
    )
    expect(new Set(taken.flat()).size).toBe(taken.flat().length)
    while (taken.flat().length < all.length) taken.push(await claimed('sweep', 4))
    expect(taken.flat().sort()).toEqual([...all].sort())
  })

  test('a schedule that is set while a list is read stays, with its priority', async () => {
    await use(['a'])
    const { users } = stores.one
    expect(await claimed('sweep')).toEqual(['a'])
    await users.scheduleReconciliation('a', now + 15_000)
    await users.scheduleReconciliation('a', now + 5000, 'quarantined')
    await users.scheduleReconciliation('a', now + 60_000)
    expect(await claimed('open')).toEqual([])
    await users.reconciled('a', now, { inMs: DAY, priority: 'sweep' })
    now += 5000
    expect(await claimed('open')).toEqual(['a'])
  })

  test('the user of a dead instance is due again; a user whose claim is renewed is not', async () => {
    await use(['a', 'b'])
    const { reconcileQueue } = stores.one
    await claimed('sweep')
    now += 20_000
    await reconcileQueue.renew(['b'], 30_000)
    now += 10_000
    await reconcileQueue.requeue()
    expect(await claimed('open')).toEqual(['a'])
    await reconcileQueue.requeue(true)
    expect((await claimed('open')).sort()).toEqual(['a', 'b'])
  })

  test('unknown withdrawals are found when due, even if a wrong clock scheduled them an hour ahead', async () => {
    await use(['a', 'b', 'c'])
    const { reconcileQueue } = stores.one
    const due = { a: now, b: now + 2000, c: now + HOUR }
    await seed(stores.one, {
      withdrawals: Object.entries(due).map(([user, next_check_ms]) =>
        sampleWithdrawal({ id: user, user_reference_id: user, status: 'unknown', next_check_ms }),
      ),
    })
    expect((await reconcileQueue.claimUnknown(9, 30_000)).toSorted()).toEqual(['a', 'c'])
    expect(await reconcileQueue.claimUnknown(9, 30_000)).toEqual([])
    await changeWithdrawal(stores.one, 'a', { next_check_ms: now + 10_000 })
    await reconcileQueue.checked('a', { atLeastMs: 0, unreadable: false })
    await reconcileQueue.checked('c', { atLeastMs: 5000, unreadable: true })
    expect(await stores.one.reconciliationDelays.countUnreadable()).toBe(1)
    now += 9999
    await changeWithdrawal(stores.one, 'c', { status: 'processing' })
    expect(await reconcileQueue.claimUnknown(9, 30_000)).toEqual(['b'])
    now += 1
    expect(await reconcileQueue.claimUnknown(9, 30_000)).toEqual(['a'])
  })

  test('unknown withdrawals are checked even if the clock was set back after the last check', async () => {
    await use(['a'])
    const { reconcileQueue } = stores.one
    await seed(stores.one, {
      withdrawals: [sampleWithdrawal({ id: 'a', user_reference_id: 'a', status: 'unknown', next_check_ms: now })],
    })
    expect(await reconcileQueue.claimUnknown(9, 30_000)).toEqual(['a'])
    await reconcileQueue.checked('a', { atLeastMs: 2000, unreadable: false })
    now -= HOUR
    expect(await reconcileQueue.claimUnknown(9, 30_000)).toEqual(['a'])
  })

  test('calls of all instances together are spaced; a time from a wrong clock is discarded', async () => {
    now = START
    const other = await stores.another()
    const { reconciliation } = stores.one
    expect(await reconciliation.reserveCalls(4, 20)).toBe(0)
    expect(await other.reconciliation.reserveCalls(4, 20)).toBe(80)
    now += 100
    expect(await reconciliation.reserveCalls(1, 20)).toBe(60)
    now += 10_000
    expect(await reconciliation.reserveCalls(1, 0.5)).toBe(0)
    expect(await other.reconciliation.reserveCalls(1, 0.5)).toBe(0.5)
    now -= HOUR
    expect(await reconciliation.reserveCalls(1, 20)).toBe(0)
  })

  test('a downtime of over a minute, or a first start, is stored until all users are scheduled', async () => {
    now = START
    const { reconciliation } = stores.one
    await reconciliation.noteAlive(60_000)
    expect(await reconciliation.catchUpSince()).toBe(START)
    await reconciliation.endCatchUp(START - 1)
    expect(await reconciliation.catchUpSince()).toBe(START)
    await reconciliation.endCatchUp(START)
    now += 60_000
    await reconciliation.noteAlive(60_000)
    expect(await reconciliation.catchUpSince()).toBeNull()
    const downSince = now
    now += 60_001
    await reconciliation.noteAlive(60_000)
    expect(await reconciliation.catchUpSince()).toBe(downSince)
    const downAgainSince = now
    now += 60_001
    await reconciliation.noteAlive(60_000)
    await reconciliation.endCatchUp(downSince)
    expect(await reconciliation.catchUpSince()).toBe(downAgainSince)
  })

  test('users seen since a time are scheduled a few at a time', async () => {
    await use(['a', 'b', 'c', 'd'])
    const { dueUsers, users } = stores.one
    await claimed('sweep')
    for (const [index, user] of ['a', 'b', 'c', 'd'].entries()) {
      await users.markSeen(user, START - index * HOUR)
      await users.reconciled(user, START, { inMs: DAY, priority: 'sweep' })
    }
    const sinceMs = START - 2.5 * HOUR
    const first = await dueUsers.scheduleSeen(sinceMs, null, 2)
    expect(first).toEqual({ last_seen_ms: START - HOUR, user_reference_id: 'b' })
    expect(await dueUsers.scheduleSeen(sinceMs, first, 2)).toBeNull()
    expect((await claimed('sweep')).sort()).toEqual(['a', 'b', 'c'])
  })

  test('waiting users by priority, age of the oldest unknown withdrawal, time of the last webhook', async () => {
    await use(['a', 'b', 'c'])
    const { reconciliationDelays: delays, users } = stores.one
    expect(await delays.oldestWithdrawalMs('unknown')).toBeNull()
    expect(await delays.hasWebhookSince(0)).toBe(false)
    await users.scheduleReconciliation('a', now - 5000)
    const times = { created_ms: START - 60_000, next_check_ms: START - 2000 }
    await seed(stores.one, {
      withdrawals: ['w1', 'w2'].map((id) => sampleWithdrawal({ id, idempotency_key: id, status: 'unknown', ...times })),
      webhooks: [1, 2].map((n) => ({ id: `${n}`, received_ms: n, sent_s: 0, body: '', outcome: 'seen' as const })),
    })
    expect(await delays.waiting()).toEqual([
      { priority: 'unknown', count: 1, oldestMs: 2000 },
      { priority: 'open', count: 1, oldestMs: 5000 },
      { priority: 'quarantined', count: 0, oldestMs: 0 },
      { priority: 'sweep', count: 2, oldestMs: 0 },
    ])
    expect(await delays.oldestWithdrawalMs('unknown')).toBe(START - 60_000)
    expect(await delays.oldestWithdrawalMs('processing')).toBeNull()
    expect([await delays.hasWebhookSince(2), await delays.hasWebhookSince(3)]).toEqual([true, false])
  })

  test('the oldest and the newest open state of a user, at any age', async () => {
    await use(['u'])
    const has = (transaction: Partial<TransactionRow>) =>
      seed(stores.one, { transactions: [sampleTransaction(transaction)] })
    const openSpan = () => stores.one.openStates.span('u')
    await has({ created_ms: 1 })
    expect(await openSpan()).toBeNull()
    await seed(stores.one, { withdrawals: [sampleWithdrawal({ status: 'processing', created_ms: START - DAY })] })
    expect(await openSpan()).toEqual({ oldestMs: START - DAY, newestMs: START - DAY })
    await has({ transaction_uuid: 't2', standing: 'withheld', created_ms: START - 2 * DAY })
    expect(await openSpan()).toEqual({ oldestMs: START - 2 * DAY, newestMs: START - DAY })
    await has({ transaction_uuid: 't3', status: 'other', created_ms: START - 99 * DAY })
    expect(await openSpan()).toEqual({ oldestMs: START - 99 * DAY, newestMs: START - DAY })
    await has({ transaction_uuid: 't4', status: 'processing', created_ms: START })
    expect(await openSpan()).toEqual({ oldestMs: START - 99 * DAY, newestMs: START })
  })
})

describe('instances of one PostgreSQL whose clocks differ', () => {
  const stores = useStores('postgres', { partitioned: true })
  const open = (clock: () => number): Promise<Store> => openStore({ url: stores.url, clock, deliver: false })

  test('after a leader with a clock an hour ahead dies, another takes over when the lease expires', async () => {
    const ahead = await open(() => Date.now() + HOUR)
    expect(await ahead.leases.take('job', 'ahead', 300)).toBe(true)
    await ahead.close()
    await vi.waitFor(async () => expect(await stores.one.leases.take('job', 'other', 300)).toBe(true), { interval: 20 })
  })

  test.each([HOUR, -HOUR])(
    'work that is scheduled by a clock wrong by %s ms is due in time, and not before',
    async (wrong) => {
      const other = await open(() => Date.now() + wrong)
      await other.users.ensure('u', Date.now() + wrong)
      expect(await stores.one.reconcileQueue.claimDue('sweep', 9, 1)).toHaveLength(1)
      await other.users.reconciled('u', 0, { inMs: 300_000, priority: 'open' })
      expect(await stores.one.reconcileQueue.claimDue('open', 9, 1)).toEqual([])
      await other.users.scheduleReconciliation('u', Date.now() + wrong + 200_000)
      expect(await other.reconcileQueue.claimDue('open', 9, 1)).toEqual([])
      await other.users.scheduleReconciliation('u', Date.now() + wrong)
      await other.close()
      expect(await stores.one.reconcileQueue.claimDue('open', 9, 1)).toHaveLength(1)
    },
  )
})
