/** The console's use cases of deliveries, with the job that delivers. */
import { beforeEach, describe, expect, test } from 'vitest'
import { deliveriesAsked, deliveryFilter } from '#lib/contract/operate/deliveries.ts'
import { createDeliveryJob, type DeliveryJob } from '../merchant/delivery-job.ts'
import { createFeedCursors } from '../merchant/feed-cursor.ts'
import { createRedeliver } from '../merchant/redeliver.ts'
import { sampleTransaction } from '../store/testing/sample-rows.ts'
import { seed } from '../store/testing/seed.ts'
import { tellDeposit } from '../store/testing/tell-deposit.ts'
import { FLAVOURS } from '../store/testing/test-databases.ts'
import { useStores } from '../store/testing/use-stores.ts'
import { composeConsoleDeliveries } from './compose-console-deliveries.ts'

const SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
const START = Date.UTC(2026, 0, 1)
const HOUR = 3_600_000

describe.each(FLAVOURS)('%s', (flavour) => {
  let now = START
  let sent: string[] = []
  let isRefused: (uuid: string) => boolean = () => false
  const clock = () => now
  const stores = useStores(flavour, { clock, databaseClock: clock, deliver: true, partitioned: true })
  const deliveries = (merchantWebhookUrl: string | null = 'https://u:p@shop.example/hook?key=1') =>
    composeConsoleDeliveries({ config: { merchantWebhookUrl }, store: stores.one, clock })

  const happen = (uuid: string, status = 'processing', user = 'u'): Promise<void> =>
    stores.one.unitOfWork({ users: [] }, (unit) => tellDeposit(unit, uuid, status, user))

  const newJob = (): DeliveryJob =>
    createDeliveryJob({
      store: stores.one,
      url: 'http://merchant.test/hook',
      secrets: [SECRET],
      fetch: (_url, init) => {
        const { data } = JSON.parse(init?.body as string) as { data: { transaction_uuid: string; status: string } }
        sent.push(`${data.transaction_uuid} ${data.status}`)
        now += 10
        return Promise.resolve(new Response(null, { status: isRefused(data.transaction_uuid) ? 503 : 204 }))
      },
      clock,
      random: () => 0,
      holder: 'one',
      log: { warn: () => undefined },
    })

  const list = (query: Record<string, string> = {}) => deliveries().listDeliveries(deliveriesAsked.parse(query))
  const shown = async (query: Record<string, string> = {}) =>
    (await list(query)).deliveries.map(({ transaction_uuid, status, state }) => [transaction_uuid, status, state])
  const preview = (query: Record<string, string>) => deliveries().previewResend(deliveryFilter.parse(query))
  const asOf = () => now

  beforeEach(() => {
    now = START
    sent = []
    isRefused = () => false
  })

  test('the list shows each delivery with its state, its last attempt, and what it waits for', async () => {
    await happen('a')
    await happen('bad')
    await happen('bad', 'succeeded')
    isRefused = (uuid) => uuid === 'bad'
    await newJob().runOnce()
    expect(await shown()).toEqual([
      ['bad', 'succeeded', 'waiting'],
      ['bad', 'processing', 'failing'],
      ['a', 'processing', 'delivered'],
    ])
    const { deliveries: rows, counts, endpoint, next_cursor } = await list()
    expect(counts).toEqual({ waiting: 1, failing: 1, dead: 0 })
    expect([endpoint, next_cursor]).toEqual(['https://shop.example/hook', null])
    const [blocked, failing, delivered] = rows
    expect(blocked).toMatchObject({ attempts: 0, last: null, waits_for: failing!.id, user_reference_id: 'u' })
    expect(failing).toMatchObject({
      attempts: 1,
      last: { outcome: '503', error: 'status 503' },
      // The two deliveries are sent side by side; each takes 10 ms.
      next_at: expect.toBeOneOf([10, 20].map((ms) => new Date(START + ms + 5000).toISOString())) as unknown,
      waits_for: null,
    })
    expect(delivered).toMatchObject({ attempts: 1, next_at: null, last: { outcome: '204', error: null } })
    expect(await shown({ state: 'failing' })).toEqual([['bad', 'processing', 'failing']])
    expect(await shown({ outcome: '503', user: 'u', transaction: 'bad' })).toEqual([['bad', 'processing', 'failing']])
    expect(await shown({ user: 'nobody' })).toEqual([])
  })

  test('pages follow one another, also those with few matches', async () => {
    for (let n = 0; n < 7; n += 1) await happen(`t${n}`)
    await newJob().runOnce()
    const first = await list({ limit: '3' })
    const second = await list({ limit: '3', after: first.next_cursor ?? '' })
    const third = await list({ limit: '3', after: second.next_cursor ?? '' })
    const pages = [first, second, third].map((page) => page.deliveries.map(({ transaction_uuid }) => transaction_uuid))
    expect(pages).toEqual([['t6', 't5', 't4'], ['t3', 't2', 't1'], ['t0']])
    expect(third.next_cursor).toBeNull()
    await expect(list({ after: 'nonsense' })).rejects.toMatchObject({ code: 'invalid_request' })
  })

  test('the file has all that match, the newest first', async () => {
    await stores.one.unitOfWork({ users: [] }, (unit) => {
      for (let n = 0; n < 501; n += 1) tellDeposit(unit, `t${n}`, 'processing', n % 2 === 0 ? 'u' : '=v')
    })
    isRefused = (uuid) => uuid === 't1'
    await newJob().runOnce()
    const fileOf = async (query: Record<string, string> = {}): Promise<readonly string[]> => {
      let text = ''
      for await (const part of deliveries().deliveryFile(deliveryFilter.parse(query))) text += part
      return text.trimEnd().split('\r\n')
    }
    const [head, first, ...rest] = await fileOf()
    expect(head).toContain('"id","created_at","kind","status","transaction_uuid"')
    expect(first).toContain('"deposit","processing","t500"')
    expect(rest).toHaveLength(500)
    expect(rest.at(-1)).toContain('"t0"')
    const [, line, ...others] = await fileOf({ outcome: '503' })
    expect(line).toMatch(/"t1","","'=v".*"failing","false","1",.*"503","status 503","[^"]+"$/)
    expect(others).toEqual([])
  })

  test('one delivery has its attempts, newest first, with what was signed', async () => {
    await happen('a')
    isRefused = () => true
    await newJob().runOnce()
    isRefused = () => false
    now = START + 60_000
    await newJob().runOnce()
    const [{ id } = { id: '' }] = (await list()).deliveries
    const detail = await deliveries().readDelivery(id)
    expect(detail.attempts.map(({ attempt, outcome, milliseconds }) => [attempt, outcome, milliseconds])).toEqual([
      [2, '204', 10],
      [1, '503', 10],
    ])
    expect(detail.attempts[1]).toMatchObject({
      began_at: new Date(START).toISOString(),
      webhook_timestamp: String(START / 1000),
      webhook_id: detail.attempts[0]?.webhook_id,
      signature: expect.stringMatching(/^v1,/) as string,
      body: expect.stringContaining(`"cursor":"${id}"`) as string,
    })
    for (const unknown of ['nonsense', `${id}9`, '1'])
      await expect(deliveries().readDelivery(unknown)).rejects.toMatchObject({ code: 'not_found' })
  })

  test('one is sent again, and a second press of the same button sends nothing more', async () => {
    await happen('a')
    await newJob().runOnce()
    now += 1000
    const [{ id } = { id: '' }] = (await list()).deliveries
    const order = { ids: [id, id], as_of: asOf() }
    expect(await deliveries().resendDeliveries(order)).toEqual({ queued: 1, next: null })
    expect(await deliveries().resendDeliveries(order)).toEqual({ queued: 1, next: null })
    await newJob().runOnce()
    expect(await deliveries().resendDeliveries(order)).toEqual({ queued: 0, next: null })
    await newJob().runOnce()
    expect(sent).toEqual(['a processing', 'a processing'])
    now += 1
    expect(await deliveries().resendDeliveries({ ...order, as_of: asOf() })).toMatchObject({ queued: 1 })
  })

  test('all since a time are sent again in the order of each transaction, once', async () => {
    await happen('old')
    now = START + HOUR
    for (const status of ['processing', 'unknown', 'succeeded'])
      for (const uuid of ['a', 'b']) await happen(uuid, status)
    await newJob().runOnce()
    now = START + 2 * HOUR
    sent = []
    const from = new Date(START + HOUR).toISOString()
    expect(await preview({ from })).toEqual({ count: 6, more: false, as_of: new Date(now).toISOString() })
    const order = { filter: deliveryFilter.parse({ from }), as_of: asOf() }
    expect(await deliveries().resendDeliveries(order)).toEqual({ queued: 6, next: null })
    now += 1000
    await happen('a', 'failed')
    await newJob().runOnce()
    expect(await deliveries().resendDeliveries(order)).toEqual({ queued: 0, next: null })
    expect(sent.filter((line) => line.startsWith('a'))).toEqual([
      'a processing',
      'a unknown',
      'a succeeded',
      'a failed',
    ])
    expect(sent.filter((line) => line.startsWith('b'))).toEqual(['b processing', 'b unknown', 'b succeeded'])
  })

  test('dead ones, and those of a user that got one answer, are sent again', async () => {
    isRefused = () => true
    for (const [uuid, user] of [
      ['a', 'u'],
      ['b', 'v'],
    ] as const) {
      await seed(stores.one, { transactions: [sampleTransaction({ transaction_uuid: uuid, user_reference_id: user })] })
      await happen(uuid, 'processing', user)
    }
    const job = newJob()
    for (; now <= START + 73 * HOUR; now += HOUR) await job.runOnce()
    expect((await list()).counts).toEqual({ waiting: 0, failing: 0, dead: 2 })
    expect(await preview({ outcome: '503', user: 'v' })).toMatchObject({ count: 1 })
    isRefused = () => false
    sent = []
    const filter = deliveryFilter.parse({ outcome: '503', user: 'v' })
    expect(await deliveries().resendDeliveries({ filter, as_of: asOf() })).toMatchObject({ queued: 1 })
    await job.runOnce()
    expect(sent).toEqual(['b processing'])
    const dead = deliveryFilter.parse({ state: 'dead' })
    expect(await deliveries().resendDeliveries({ filter: dead, as_of: asOf() })).toMatchObject({ queued: 1 })
    await job.runOnce()
    expect(await shown({ state: 'delivered' })).toHaveLength(2)
  })

  test('an order without a limit, or without a webhook, is refused', async () => {
    for (const given of [{}, { state: 'delivered' }, { to: '2027-01-01' }]) {
      const filter = deliveryFilter.parse(given)
      await expect(deliveries().previewResend(filter)).rejects.toMatchObject({ code: 'invalid_request' })
      await expect(deliveries().resendDeliveries({ filter, as_of: asOf() })).rejects.toMatchObject({
        extras: { errors: { filter: [expect.any(String)] } },
      })
    }
    const order = { filter: deliveryFilter.parse({ state: 'dead' }), as_of: asOf() }
    await expect(deliveries(null).resendDeliveries(order)).rejects.toMatchObject({ code: 'not_available' })
    await expect(deliveries(null).previewResend(order.filter)).rejects.toMatchObject({ code: 'not_available' })
  })

  test('the merchant sends again since a time, in a state and until another time', async () => {
    isRefused = (uuid) => uuid === 'b'
    for (const uuid of ['a', 'b', 'c']) {
      await happen(uuid)
      await newJob().runOnce()
      now += HOUR
    }
    const cursors = createFeedCursors(stores.one)
    const redeliver = createRedeliver({ store: stores.one, cursors, enabled: true, clock })
    expect(await redeliver({ since: START + HOUR, state: 'delivered' })).toEqual({ queued: 1 })
    expect(await redeliver({ since: START, until: START + HOUR })).toEqual({ queued: 1 })
    sent = []
    await newJob().runOnce()
    expect(sent).toEqual(expect.arrayContaining(['a processing', 'c processing']))
    expect(await redeliver({ since: START })).toEqual({ queued: 3 })
    expect(await redeliver({ since: now })).toEqual({ queued: 0 })
  })

  test.each([
    ['behind', -2 * HOUR, 4],
    ['ahead', 2 * HOUR, 6],
  ])(
    'none is left out since a time, although the clock of another instance is two hours %s',
    async (_name, by, count) => {
      for (let hour = 0; hour < 8; hour += 1) {
        now = START + hour * HOUR + (hour % 2 === 0 ? by : 0)
        await happen(`e${String(hour)}`)
      }
      now = START + 7 * HOUR + 1
      await newJob().runOnce()
      const cursors = createFeedCursors(stores.one)
      const redeliver = createRedeliver({ store: stores.one, cursors, enabled: true, clock })
      now += 1
      expect(await redeliver({ since: START + 3 * HOUR })).toEqual({ queued: count })
    },
  )
})
