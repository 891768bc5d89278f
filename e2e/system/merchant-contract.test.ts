/**
 * Tests docs/reference/merchant-api.md, "Merchant API", over HTTP: the merchant's calls, and the calls that the
 * merchant receives; also health and metrics.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { readMerchantFeed } from '../fixtures/merchant-feed.ts'
import { json, type MerchantDouble, noResponse, startMerchantDouble } from './merchant-double.ts'
import { requestLaunch } from './page.ts'
import { startSystem, type System } from './start-system.ts'

const SHOP = 'https://shop.example'
let merchant: MerchantDouble
let system: System
let user: string
beforeAll(async () => {
  merchant = await startMerchantDouble(() => system.webhookSecret)
  system = await startSystem({
    cashier: { MERCHANT_WEBHOOK_URL: merchant.url, EMBED_ORIGINS: SHOP, METRICS_TOKEN: 'a-token-for-metrics' },
  })
})
afterAll(async () => {
  await system.close()
  await merchant.close()
})
beforeEach(() => {
  user = `user-${randomUUID()}`
  merchant.respondWith(json({}))
})

const call = async (method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown) => {
  const response = await system.merchant.call(method, path, body)
  const text = await response.text()
  return { status: response.status, body: (text === '' ? null : JSON.parse(text)) as Record<string, unknown> }
}
const eth = () => system.currency('ETH Ethereum')

/** Makes this many deposits of a new user, each published as processing and then as succeeded. */
async function deposits(count: number): Promise<readonly string[]> {
  const published = (times: number) =>
    vi.waitFor(async () => expect(await readMerchantFeed(system.merchant, user)).toHaveLength(times))
  await system.merchant.createSession({ user_reference_id: user })
  const uuids: string[] = []
  while (uuids.length < count)
    uuids.push(await system.control.detectDeposit({ user_reference: user, currency_id: eth(), amount: '1.5' }))
  await published(count)
  for (const uuid of uuids) await system.control.confirmDeposit(uuid)
  await published(2 * count)
  return uuids
}

const CALLS = [
  ['POST', '/sessions'],
  ['DELETE', `/sessions/${randomUUID()}`],
  ['GET', '/events'],
  ['GET', '/users/u/balances'],
  ['GET', '/users/u/entries'],
  ['GET', '/statement.csv'],
  ['POST', '/users/u/adjustments'],
  ['POST', '/withdrawals/w/authorization'],
  ['POST', '/test-event'],
  ['GET', '/quarantine'],
  ['POST', '/quarantine/1/resolution'],
] as const

test.each(CALLS)('%s /api/merchant%s needs the key', async (method, path) => {
  const wrong = [undefined, 'Bearer ', 'Bearer wrong', 'Basic abc', `Bearer ${'x'.repeat(64)}`]
  for (const authorization of wrong) {
    const response = await fetch(`${system.publicUrl}/api/merchant${path}`, {
      method,
      ...(authorization !== undefined && { headers: { authorization } }),
    })
    const problem = (await response.json()) as { code: string; request_id: string }
    expect([response.status, problem.code]).toEqual([401, 'unauthenticated'])
    expect(problem.request_id).toBe(response.headers.get('x-request-id'))
  }
})

describe('sessions', () => {
  test('201 with id, token, launch URL and expiry after five minutes', async () => {
    const { status, body } = await call('POST', '/sessions', {
      user_reference_id: user,
      flows: ['deposit', 'history'],
      locale: 'pt',
      theme: 'auto',
      tokens: { accent: '#2450e6' },
      support_url: 'https://support.example/help',
      country: 'DE',
      currency_ids: [eth()],
      return_url: `${SHOP}/lobby`,
    })
    expect(status).toBe(201)
    expect(Object.keys(body).sort()).toEqual(['expires_at', 'launch_token', 'launch_url', 'session_id'])
    expect(body['launch_url']).toBe(`${system.publicUrl}/launch?token=${String(body['launch_token'])}`)
    const life = Date.parse(String(body['expires_at'])) - Date.now()
    expect(life).toBeGreaterThan(4 * 60_000)
    expect(life).toBeLessThanOrEqual(5 * 60_000)
  })

  test.each([
    ['user_reference_id', { user_reference_id: 'a b' }],
    ['user_reference_id', { user_reference_id: '' }],
    ['user_reference_id', { user_reference_id: 'x'.repeat(129) }],
    ['flows', { flows: [] }],
    ['flows.0', { flows: ['refund'] }],
    ['theme', { theme: 'pink' }],
    ['tokens', { tokens: { accent: 'url(https://evil.example)' } }],
    ['support_url', { support_url: 'http://support.example' }],
    ['support_url', { support_url: 'javascript:alert(1)' }],
    ['country', { country: 'Germany' }],
    ['currency_ids.0', { currency_ids: ['USDT'] }],
    ['return_url', { return_url: 'https://evil.example/' }],
    ['return_url', { return_url: 'javascript:alert(1)' }],
  ])('422 names %s for %j', async (field, change) => {
    const { status, body } = await call('POST', '/sessions', { user_reference_id: user, ...change })
    expect([status, body['code'], Object.keys(body['errors'] as object)]).toEqual([422, 'invalid_request', [field]])
  })

  test('ending a session is 204, also the second time, and 404 for an unknown session; its token is invalid afterwards', async () => {
    const session = await system.merchant.createSession({ user_reference_id: user })
    for (let times = 0; times < 2; times += 1)
      expect((await call('DELETE', `/sessions/${session.session_id}`)).status).toBe(204)
    expect((await requestLaunch(system.publicUrl, session.launch_token)).status).toBe(410)
    expect((await call('DELETE', `/sessions/${randomUUID()}`)).status).toBe(404)
  })
})

describe('the feed', () => {
  test('pages by cursor, oldest first, always with a next cursor', async () => {
    await deposits(3)
    const all = (await call('GET', '/events?limit=1000')).body as {
      events: { cursor: string; data: { user_reference_id: string; source: string } }[]
      next_cursor: string
    }
    const end = (await call('GET', `/events?after=${all.next_cursor}`)).body
    expect(end).toEqual({ events: [], next_cursor: all.next_cursor })
    const one = (await call('GET', '/events?limit=1')).body as typeof all
    expect([one.events, one.next_cursor]).toEqual([all.events.slice(0, 1), all.events[0]?.cursor])
    const own = all.events.filter(({ data }) => data.user_reference_id === user)
    expect(own[0]).toEqual({
      cursor: expect.any(String) as unknown,
      type: 'transaction.updated',
      created_at: expect.stringMatching(/Z$/) as unknown,
      data: {
        transaction_uuid: expect.any(String) as unknown,
        kind: 'deposit',
        status: 'processing',
        amount: expect.any(String) as unknown,
        currency_code: 'ETH',
        network: 'Ethereum',
        tx_hash: expect.any(String) as unknown,
        updated_at: expect.stringMatching(/Z$/) as unknown,
        user_reference_id: user,
        source: expect.stringMatching(/^(webhook|reconciliation)$/) as unknown,
        // Only webhooks have this field.
        ...(own[0]?.data.source === 'webhook' && { merchant_reference: expect.any(String) as unknown }),
      },
    })
  })

  test.each(['limit=0', 'limit=1001', 'limit=x', 'after=x', 'after=-1', 'after=1&after=2'])(
    '?%s is 422',
    async (query) => {
      const { status, body } = await call('GET', `/events?${query}`)
      expect([status, Object.keys(body['errors'] as object)]).toEqual([422, [query.split('=')[0]]])
    },
  )
})

describe('adjustments', () => {
  const adjust = (body: object) => call('POST', `/users/${user}/adjustments`, body)

  test('201, a repetition 200; other content 422, below zero 409, an unknown currency 404', async () => {
    const first = await adjust({ currency_id: eth(), amount: '10.5', reference: 'r' })
    expect(first.status).toBe(201)
    expect(await adjust({ currency_id: eth(), amount: '10.50', reference: 'r' })).toEqual({ ...first, status: 200 })
    expect((await adjust({ currency_id: system.currency('BTC Bitcoin'), amount: '10.5', reference: 'r' })).status).toBe(
      422,
    )
    const below = await adjust({ currency_id: eth(), amount: '-10.500000000000000001', reference: 's' })
    expect([below.status, below.body['code']]).toEqual([409, 'insufficient_balance'])
    expect((await adjust({ currency_id: eth(), amount: '-10.5', reference: 's' })).status).toBe(201)
    expect((await adjust({ currency_id: randomUUID(), amount: '1', reference: 't' })).status).toBe(404)
    const { body } = await call('GET', `/users/${user}/balances`)
    expect(body).toEqual({
      balances: [{ currency_id: eth(), currency_code: 'ETH', network: 'Ethereum', available: '0', held: '0' }],
    })
    const { entries } = (await call('GET', `/users/${user}/entries`)).body as { entries: object[] }
    expect(entries).toMatchObject([
      { amount: '-10.5', account: 'available', reason: 'adjustment', reference: 's', currency_code: 'ETH' },
      { amount: '10.5', account: 'available', reason: 'adjustment', reference: 'r', network: 'Ethereum' },
    ])
  })

  test.each([{ amount: 5 }, { amount: '0' }, { amount: '1e3' }, { amount: '+1' }, { amount: '' }, { reference: '' }])(
    '%j is 422',
    async (change) => {
      const { status, body } = await adjust({ currency_id: eth(), amount: '1', reference: 'r', ...change })
      expect([status, Object.keys(body['errors'] as object)]).toEqual([422, Object.keys(change)])
    },
  )
})

test('a test event reaches the merchant, signed, and its answer is reported', async () => {
  merchant.respondWith(json({}, 418))
  const { status, body } = await call('POST', '/test-event')
  expect(status).toBe(202)
  expect(body).toEqual({ status: 418, milliseconds: expect.any(Number) as number, error: null })
  const received = merchant.requests.filter(({ webhookId }) => webhookId.startsWith('test_'))
  expect(received).toMatchObject([{ authentic: true, body: { type: 'test', data: {} } }])
})

test('the merchant receives each event, signed and in order within a transaction, also after the cashier was killed', async () => {
  let open = false
  merchant.respondWith((c) => (open ? c.body(null, 204) : noResponse(c)))
  const uuids = await deposits(4)
  const received = () =>
    merchant.requests.filter(({ body }) => (body['data'] as { user_reference_id?: string }).user_reference_id === user)
  await vi.waitFor(() => expect(received().length).toBeGreaterThan(0))
  await system.cashiers[0].kill()
  open = true
  const beforeKill = received().length
  await system.cashiers[0].start()
  const statusesOf = (uuid: string) =>
    received()
      .slice(beforeKill)
      .map(({ body }) => body['data'] as { transaction_uuid: string; status: string })
      .filter(({ transaction_uuid }) => transaction_uuid === uuid)
      .map(({ status }) => status)
  for (const uuid of uuids) {
    await vi.waitFor(() => expect(statusesOf(uuid)).toEqual(['processing', 'succeeded']), { interval: 100 })
  }
  expect(received().every(({ authentic }) => authentic)).toBe(true)
  expect(received()[0]?.body).toEqual({
    type: 'transaction.updated',
    timestamp: expect.stringMatching(/Z$/) as unknown,
    cursor: expect.stringMatching(/^[0-9a-f]+-\d+$/) as unknown,
    data: expect.objectContaining({ kind: 'deposit', user_reference_id: user }) as unknown,
  })
  const again = received()
    .slice(beforeKill)
    .find(({ webhookId }) => webhookId === received()[0]?.webhookId)
  expect(again?.body).toEqual(received()[0]?.body)
})

describe('operators', () => {
  test.each(['GET', 'HEAD'])('%s health', async (method) => {
    for (const path of ['live', 'ready']) {
      const response = await fetch(`${system.publicUrl}/api/health/${path}`, { method })
      expect(response.status).toBe(200)
      expect(response.headers.has('x-request-id')).toBe(true)
      expect((await response.text()) === '').toBe(method === 'HEAD')
    }
  })

  test('metrics need their token', async () => {
    const ask = (headers: Record<string, string>) => fetch(`${system.publicUrl}/api/metrics`, { headers })
    expect((await ask({})).status).toBe(401)
    expect((await ask({ authorization: 'Bearer wrong' })).status).toBe(401)
    const response = await ask({ authorization: 'Bearer a-token-for-metrics' })
    expect([response.status, response.headers.get('content-type')?.startsWith('text/plain')]).toEqual([200, true])
    expect(await response.text()).toContain('cashier_webhooks_total')
  })
})
