/** Transactions, their events, and the order of the events' numbers, on both databases. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { decimal } from '#lib/contract/money.ts'
import { post } from '../ledger/post-entries.ts'
import type { Store } from './store.ts'
import { watchLocks } from './testing/hold-lock.ts'
import { sampleQuarantined, sampleTransaction } from './testing/sample-rows.ts'
import { seed, seedIn } from './testing/seed.ts'
import { tellDeposit } from './testing/tell-deposit.ts'
import { FLAVOURS } from './testing/test-databases.ts'
import { useStores } from './testing/use-stores.ts'

const addOne = (store: Store, pauseMs = 0): Promise<void> =>
  store.transaction(async (tx) => {
    const unit = await tx.load({ users: ['u'], balances: [['u', 'c1']] })
    if (pauseMs > 0) await sleep(Math.random() * pauseMs)
    const booking = {
      booking: 'adjustment',
      user_reference_id: 'u',
      currency_id: 'c1',
      amount: decimal('0.1'),
    } as const
    post(unit, { ...booking, posting_key: `adjustment:${randomUUID()}` })
    await tx.save(unit)
  })

describe.each(FLAVOURS)('%s', (flavour) => {
  const stores = useStores(flavour, { partitioned: true, deliver: true })

  test('a transaction that throws leaves nothing: no row, no number, no event', async () => {
    const { one } = stores
    await one.users.ensure('u', 0)
    const told: string[][] = []
    one.onCommit((users) => told.push([...users]))
    const failing = one.transaction(async (tx) => {
      await tx.users.ensure('v', 0)
      const unit = await tx.load({ users: ['u'] })
      tellDeposit(unit, 't1', 'processing')
      unit.putTransaction(sampleTransaction())
      await tx.save(unit)
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    await one.unitOfWork({ users: ['u'] }, (unit) => tellDeposit(unit, 't2', 'processing'))
    expect(await one.users.exists('v')).toBe(false)
    expect(await one.transactions.find('deposit', 't1')).toBeNull()
    expect((await one.events.after('u', 0, 9)).map(({ seq }) => seq)).toEqual([1])
    expect((await one.events.feedAfter(0, 9)).map(({ cursor, entity }) => [cursor, entity])).toEqual([
      [1, 'deposit:t2'],
    ])
    expect(told).toEqual([['u']])
  })

  test('numbers continue for each user; balances come last, with only their last state', async () => {
    const { one } = stores
    await one.users.ensure('u', 0)
    await one.users.ensure('v', 0)
    await one.unitOfWork({ users: ['u', 'v'] }, (unit) => {
      unit.outbox.setBalance('u', { currency_id: 'c1', available: '1', held: '0' })
      tellDeposit(unit, 't1', 'processing')
      unit.outbox.setBalance('u', { currency_id: 'c1', available: '2', held: '0' })
      tellDeposit(unit, 't2', 'processing', 'v')
    })
    await one.unitOfWork({ users: ['u'] }, (unit) => tellDeposit(unit, 't1', 'succeeded'))
    const events = await one.events.after('u', 0, 9)
    expect(events.map(({ seq, type }) => [seq, type])).toEqual([
      [1, 'transaction'],
      [2, 'balance'],
      [3, 'transaction'],
    ])
    expect(JSON.parse(events[1]!.data)).toEqual({ currency_id: 'c1', available: '2', held: '0' })
    expect(await one.events.after('u', 2, 9)).toHaveLength(1)
    expect(await one.events.after('u', 0, 2)).toHaveLength(2)
    const at = { u: 2, v: 1, w: 0 }
    expect(await one.events.movedOn(new Map(Object.entries(at)))).toEqual(
      new Map([
        ['u', 3],
        ['w', null],
      ]),
    )
    expect(await one.events.movedOn(new Map())).toEqual(new Map())
    expect(await one.events.bounds('u')).toEqual({ head: 3, floor: 0 })
    expect(await one.events.bounds('w')).toBeNull()
    const feed = await one.events.feedAfter(0, 9)
    expect(feed.map(({ cursor, entity }) => `${cursor} ${entity}`)).toEqual([
      '1 deposit:t1',
      '2 deposit:t2',
      '3 deposit:t1',
    ])
    expect(JSON.parse(feed[0]!.data)).toMatchObject({ user_reference_id: 'u', source: 'webhook' })
    expect((await one.deliveries.counts()).pending).toBe(3)
  })

  test('after commits were lost, a page that has seen more than is left starts over', async () => {
    const { one } = stores
    await one.users.ensure('u', 0)
    await addOne(one)
    const seen = (await one.events.bounds('u'))?.head ?? 0
    await one.transaction((tx) => tx.unseenNumbers.renumberStreams())
    const bounds = await one.events.bounds('u')
    expect(bounds?.head).toBeGreaterThan(seen + 1000)
    const held = [seen, seen + 1, bounds?.head ?? 0].map((seq) => one.events.holds('u', seq))
    expect(await Promise.all(held)).toEqual([true, false, true])
    await addOne(one)
    expect((await one.events.after('u', seen, 9))[0]?.seq).toBe((bounds?.head ?? 0) + 1)
  })

  test('a user without a row gets no event; the feed does', async () => {
    await stores.one.unitOfWork({ users: ['nobody'] }, (unit) => tellDeposit(unit, 't1', 'processing', 'nobody'))
    expect(await stores.one.events.after('nobody', 0, 9)).toEqual([])
    expect(await stores.one.events.feedAfter(0, 9)).toHaveLength(1)
  })

  test('many writers to one user lose no change, and the numbers have no gaps', async () => {
    await stores.one.users.ensure('u', 0)
    const writers = flavour === 'postgres' ? [stores.one, await stores.another(), await stores.another()] : [stores.one]
    await Promise.all(writers.flatMap((store) => Array.from({ length: 30 / writers.length }, () => addOne(store, 5))))
    expect((await stores.one.ledger.balance('u', 'c1')).available).toBe('3')
    const numbers = (await stores.one.events.after('u', 0, 99)).map(({ seq }) => seq)
    expect(numbers).toEqual(Array.from({ length: 30 }, (_item, n) => n + 1))
  })

  test('concurrent transactions of many users do not deadlock', async () => {
    const users = ['a', 'b', 'c', 'd']
    for (const user of users) await stores.one.users.ensure(user, 0)
    const work = Array.from({ length: 24 }, (_item, n) =>
      stores.one.transaction(async (tx) => {
        const some = n % 2 === 0 ? users : users.toReversed()
        const unit = await tx.load({ users: some })
        for (const user of some) tellDeposit(unit, `${n}`, 'processing', user)
        await tx.save(unit)
      }),
    )
    await Promise.all(work)
    expect(await stores.one.events.movedOn(new Map(users.map((user) => [user, 0])))).toEqual(
      new Map(users.map((user) => [user, 24])),
    )
    const cursors = (await stores.one.events.feedAfter(0, 999)).map(({ cursor }) => cursor)
    expect(cursors).toEqual(Array.from({ length: 96 }, (_item, n) => n + 1))
  })

  test('listeners are called after the commit, until they stop listening', async () => {
    const { one } = stores
    await one.users.ensure('u', 0)
    const heads: Promise<number | undefined>[] = []
    const stop = one.onCommit(() => heads.push(one.events.bounds('u').then((bounds) => bounds?.head)))
    await addOne(one)
    await heads[0]
    await one.transaction((tx) => tx.users.markSeen('u', 1))
    await addOne(one)
    stop()
    const heard = await Promise.all(heads)
    await addOne(one)
    expect([heard, heads.length]).toEqual([[1, 2], 2])
  })

  test("another instance's commit can be read at once", async () => {
    const other = await stores.another()
    await other.users.ensure('u', 0)
    expect(await stores.one.users.exists('u')).toBe(true)
  })
})

describe('postgres', () => {
  const stores = useStores('postgres', { partitioned: true })

  test('quarantined events are numbered in the order of their commits, so that a reader misses none', async () => {
    const { one } = stores
    const other = await stores.another()
    const locks = await watchLocks(stores.url)
    const list = async (after: number): Promise<readonly number[]> =>
      (await one.quarantine.list({ reason: null, settled: false, after, limit: 9 })).map(({ id }) => id)
    const rows = { quarantine: [sampleQuarantined()] }
    const second: Promise<void>[] = []
    const seen = await one.transaction(async (tx) => {
      await seedIn(tx, rows)
      second.push(seed(other, rows))
      await Promise.race([...second, locks.waiting(1)])
      return list(0)
    })
    await Promise.all([...second, locks.end()])
    expect([...seen, ...(await list(seen.at(-1) ?? 0))]).toHaveLength(2)
  })

  test('a transaction that conflicts with another is repeated', async () => {
    const { one } = stores
    await one.users.ensure('a', 0)
    await one.users.ensure('b', 0)
    let [runs, holding] = [0, 0]
    let meet = (): void => undefined
    const bothHaveOne = new Promise<void>((resolve) => {
      meet = resolve
    })
    const cross = (first: string, second: string): Promise<void> =>
      one.transaction(async (tx) => {
        runs += 1
        await tx.users.markSeen(first, runs)
        holding += 1
        if (holding === 2) meet()
        await bothHaveOne
        await tx.users.markSeen(second, runs)
      })
    await Promise.all([cross('a', 'b'), cross('b', 'a')])
    expect(runs).toBeGreaterThan(2)
  })
})
