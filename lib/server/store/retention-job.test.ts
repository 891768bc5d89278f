import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { decimal } from '#lib/contract/money.ts'
import { reportUnreadable } from '../ledger/overdue.ts'
import { contentsFaults } from './commands/check-contents.ts'
import { createRetentionJob, type RetentionDays } from './retention-job.ts'
import type { Store, Tx } from './store.ts'
import {
  sampleCall,
  sampleFact,
  sampleListScan,
  sampleQuarantined,
  sampleSession,
  sampleTransaction,
  sampleWithdrawal,
} from './testing/sample-rows.ts'
import { applyOneFact, seed } from './testing/seed.ts'
import { FLAVOURS } from './testing/test-databases.ts'
import { useStores } from './testing/use-stores.ts'
import { openSnapshot } from './tables/snapshot.ts'

const DAY = 86_400_000
const DAYS: RetentionDays = { streamEvents: 7, webhooks: 30, sessions: 30, merchantEvents: 90 }

describe.each(FLAVOURS)('%s', (flavour) => {
  let now = 0
  const stores = useStores(flavour, { partitioned: true, clock: () => now, deliver: true })

  const newJob = (store: Store, options: Partial<Parameters<typeof createRetentionJob>[0]> = {}) =>
    createRetentionJob({
      store,
      days: DAYS,
      sessionMaxMs: 0,
      holder: 'one',
      log: { warn: () => undefined },
      batch: 3,
      pauseMs: 0,
      ...options,
    })

  const tell = async (user: string): Promise<void> => {
    await stores.one.unitOfWork({ users: [] }, (unit) => {
      unit.outbox.addTransaction({
        entity: 'deposit:t1',
        user,
        streamUser: user,
        source: 'webhook',
        event: {
          transaction_uuid: 't1',
          kind: 'deposit',
          status: 'processing',
          amount: '1',
          currency_code: 'USDT',
          network: 'Tron',
          tx_hash: null,
          updated_at: '',
        },
      })
    })
    // Otherwise PostgreSQL numbers it some time after its commit.
    await stores.one.events.number()
  }

  /** The merchant has got all events. */
  const delivered = () => stores.one.database.db.deleteFrom('deliveries').execute()

  const left = async (
    table:
      | 'stream_events'
      | 'webhooks'
      | 'withdrawal_calls'
      | 'sessions'
      | 'launch_tokens'
      | 'merchant_events'
      | 'deliveries',
  ) => (await stores.one.database.db.selectFrom(table).selectAll().execute()).length

  test('the oldest events of a stream are deleted, and a reader that missed them gets a reset', async () => {
    const { one } = stores
    for (const user of ['u', 'v']) await one.users.ensure(user, 0)
    now = 1000 * DAY
    for (let n = 0; n < 7; n += 1) await tell('u')
    await tell('v')
    now += 3 * DAY
    await tell('u')
    now += 5 * DAY
    expect(await newJob(one).runOnce()).toBe(8)
    expect(await one.events.bounds('u')).toEqual({ head: 8, floor: 7 })
    expect(await one.events.bounds('v')).toEqual({ head: 1, floor: 1 })
    expect((await one.events.after('u', 7, 9)).map(({ seq }) => seq)).toEqual([8])
    await tell('v')
    expect((await one.events.after('v', 1, 9)).map(({ seq }) => seq)).toEqual([2])
    expect(await newJob(one).runOnce()).toBe(0)
  })

  test('raw webhooks, sessions and the feed are deleted in time; facts, money and open work stay', async () => {
    const { one } = stores
    now = 1000 * DAY
    await seed(one, { facts: [sampleFact()], transactions: [sampleTransaction()], withdrawals: [sampleWithdrawal()] })
    for (let n = 0; n < 8; n += 1) {
      const body = { sent_s: 1, body: '{}', outcome: 'applied' as const }
      await seed(one, { webhooks: [{ received_ms: now, ...body }], calls: [sampleCall({ started_ms: now - n })] })
      await one.sessions.addSession(sampleSession({ id: `s${n}`, user_reference_id: 'u', created_ms: now }), {
        hash: `h${n}`,
        expires_ms: now + 1,
      })
      await tell('nobody')
    }
    now += 30 * DAY - 7
    expect(await newJob(one).runOnce()).toBe(0)
    now += 8
    expect(await newJob(one, { sessionMaxMs: 31 * DAY }).runOnce()).toBe(16)
    expect([await left('webhooks'), await left('withdrawal_calls'), await left('sessions')]).toEqual([0, 0, 8])
    expect(await newJob(one).runOnce()).toBe(8)
    expect([await left('sessions'), await left('launch_tokens'), await left('deliveries')]).toEqual([0, 0, 8])
    now += 60 * DAY
    await delivered()
    expect(await newJob(one).runOnce()).toBe(8)
    expect(await left('merchant_events')).toBe(0)
    await tell('nobody')
    expect((await one.events.feedAfter(0, 9)).map(({ cursor }) => cursor)).toEqual([9])

    now += 10_000 * DAY
    await newJob(one).runOnce()
    expect(await one.transactions.facts('deposit', 't1')).toHaveLength(1)
    expect(await one.transactions.find('deposit', 't1')).not.toBeNull()
    expect(await one.withdrawals.find('w1')).not.toBeNull()
    expect(await one.users.exists('u')).toBe(true)
  })

  test('while our clock is ahead, or nobody knows its error, nothing is deleted that is not old', async () => {
    const { one } = stores
    now = 1000 * DAY
    await one.users.ensure('u', now)
    await tell('u')
    await delivered()
    now += 400 * DAY
    for (const offset of [-400 * DAY, -311 * DAY, null])
      expect(await newJob(one, { clockOffsetMs: () => offset }).runOnce()).toBe(offset === -311 * DAY ? 1 : 0)
    expect([await left('stream_events'), await left('merchant_events')]).toEqual([0, 1])
    expect(await newJob(one, { clockOffsetMs: () => 400 * DAY }).runOnce()).toBe(1)
    expect(await left('merchant_events')).toBe(0)
  })

  test.each(['the order', 'the deletion'] as const)(
    'an old event that is sent again while it is deleted leaves no delivery without its event: %s is first',
    async (first) => {
      const { one } = stores
      now = 1000 * DAY
      await tell('nobody')
      await delivered()
      now += 100 * DAY
      const other = await stores.another()
      const work = {
        'the order': (tx: Tx) => tx.deliveries.requeue([1]),
        'the deletion': (tx: Tx) => tx.retention.deleteMerchantEvents(now - 90 * DAY, 9),
      }
      const second = first === 'the order' ? 'the deletion' : 'the order'
      const began = Promise.withResolvers<undefined>()
      const goOn = Promise.withResolvers<undefined>()
      const held = one.transaction(async (tx) => {
        await work[first](tx)
        began.resolve(undefined)
        await goOn.promise
      })
      await began.promise
      const waiting = other.transaction(work[second])
      await Promise.race([waiting, sleep(200)])
      goOn.resolve(undefined)
      await Promise.all([held, waiting])
      expect((await openSnapshot(stores.url, (all) => all.contents())).broken.filter(({ count }) => count > 0)).toEqual(
        [],
      )
      expect(await left('deliveries')).toBe(await left('merchant_events'))
    },
  )

  test('what the merchant has got leaves the feed after four days at the earliest', async () => {
    const { one } = stores
    const job = newJob(one, { days: { ...DAYS, merchantEvents: 1 } })
    now = 1000 * DAY
    await tell('nobody')
    await delivered()
    now += 4 * DAY
    expect([await job.runOnce(), await left('merchant_events')]).toEqual([0, 1])
    now += 1
    expect([await job.runOnce(), await left('merchant_events')]).toEqual([1, 0])
  })

  test.each(['pending', 'dead'] as const)(
    'an event whose delivery is %s is never deleted, and keeps no other in the feed',
    async (state) => {
      const { one } = stores
      const { db } = one.database
      now = 1000 * DAY
      for (let n = 0; n < 9; n += 1) await tell('nobody')
      await db.deleteFrom('deliveries').where('cursor', 'not in', [2, 3, 5]).execute()
      await db.updateTable('deliveries').set({ state }).execute()
      now += 400 * DAY
      expect(await newJob(one).runOnce()).toBeGreaterThan(0)
      expect((await db.selectFrom('merchant_events').select('cursor').execute()).map(({ cursor }) => cursor)).toEqual([
        2, 3, 5,
      ])
      expect((await one.feedEpoch.position()).floor).toBe(9)
      expect(contentsFaults(await openSnapshot(stores.url, (snapshot) => snapshot.contents()))).toEqual([])

      await db.deleteFrom('deliveries').where('cursor', '<', 5).execute()
      expect([await newJob(one).runOnce(), await left('merchant_events'), await left('deliveries')]).toEqual([2, 1, 1])
      expect(await one.transaction((tx) => tx.deliveries.requeue([5]))).toBe(1)
      expect((await one.deliveries.due({ fresh: true, limit: 9 })).map(({ cursor }) => cursor)).toEqual([5])
    },
  )

  test("an operator's session is deleted some time after its last use; the operator stays", async () => {
    const { one } = stores
    now = 1000 * DAY
    const times = { created_ms: now, touched_ms: now, ended_ms: null }
    await one.operators.add({
      id: 'o',
      name: 'Ada',
      name_key: 'ada',
      role: 'admin',
      created_ms: now,
      disabled_ms: null,
    })
    for (let n = 0; n < 5; n += 1)
      await one.operators.addSession({ id: `s${n}`, operator_id: 'o', ...times, last_used_ms: now + n })
    now += 30 * DAY + 3
    expect(await newJob(one).runOnce()).toBe(3)
    expect([await one.operators.findSession('s2'), (await one.operators.findSession('s3'))?.session.id]).toEqual([
      null,
      's3',
    ])
    expect((await one.operators.list()).length).toBe(1)
  })

  describe('a line by which a person has credited a deposit by hand', () => {
    const deposit = sampleFact({
      ...{ kind: 'deposit', transaction_uuid: 't1', user_reference_id: 'u', status: 'succeeded' },
      ...{ source: 'reconciliation', amount: decimal('5'), currency_id: 'c1', occurred_at: new Date(0).toISOString() },
    })
    const open = async () => {
      const lines = await stores.one.quarantine.list({ reason: null, settled: false, after: 0, limit: 9 })
      return lines.map(({ id, reason }) => ({ id, reason }))
    }
    const settled = async () =>
      (await stores.one.quarantine.list({ reason: null, settled: true, after: 0, limit: 9 })).length

    /** A person dismisses the open line, and credits the deposit. */
    const creditByHand = async (): Promise<void> => {
      const [line] = await open()
      await stores.one.quarantine.settle(line?.id ?? 0, { by: 'merchant', now })
      const owner = { user_reference_id: 'u', currency_id: 'c1', amount: decimal('5') }
      await seed(stores.one, { bookings: [{ booking: 'adjustment', posting_key: 'adjustment:u:by hand', ...owner }] })
    }

    const come = (reason: 'stale' | 'unknown_user'): Promise<void> => {
      const event = JSON.stringify({ transaction: { status: 'succeeded' } })
      const about = { event_name: 'User Deposit', transaction_uuid: 't1', event }
      return seed(stores.one, { quarantine: [sampleQuarantined({ ...about, reason })] })
    }

    test('about a user who has no session yet is kept until the list brings it: a person is told then', async () => {
      const { one } = stores
      now = DAY / 2
      await one.transaction((tx) => tx.users.insertIfMissing('u', now))
      await come('unknown_user')
      await creditByHand()
      now += 91 * DAY
      await newJob(one).runOnce()
      await one.users.ensure('u', now)
      await applyOneFact(one, deposit, { insertedMs: 0 })
      expect((await one.ledger.balance('u', 'c1')).available).toBe('10')
      expect(await open()).toMatchObject([{ reason: 'contradiction' }])
      await newJob(one).runOnce()
      expect(await settled()).toBe(0)
    })

    test.each<readonly [string, () => Promise<unknown>]>([
      ['about an event that came too late', () => come('stale')],
      [
        'about a list that could not be read',
        async () => {
          await stores.one.users.reconciled('u', null, null, { unreadable: true })
          await stores.one.unitOfWork({ users: ['u'] }, (unit) => {
            reportUnreadable(unit, 'u', now)
          })
        },
      ],
    ])('%s is kept until the list brings it: a person is told then', async (_what, tell) => {
      const { one } = stores
      now = DAY / 2
      await one.users.ensure('u', now)
      await tell()
      await creditByHand()
      now += 31 * DAY
      await newJob(one).runOnce()
      await applyOneFact(one, deposit, { insertedMs: 0 })
      expect((await one.ledger.balance('u', 'c1')).available).toBe('10')
      expect(await open()).toMatchObject([{ reason: 'contradiction' }])

      await one.users.reconciled('u', null, null, { unreadable: false })
      await newJob(one).runOnce()
      expect(await settled()).toBe(0)
    })
  })

  test('a report by which a person has corrected a balance is kept: they are told if it is booked otherwise', async () => {
    const { one } = stores
    now = 1000 * DAY
    const line = (transaction_uuid: string, user_reference_id: string) =>
      sampleQuarantined({ reason: 'contradiction', event_name: 'User Deposit', transaction_uuid, user_reference_id })
    await seed(one, { quarantine: [line('t1', 'u'), line('t2', 'v'), line('t3', 'u')] })
    const owner = { user_reference_id: 'u', currency_id: 'c1', amount: decimal('5') }
    await seed(one, { bookings: [{ booking: 'adjustment', posting_key: 'adjustment:u:by hand', ...owner }] })
    for (const id of [1, 2]) await one.quarantine.settle(id, { by: 'merchant', now })
    await one.quarantine.settle(3, { by: 'system', now })
    now += 400 * DAY
    expect(await newJob(one).runOnce()).toBe(2)
    const left = await one.quarantine.list({ reason: null, settled: true, after: 0, limit: 9 })
    expect(left.map(({ id }) => id)).toEqual([1])
  })

  test('a settled quarantined event is deleted with the raw webhooks of its age, an open one stays', async () => {
    const { one } = stores
    now = 1000 * DAY
    await seed(one, { quarantine: Array.from({ length: 9 }, () => sampleQuarantined()) })
    now += 400 * DAY
    for (let id = 1; id <= 7; id += 1) await one.quarantine.settle(id, { by: 'merchant', now })
    now += 30 * DAY
    expect(await newJob(one).runOnce()).toBe(0)
    now += 1
    expect(await newJob(one).runOnce()).toBe(7)
    const left = await one.quarantine.list({ reason: null, settled: false, after: 0, limit: 9 })
    expect(left.map(({ id }) => id)).toEqual([8, 9])
  })

  test('a scan of a list that nobody continues is deleted after two days, with its records', async () => {
    const { listScans } = stores.one
    for (const user_reference_id of ['u', 'v']) {
      await listScans.addRecords(user_reference_id, ['a', 'b'])
      await listScans.put(sampleListScan({ user_reference_id, updated_ms: user_reference_id === 'u' ? 0 : 1 }))
    }
    now = 2 * DAY
    expect(await newJob(stores.one).runOnce()).toBe(0)
    now += 1
    expect(await newJob(stores.one).runOnce()).toBe(1)
    expect([await listScans.find('u'), await listScans.addRecords('u', ['c'])]).toEqual([null, 1])
    expect([await listScans.find('v'), await listScans.addRecords('v', ['c'])]).toMatchObject([{ cursor: 'a' }, 3])
  })

  test('attempts of deliveries are deleted after seven days, and with their event', async () => {
    const { one } = stores
    const attempt = { attempt: 1, outcome: '204', webhook_id: 'evt_1', signature: 'v1,', body: '{}' }
    const add = (cursor: number | null) =>
      one.deliveryAttempts.recordTest({ ...attempt, cursor, began_ms: now - 25, ended_ms: now })
    now = 1000 * DAY
    for (let n = 0; n < 2; n += 1) await tell('u')
    for (const cursor of [null, 1, 1, 1, 2]) await add(cursor)
    now += 7 * DAY
    await add(2)
    expect(await newJob(one).runOnce()).toBe(0)
    now += 1
    expect(await newJob(one, { days: { ...DAYS, streamEvents: 90 } }).runOnce()).toBe(5)
    expect((await one.deliveryAttempts.of(2)).map(({ id }) => id)).toEqual([6])
    await delivered()
    expect(await newJob(one, { days: { ...DAYS, streamEvents: 90, merchantEvents: 7 } }).runOnce()).toBe(2)
    expect(await one.deliveryAttempts.of(2)).toEqual([])
  })

  test('a view of deliveries is deleted a day after its token', async () => {
    const { deliveryViews } = stores.one
    now = 1000 * DAY
    await deliveryViews.add({ token_hash: 'a', expires_ms: now })
    await deliveryViews.begin('a', 'session', now - 1)
    now += DAY
    expect([await newJob(stores.one).runOnce(), await deliveryViews.begunMs('session')]).toEqual([0, now - DAY - 1])
    now += 1
    expect([await newJob(stores.one).runOnce(), await deliveryViews.begunMs('session')]).toEqual([1, null])
  })

  test('one instance deletes at a time, and releases its lease when it stops', async () => {
    const { one } = stores
    now = 1000 * DAY
    await seed(one, { webhooks: [{ received_ms: 0, sent_s: 1, body: '{}', outcome: 'applied' }] })
    await one.leases.take('retention', 'other', 60_000)
    const job = newJob(one)
    expect(await job.runOnce()).toBe(0)
    await one.leases.release('retention', 'other')
    job.start()
    while ((await left('webhooks')) > 0) await new Promise((resolve) => setTimeout(resolve, 5))
    await job.stop()
    expect(await one.leases.take('retention', 'other', 1)).toBe(true)
  })
})
