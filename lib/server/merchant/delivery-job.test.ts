import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { createRetentionJob } from '../store/retention-job.ts'
import { openStore, type Store } from '../store/store.ts'
import { FLAVOURS, newTestDatabase, type TestDatabase } from '../store/testing/test-databases.ts'
import { createDeliveryJob, type DeliveryJob, type DeliveryJobOptions } from './delivery-job.ts'
import { createFeedCursors, feedCursor } from './feed-cursor.ts'
import { createListMerchantEvents } from './events-feed.ts'
import { createRedeliver } from './redeliver.ts'

const SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
const START = Date.UTC(2026, 0, 1)

interface Sent {
  readonly id: string
  readonly uuid: string
  readonly status: string
  readonly body: string
  readonly headers: Record<string, string>
  readonly atMs: number
}

describe.each(FLAVOURS)('on %s', (flavour) => {
  let database: TestDatabase
  let store: Store
  let now = START
  let sent: Sent[] = []
  const jobs: DeliveryJob[] = []
  const stores: Store[] = []

  /** The merchant's endpoint: its answer depends on the event. */
  let answer: (event: Sent) => Response | Promise<Response>
  const endpoint = async (_url: unknown, init?: RequestInit): Promise<Response> => {
    const body = init?.body as string
    const { data } = JSON.parse(body) as { data: { transaction_uuid: string; status: string } }
    const headers = init?.headers as Record<string, string>
    const event = {
      id: headers['webhook-id'] ?? '',
      uuid: data.transaction_uuid,
      status: data.status,
      body,
      headers,
      atMs: now,
    }
    sent.push(event)
    return answer(event)
  }

  const newJob = (options: Partial<DeliveryJobOptions> = {}): DeliveryJob => {
    const job = createDeliveryJob({
      store,
      url: 'http://merchant.test/hook',
      secrets: [SECRET],
      fetch: endpoint,
      clock: () => now,
      random: () => 0,
      holder: 'one',
      log: { warn: () => undefined },
      ...options,
    })
    jobs.push(job)
    return job
  }

  /** An instance that has claimed its delivery and waits for the merchant's answer, until `end` gives it. */
  const newWaitingJob = async (): Promise<{ end: () => Promise<void> }> => {
    const begun = Promise.withResolvers<undefined>()
    const reply = Promise.withResolvers<Response>()
    const fetch = () => {
      begun.resolve(undefined)
      return reply.promise
    }
    const running = newJob({ fetch }).runOnce()
    await begun.promise
    expect(await store.deliveries.nextDueInMs()).toBe(15_000)
    return {
      end: async () => {
        reply.resolve(new Response(null, { status: 204 }))
        await running
      },
    }
  }

  const happen = (uuid: string, status: string, amount = '1'): Promise<void> =>
    store.unitOfWork({ users: [] }, (unit) => {
      unit.outbox.addTransaction({
        entity: `deposit:${uuid}`,
        user: 'u',
        streamUser: null,
        source: 'webhook',
        event: {
          transaction_uuid: uuid,
          kind: 'deposit',
          status,
          amount,
          currency_code: 'BTC',
          network: 'Bitcoin',
          tx_hash: null,
          updated_at: '2026-01-01T00:00:00.000Z',
        },
      })
    })

  const deliveredEvents = (): string[] => sent.map(({ uuid, status }) => `${uuid} ${status}`)

  beforeEach(async () => {
    database = await newTestDatabase(flavour, inject('postgresUrl'))
    store = await openStore({ url: database.url, clock: () => now, databaseClock: () => now, deliver: true })
    stores.push(store)
    now = START
    sent = []
    answer = () => new Response(null, { status: 204 })
  })

  afterEach(async () => {
    await Promise.all(jobs.splice(0).map((job) => job.stop()))
    await Promise.all(stores.splice(0).map((opened) => opened.close()))
    await database.remove()
  })

  test('each state change is delivered once, signed, with the data of the feed', async () => {
    await happen('a', 'processing', '0.000000000000000001')
    await happen('a', 'succeeded')
    const job = newJob()
    expect(await job.runOnce()).toBe(2)
    expect(await job.runOnce()).toBe(0)
    expect(deliveredEvents()).toEqual(['a processing', 'a succeeded'])
    const feed = await createListMerchantEvents(store, createFeedCursors(store))({ after: null, limit: 10 })
    vi.setSystemTime(now)
    const bodies = sent.map(({ body, headers }) => new Webhook(SECRET).verify(body, headers))
    vi.useRealTimers()
    expect(bodies).toEqual(
      feed.events.map(({ type, created_at, cursor, data }) => ({ type, timestamp: created_at, cursor, data })),
    )
    expect(new Set(sent.map(({ id }) => id)).size).toBe(2)
    expect(sent[0]?.body).toContain('"amount":"0.000000000000000001"')
  })

  test('what failed while the clock was a year ahead is sent again once the clock is right', async () => {
    now = START + 365 * 86_400_000
    for (const status of ['processing', 'succeeded']) await happen('a', status)
    const job = newJob()
    answer = () => new Response(null, { status: 500 })
    await job.runOnce()
    answer = () => new Response(null, { status: 200 })
    now = START
    await job.runOnce()
    expect(deliveredEvents()).toEqual(['a processing', 'a processing', 'a succeeded'])
  })

  test('a failed delivery is retried under the same id, and delays only its own transaction', async () => {
    await happen('a', 'processing')
    await happen('b', 'processing')
    await happen('a', 'succeeded')
    await happen('b', 'succeeded')
    answer = ({ uuid }) => new Response(null, { status: uuid === 'a' && now < START + 30_000 ? 500 : 200 })
    const job = newJob()
    await job.runOnce()
    expect(deliveredEvents().filter((line) => line.startsWith('b'))).toEqual(['b processing', 'b succeeded'])
    expect(deliveredEvents().filter((line) => line.startsWith('a'))).toEqual(['a processing'])
    now = START + 4999
    expect(await job.runOnce()).toBe(0)
    now = START + 5000
    expect(await job.runOnce()).toBe(1)
    now = START + 35_000
    expect(await job.runOnce()).toBe(2)
    const ofA = sent.filter(({ uuid }) => uuid === 'a')
    expect(ofA.map(({ status }) => status)).toEqual(['processing', 'processing', 'processing', 'succeeded'])
    expect(new Set(ofA.slice(0, 3).map(({ id, body }) => id + body)).size).toBe(1)
    expect(ofA[3]?.id).not.toBe(ofA[2]?.id)
  })

  test('after a restore the same change has the same id, and different changes have different ids', async () => {
    const statuses = ['processing', 'unknown', 'processing', 'succeeded']
    for (const status of statuses) await happen('a', status)
    await happen('b', 'processing')
    await newJob().runOnce()
    const before = sent.splice(0).filter(({ uuid }) => uuid === 'a')
    expect(new Set(before.map(({ id }) => id)).size).toBe(4)

    const { db } = store.database
    await db.deleteFrom('merchant_events').where('cursor', '>', 1).execute()
    await db.updateTable('counters').set({ value: 1 }).execute()
    await store.feedEpoch.startEpoch((await store.feedEpoch.position()).epoch)
    now += 5_000_000
    await happen('c', 'processing')
    for (const status of statuses.slice(1)) await happen('a', status, '1.0')
    await newJob({ holder: 'two' }).runOnce()
    const again = sent.filter(({ uuid }) => uuid === 'a')
    expect(again.map(({ id }) => id)).toEqual(before.slice(1).map(({ id }) => id))
    expect(again.map(({ body }) => body)).not.toEqual(before.slice(1).map(({ body }) => body))
  })

  test.each([
    { what: 'a redirect', fault: () => new Response(null, { status: 302, headers: { location: 'http://x.test/' } }) },
    { what: 'no connection', fault: () => Promise.reject<Response>(new TypeError('fetch failed')) },
  ])('$what is a failure', async ({ fault }) => {
    await happen('a', 'processing')
    answer = fault
    await newJob().runOnce()
    expect(await store.deliveries.counts()).toMatchObject({ pending: 1, dead: 0, oldestMs: START })
  })

  test('after three days a delivery is dead and the next one follows; any delivery can be sent again', async () => {
    await happen('a', 'processing')
    await happen('a', 'succeeded')
    let refuses = 'processing'
    answer = ({ status }) => new Response(null, { status: status === refuses ? 500 : 200 })
    const outcomes: string[] = []
    const job = newJob({ onOutcome: (outcome) => outcomes.push(outcome) })
    for (; now <= START + 73 * 3600_000; now += 3600_000) await job.runOnce()
    expect(deliveredEvents().at(-1)).toBe('a succeeded')
    expect(outcomes.at(-2)).toBe('dead')
    expect(sent.at(-2)?.atMs).toBe(START + 72 * 3600_000)
    expect(await store.deliveries.counts()).toEqual({ pending: 0, dead: 1, oldestMs: null })

    const { epoch } = await store.feedEpoch.position()
    const cursors = createFeedCursors(store)
    const redeliver = createRedeliver({ store, cursors, enabled: true, clock: () => now })
    refuses = ''
    sent = []
    expect(await redeliver({ dead: true })).toEqual({ queued: 1 })
    expect(await redeliver({ dead: true })).toEqual({ queued: 0 })
    await job.runOnce()
    expect(deliveredEvents()).toEqual(['a processing'])
    expect(await redeliver({ cursors: [feedCursor(epoch, 2), feedCursor(epoch, 2)] })).toEqual({ queued: 1 })
    await job.runOnce()
    expect(deliveredEvents()).toEqual(['a processing', 'a succeeded'])
    expect(await store.deliveries.counts()).toMatchObject({ pending: 0, dead: 0 })
    await expect(redeliver({ cursors: ['0123-2'] })).rejects.toMatchObject({ code: 'cursor_lost' })
  })

  test('an event that waited behind a dead one is delivered, however short the feed is kept', async () => {
    const hour = 3_600_000
    await happen('a', 'processing')
    await happen('a', 'succeeded')
    const job = newJob()
    const retention = createRetentionJob({
      store,
      days: { streamEvents: 1, webhooks: 1, sessions: 1, merchantEvents: 1 },
      sessionMaxMs: 0,
      holder: 'one',
      log: { warn: () => undefined },
      pauseMs: 0,
    })
    answer = () => new Response(null, { status: now < START + 110 * hour ? 500 : 204 })
    for (; now <= START + 144 * hour; now += hour) {
      await job.runOnce()
      await retention.runOnce()
    }
    expect(await store.deliveries.counts()).toMatchObject({ pending: 0, dead: 1 })
    expect(sent.at(-1)).toMatchObject({ uuid: 'a', status: 'succeeded' })
    const redeliver = createRedeliver({ store, cursors: createFeedCursors(store), enabled: true, clock: () => now })
    sent = []
    expect(await redeliver({ dead: true })).toEqual({ queued: 1 })
    await job.runOnce()
    expect(deliveredEvents()).toEqual(['a processing'])
  })

  test('a merchant that hangs on many events does not delay the others', async () => {
    for (let n = 0; n < 40; n += 1) await happen(`bad${n}`, 'processing')
    answer = () => new Response(null, { status: 500 })
    const job = newJob({ pollMs: 20 })
    await job.runOnce()
    now += 5000
    sent = []
    const hanging = Promise.withResolvers<Response>()
    onTestFinished(() => hanging.resolve(new Response(null, { status: 200 })))
    answer = ({ uuid }) => (uuid.startsWith('bad') ? hanging.promise : new Response(null, { status: 200 }))
    job.start()
    await vi.waitFor(() => expect(sent.length).toBeGreaterThan(0))
    for (let n = 0; n < 20; n += 1) await happen(`good${n}`, 'processing')
    await vi.waitFor(() => expect(sent.filter(({ uuid }) => uuid.startsWith('good'))).toHaveLength(20))
    expect(sent.filter(({ uuid }) => uuid.startsWith('bad'))).toHaveLength(8)
    hanging.resolve(new Response(null, { status: 200 }))
    await vi.waitFor(async () => expect((await store.deliveries.counts()).pending).toBe(0))
  })

  test('a delivery that was sent while due deliveries were read is not sent again', async () => {
    const slowly = async (...args: Parameters<Store['deliveries']['due']>) => {
      const due = await store.deliveries.due(...args)
      await sleep(20)
      return due
    }
    newJob({ store: { ...store, deliveries: { ...store.deliveries, due: slowly } }, pollMs: 5 }).start()
    for (let n = 0; n < 40; n += 1) await happen(`e${n}`, 'processing')
    await vi.waitFor(async () => expect((await store.deliveries.counts()).pending).toBe(0))
    expect(deliveredEvents().sort()).toEqual(Array.from({ length: 40 }, (_item, n) => `e${n} processing`).sort())
  })

  test('deliveries behind a failing delivery are not read again and again', async () => {
    answer = () => new Response(null, { status: 500 })
    for (let n = 0; n < 5; n += 1) await happen('a', `state${n}`)
    await newJob().runOnce()
    now += 2000
    await newJob().runOnce()
    const rows = await store.database.db
      .selectFrom('deliveries')
      .select(['cursor', 'next_ms'])
      .orderBy('cursor')
      .execute()
    expect(rows.filter(({ next_ms }) => next_ms < START + 5000)).toEqual([])
    expect(rows).toHaveLength(5)
  })

  test('two instances share the work: no delivery twice, in order within a transaction', async () => {
    const other = await openStore({ url: database.url, clock: () => now, databaseClock: () => now, deliver: true })
    stores.push(other)
    const entities = Array.from({ length: 30 }, (_item, n) => `e${n}`)
    for (const status of ['processing', 'unknown', 'succeeded']) for (const uuid of entities) await happen(uuid, status)
    const by = new Map<string, number>()
    const from = (holder: string, opened: Store): DeliveryJob => {
      const send: typeof fetch = async (url, init) => {
        by.set(holder, (by.get(holder) ?? 0) + 1)
        await sleep(Math.random() * 5)
        return endpoint(url, init)
      }
      return newJob({ store: opened, holder, fetch: send, pollMs: 20 })
    }
    for (const job of [from('one', store), from('two', other)]) job.start()
    await vi.waitFor(async () => expect((await store.deliveries.counts()).pending).toBe(0))
    for (const uuid of entities)
      expect(sent.filter((event) => event.uuid === uuid).map(({ status }) => status)).toEqual([
        'processing',
        'unknown',
        'succeeded',
      ])
    expect([...by.keys()].sort()).toEqual(['one', 'two'])
  })

  test('an instance that died while sending keeps its deliveries for 15 seconds', async () => {
    await happen('a', 'processing')
    await happen('a', 'succeeded')
    // On PostgreSQL they are numbered after their commits.
    await vi.waitFor(async () => expect((await store.deliveries.counts()).pending).toBe(2))
    const dead = await newWaitingJob()
    const second = newJob({ holder: 'two' })
    now += 14_999
    expect(await second.runOnce()).toBe(0)
    now += 1
    expect(await second.runOnce()).toBe(2)
    expect(deliveredEvents()).toEqual(['a processing', 'a succeeded'])
    await dead.end()
  })

  test('a result that comes after the claim was lost changes nothing', async () => {
    await happen('a', 'processing')
    await happen('a', 'succeeded')
    const first = await newWaitingJob()
    now += 15_000
    const slow = Promise.withResolvers<Response>()
    answer = () => slow.promise
    const second = newJob({ holder: 'two' }).runOnce()
    await vi.waitFor(() => expect(sent).toHaveLength(1))
    await first.end()
    // The second event waits for the other instance's attempt.
    expect(await newJob({ holder: 'three' }).runOnce()).toBe(0)
    slow.resolve(new Response(null, { status: 204 }))
    await second
    expect(deliveredEvents()).toEqual(['a processing', 'a succeeded'])
  })

  test.each([
    { what: 'succeeds', status: 204 },
    { what: 'fails', status: 500 },
    { what: 'fails for the last time', status: 500, afterMs: 73 * 3600_000 },
  ])(
    'what a person sends again during an attempt that $what is sent after it, as for the first time',
    async ({ status, afterMs = 0 }) => {
      await happen('a', 'processing')
      await happen('a', 'succeeded')
      answer = () => new Response(null, { status: 500 })
      const outcomes: string[] = []
      if (afterMs > 0) await newJob().runOnce()
      now += afterMs
      const slow = Promise.withResolvers<Response>()
      answer = () => slow.promise
      sent = []
      const running = newJob({ onOutcome: (outcome) => outcomes.push(outcome) }).runOnce()
      await vi.waitFor(() => expect(sent).toHaveLength(1))
      const { epoch } = await store.feedEpoch.position()
      const redeliver = createRedeliver({ store, cursors: createFeedCursors(store), enabled: true, clock: () => now })
      for (let times = 0; times < 2; times += 1)
        expect(await redeliver({ cursors: [feedCursor(epoch, 1)] })).toEqual({ queued: 1 })
      // Nobody else sends it meanwhile.
      expect(await newJob({ holder: 'two' }).runOnce()).toBe(0)
      answer = () => new Response(null, { status: 204 })
      slow.resolve(new Response(null, { status }))
      await running
      expect(deliveredEvents()).toEqual(['a processing', 'a processing', 'a succeeded'])
      expect(new Set(sent.map(({ id }) => id)).size).toBe(2)
      expect(await store.deliveries.counts()).toMatchObject({ pending: 0, dead: 0 })
      expect(outcomes.slice(1)).toEqual(['delivered', 'delivered'])
    },
  )

  test('a delivery that is sent again waits for the claim of an instance that died', async () => {
    await happen('a', 'processing')
    const dead = await newWaitingJob()
    await store.deliveries.requeue([1])
    const second = newJob({ holder: 'two' })
    expect(await second.runOnce()).toBe(0)
    now += 15_000
    expect(await second.runOnce()).toBe(1)
    await dead.end()
    expect(await store.deliveries.counts()).toMatchObject({ pending: 0 })
  })

  test('a claim that took too long is not used', async () => {
    await happen('a', 'processing')
    const slowly: Store['deliveries']['claim'] = async (...args) => {
      const claimed = await store.deliveries.claim(...args)
      now += 5000
      return claimed
    }
    await newJob({ store: { ...store, deliveries: { ...store.deliveries, claim: slowly } } }).runOnce()
    expect(sent).toEqual([])
    now += 10_000
    await newJob({ holder: 'two' }).runOnce()
    expect(deliveredEvents()).toEqual(['a processing'])
  })

  test('a commit wakes the job; `stop` waits for running deliveries and starts none', async () => {
    const job = newJob({ pollMs: 60_000 })
    job.start()
    await sleep(30)
    await happen('a', 'processing')
    await vi.waitFor(() => expect(deliveredEvents()).toEqual(['a processing']))

    const slow = Promise.withResolvers<Response>()
    answer = () => slow.promise
    await happen('b', 'processing')
    await vi.waitFor(() => expect(sent).toHaveLength(2))
    const stopped = job.stop()
    await happen('c', 'processing')
    slow.resolve(new Response(null, { status: 200 }))
    await stopped
    expect(deliveredEvents()).toEqual(['a processing', 'b processing'])
    await vi.waitFor(async () => expect((await store.deliveries.counts()).pending).toBe(1))
  })
})
