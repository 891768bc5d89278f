/** A database server whose clock was an hour ahead has died with an instance, and another has taken its place. */
import { beforeEach, describe, expect, test } from 'vitest'
import { sampleFact, sampleWithdrawal } from '../testing/sample-rows.ts'
import { applyOneFact, seed } from '../testing/seed.ts'
import { FLAVOURS } from '../testing/test-databases.ts'
import { useStores } from '../testing/use-stores.ts'

const START = Date.UTC(2026, 10, 20)
const HOUR = 3_600_000

describe.each(FLAVOURS)('on %s', (flavour) => {
  let now = START
  const stores = useStores(flavour, { clock: () => START, databaseClock: () => now, deliver: true })
  beforeEach(() => {
    now = START + HOUR
  })

  test('a lease', async () => {
    const { leases } = stores.one
    expect(await leases.take('job', 'dead', 60_000)).toBe(true)
    await leases.keepAlive('dead', 15_000)
    await leases.showDelivery('dead', 15_000)
    now -= 30_000
    expect([await leases.take('job', 'other', 60_000), await leases.liveInstances()]).toEqual([false, ['dead']])
    now = START
    expect([await leases.liveInstances(), await leases.areDelivering()]).toEqual([[], false])
    expect(await leases.take('job', 'other', 60_000)).toBe(true)
    expect(await leases.take('job', 'dead', 60_000)).toBe(false)
  })

  test('the call of a withdrawal', async () => {
    const { one } = stores
    await one.users.ensure('u', START)
    await seed(one, {
      withdrawals: [sampleWithdrawal({ step: 'calling', status: 'processing', driver: 'dead', called_ms: START })],
    })
    await one.leases.keepAlive('dead', 15_000)
    const ids = async () => (await one.withdrawals.inFlight(9)).map(({ id }) => id)
    expect(await ids()).toEqual([])
    now = START
    expect(await ids()).toEqual(['w1'])
  })

  test('a user whose list was being read', async () => {
    const { one } = stores
    await one.users.ensure('u', START)
    const claim = () => one.reconcileQueue.claimDue('open', 1, 30_000)
    await one.dueUsers.scheduleAsOpen(['u'])
    expect(await claim()).toHaveLength(1)
    now = START
    await one.reconcileQueue.requeue()
    expect(await claim()).toHaveLength(1)
  })

  test('an event that was being delivered', async () => {
    const { one } = stores
    await one.users.ensure('u', START)
    await applyOneFact(one, sampleFact({ status: 'processing' }))
    await one.events.number()
    const due = async () => (await one.deliveries.due({ fresh: true, limit: 1 })).map(({ cursor }) => cursor)
    expect(await one.deliveries.claim(await due(), 'dead', 20_000)).toEqual(new Set([1]))
    now = START
    await one.deliveries.endLongWaits()
    expect(await one.deliveries.claim(await due(), 'other', 20_000)).toEqual(new Set([1]))
  })
})
