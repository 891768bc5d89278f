import { Webhook } from 'standardwebhooks'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { eraseUser } from '../store/commands/erase-user.ts'
import type { Store } from '../store/store.ts'
import { postgresStatements } from '../store/testing/statements.ts'
import { tellDeposit } from '../store/testing/tell-deposit.ts'
import { FLAVOURS } from '../store/testing/test-databases.ts'
import { useStores } from '../store/testing/use-stores.ts'
import { createDeliveryJob, type DeliveryJob } from './delivery-job.ts'

const SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
const API_KEY = 'the-key-of-the-merchant'
const START = Date.UTC(2026, 0, 1)

const DEFAULTS = {
  url: 'http://merchant.test/hook',
  secrets: [SECRET],
  otherSecrets: [API_KEY],
  random: () => 0,
  holder: 'one',
  log: { warn: () => undefined },
}

describe.each(FLAVOURS)('on %s', (flavour) => {
  let now = START
  let sent: { readonly body: string; readonly headers: Record<string, string> }[] = []
  let answer: () => Response | Promise<Response>
  const stores = useStores(flavour, { clock: () => now, databaseClock: () => now, deliver: true, partitioned: true })

  const newJob = (store: Store = stores.one): DeliveryJob =>
    createDeliveryJob({
      ...DEFAULTS,
      store,
      fetch: async (_url, init) => {
        sent.push({ body: init?.body as string, headers: init?.headers as Record<string, string> })
        now += 25
        return answer()
      },
      clock: () => now,
    })

  const happen = (uuid: string, status = 'processing', user = 'u'): Promise<void> =>
    stores.one.unitOfWork({ users: [] }, (unit) => tellDeposit(unit, uuid, status, user))

  beforeEach(() => {
    now = START
    sent = []
    answer = () => new Response(null, { status: 204 })
  })

  test('an attempt has what was sent, its signature, and the beginning of the reply without secrets', async () => {
    await happen('a')
    const page = `${'x'.repeat(100)}WEBHOOK_SECRET=${SECRET} API_KEY=${API_KEY}\0 whsec_another ${'y'.repeat(9000)}`
    answer = () =>
      new Response(page, { status: 500, headers: { 'set-cookie': 'session=abc', 'x-request': 'r1', 'x-key': API_KEY } })
    await newJob().runOnce()
    answer = () =>
      Promise.reject(new TypeError('fetch failed', { cause: Object.assign(new Error(), { code: 'ENOTFOUND' }) }))
    now = START + 10_000
    await newJob().runOnce()
    answer = () => new Response('thanks', { status: 200 })
    now = START + 60_000
    await newJob().runOnce()

    const attempts = await stores.one.deliveryAttempts.of(1)
    const [first, second, third] = attempts
    expect(attempts.map(({ attempt, outcome, error }) => [attempt, outcome, error])).toEqual([
      [1, '500', 'status 500'],
      [2, 'connect', 'fetch failed: ENOTFOUND'],
      [3, '200', null],
    ])
    expect(first).toMatchObject({ began_ms: START, ended_ms: START + 25, body: sent[0]?.body })
    vi.setSystemTime(now)
    const headers = {
      'webhook-id': first!.webhook_id,
      'webhook-timestamp': String(Math.floor(third!.began_ms / 1000)),
      'webhook-signature': third!.signature,
    }
    expect(new Webhook(SECRET).verify(third!.body, headers)).toMatchObject({ type: 'transaction.updated' })
    vi.useRealTimers()
    expect(first?.reply_head?.split('\n')).toEqual(
      expect.arrayContaining(['set-cookie: [struck]', 'x-key: [struck]', 'x-request: r1']),
    )
    expect(first?.reply_body).toMatch(/^x{100}WEBHOOK_SECRET=\[struck\] API_KEY=\[struck\]\u{fffd} \[struck\] y+$/u)
    expect(first?.reply_body).toHaveLength(2048)
    expect([second?.reply_head, second?.reply_body]).toEqual([null, null])
    expect(third?.reply_body).toBe('thanks')
  })

  test('an attempt whose claim was lost leaves no record', async () => {
    await happen('a')
    const late = Promise.withResolvers<Response>()
    answer = () => late.promise
    const first = newJob().runOnce()
    await vi.waitFor(() => expect(sent).toHaveLength(1))
    now += 20_000
    answer = () => new Response(null, { status: 200 })
    await newJob().runOnce()
    late.resolve(new Response('late', { status: 500 }))
    await first
    expect((await stores.one.deliveryAttempts.of(1)).map(({ outcome }) => outcome)).toEqual(['200'])
  })

  test('an attempt during which a person sends it again is recorded, and so is the next', async () => {
    await happen('a')
    const slow = Promise.withResolvers<Response>()
    answer = () => slow.promise
    const running = newJob().runOnce()
    await vi.waitFor(() => expect(sent).toHaveLength(1))
    await stores.one.deliveries.requeue([1])
    answer = () => new Response(null, { status: 204 })
    slow.resolve(new Response(null, { status: 500 }))
    await running
    const attempts = await stores.one.deliveryAttempts.of(1)
    expect(attempts.map(({ attempt, outcome }) => [attempt, outcome])).toEqual([
      [1, '500'],
      [1, '204'],
    ])
  })

  test('the attempts of an erased user go with the user, also one that was under way', async () => {
    const { one } = stores
    for (const user of ['u', 'v']) await one.users.ensure(user, 0)
    await happen('a', 'processing', 'u')
    await happen('b', 'processing', 'v')
    answer = () => new Response('dear u', { status: 200 })
    await newJob().runOnce()
    await happen('a', 'succeeded', 'u')
    const slow = Promise.withResolvers<Response>()
    answer = () => slow.promise
    const running = newJob().runOnce()
    await vi.waitFor(() => expect(sent).toHaveLength(3))
    expect(await eraseUser(one, 'u', 'erased_1', () => now)).toMatchObject({ outcome: 'erased' })
    answer = () => new Response('dear nobody', { status: 200 })
    slow.resolve(new Response('dear u', { status: 200 }))
    await running
    now += 20_000
    await newJob().runOnce()
    const left = await one.database.db
      .selectFrom('delivery_attempts')
      .select(['cursor', 'reply_body', 'body'])
      .execute()
    expect(left.map(({ cursor, reply_body }) => [cursor, reply_body])).toEqual([
      [2, 'dear u'],
      [3, 'dear nobody'],
    ])
    expect(left[1]?.body).toContain('"user_reference_id":"erased_1"')
  })
})

describe('on postgres', () => {
  const stores = useStores('postgres', { deliver: true })

  test('attempts that end together are one statement of their transaction', async () => {
    const { one } = stores
    const sent = vi.fn()
    const gate = Promise.withResolvers<null>()
    const job = createDeliveryJob({
      ...DEFAULTS,
      store: one,
      fetch: async () => {
        sent()
        return new Response(await gate.promise, { status: 204 })
      },
      clock: Date.now,
    })
    for (let n = 0; n < 16; n += 1)
      await one.unitOfWork({ users: [] }, (unit) => tellDeposit(unit, `t${n}`, 'processing'))
    const running = job.runOnce()
    await vi.waitFor(() => expect(sent).toHaveBeenCalledTimes(16))
    const asked = await postgresStatements(async () => {
      gate.resolve(null)
      await running
    })
    const written = asked.filter(([text]) => text.startsWith('insert into delivery_attempts'))
    expect(written.map(([, [cursors]]) => (cursors as number[]).length)).toEqual([16])
    expect(await one.deliveryAttempts.summaries([...Array(17).keys()])).toHaveLength(16)
  })
})
