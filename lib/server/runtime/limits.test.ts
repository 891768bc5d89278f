/** Rate limits: what counts, and for whom. */
import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { Problem } from '#lib/contract/problems.ts'
import { makeLaunchToken } from '../merchant/launch-token.ts'
import { testConfig } from './testing/config.ts'
import { problem, setUpApi } from './testing/api-harness.ts'
import { startTestServer, type TestServer } from './testing/test-server.ts'
import { newVisitor, postLaunch } from './testing/visitor.ts'

const api = setUpApi()

test('the limit of withdrawals reaches the caller, and does not count towards other calls', async () => {
  const refusal = new Problem('rate_limited', 'Please wait 7 seconds.', { retryAfterS: 7 })
  api.useCases.requestWithdrawal.mockRejectedValue(refusal)
  const response = await api.make('withdrawal request')
  expect(response.headers.get('retry-after')).toBe('7')
  expect(await problem(response)).toMatchObject({ status: 429, code: 'rate_limited' })
  expect((await api.make('deposit address')).status).toBe(200)
})

test.each(['insufficient_balance', 'outcome_unknown'] as const)(
  'ten withdrawals per minute may be refused as %s, separately from recorded ones',
  async (code) => {
    const recorded = api.useCases.requestWithdrawal.getMockImplementation()
    api.useCases.requestWithdrawal.mockRejectedValue(new Problem(code, 'No.'))
    for (let at = 0; at < 10; at += 1) expect((await api.make('withdrawal request')).status).toBe(409)
    const response = await api.make('withdrawal request')
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect(await problem(response)).toMatchObject({ status: 429, code: 'rate_limited' })
    expect((await api.make('balances')).status).toBe(200)
    if (recorded) api.useCases.requestWithdrawal.mockImplementation(recorded)
    expect((await api.make('withdrawal request')).status).toBe(201)
  },
)

test('on-ramp sessions and deposit addresses have their own limits, per user across sessions', async () => {
  const user_reference_id = `player-${crypto.randomUUID()}`
  const [one, two] = [
    await newVisitor(api.server, { user_reference_id }),
    await newVisitor(api.server, { user_reference_id }),
  ]
  for (let at = 0; at < 10; at += 1)
    expect((await api.make('on-ramp session', {}, at % 2 ? one : two)).status).toBe(201)
  expect((await api.make('on-ramp session', {}, one)).status).toBe(429)
  for (let at = 0; at < 60; at += 1)
    expect((await api.make('deposit address', {}, at % 2 ? one : two)).status).toBe(200)
  expect((await api.make('deposit address', {}, two)).status).toBe(429)
  expect((await api.make('on-ramp session')).status).toBe(201)
})

test('an invalid request counts as a call, not towards the limits of on-ramp sessions and addresses', async () => {
  for (const [call, path, times] of [
    ['on-ramp session', 'onramp-sessions', 11],
    ['deposit address', 'deposit-addresses', 61],
  ] as const) {
    const invalid = (): Promise<Response> =>
      api.visitor.call(`/api/cashier/${path}`, { method: 'POST', body: '{"currency_id":1}' })
    for (let at = 0; at < times; at += 1) expect((await invalid()).status).toBe(422)
    expect((await api.make(call)).status).toBeLessThan(300)
  }
})

test('600 other calls are allowed per minute', async () => {
  const statuses = await Promise.all(Array.from({ length: 605 }, async () => (await api.make('balances')).status))
  expect(statuses.filter((status) => status === 200)).toHaveLength(600)
  expect(statuses.filter((status) => status === 429)).toHaveLength(5)
})

const drawn = (headers: Record<string, string> = {}): Promise<Response> =>
  api.visitor.call(`/c/${api.visitor.id}/deposit`, { headers })

test('a page that is rendered for a session counts as one of its calls', async () => {
  const statuses = await Promise.all(Array.from({ length: 595 }, async () => (await api.make('balances')).status))
  expect(new Set(statuses)).toEqual(new Set([200]))
  for (let at = 0; at < 5; at += 1) expect((await drawn()).status).toBe(200)
  const refused = await drawn()
  expect(refused.status).toBe(429)
  expect(refused.headers.get('content-type')).toContain('text/html')
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  expect(await problem(await drawn({ rsc: '1' }))).toMatchObject({ status: 429, code: 'rate_limited' })
  expect((await api.make('balances')).status).toBe(429)
})

test('a page of a session whose calls are spent is not rendered, in any form, and asks nobody', async () => {
  const rendered: string[] = []
  const next = vi.fn((request: IncomingMessage, response: ServerResponse) => {
    rendered.push(request.url ?? '')
    response.end('a page')
    return Promise.resolve()
  })
  // A use case that was not given throws: a call of the gateway would be a failed request in the log.
  const alone = await startTestServer({ config: testConfig(), databaseUrl: 'file::memory:', next })
  try {
    const visitor = await newVisitor(alone)
    const draw = (path: string, init: Parameters<typeof visitor.call>[1] = {}): Promise<Response> =>
      visitor.call(`/c/${visitor.id}${path}`, init)
    while (rendered.length < 600) await Promise.all(Array.from({ length: 20 }, async () => (await draw('/buy')).text()))
    for (const path of [
      '',
      '/',
      '/deposit',
      '/deposit/',
      '/deposit?currency=x',
      '/withdraw',
      '/buy',
      '/history?page=2',
    ])
      for (const init of [
        {},
        { method: 'HEAD' },
        { headers: { rsc: '1' } },
        { headers: { rsc: '1', 'next-router-prefetch': '1' } },
        { headers: { 'next-url': `/c/${visitor.id}/deposit` } },
      ])
        expect([path, (await draw(path, init)).status]).toEqual([path, 429])
    expect(rendered).toHaveLength(600)
    expect(alone.lines.filter((line) => line.includes('was not expected'))).toEqual([])
  } finally {
    await alone.stop()
  }
})

test('invalid withdrawals count as calls; replays do not count', async () => {
  const invalid = (): Promise<Response> => api.visitor.call('/api/cashier/withdrawals', { method: 'POST', body: '{}' })
  for (let at = 0; at < 30; at += 1) expect((await api.make('withdrawal request')).status).toBe(201)
  const statuses = await Promise.all(Array.from({ length: 600 }, async () => (await invalid()).status))
  expect(new Set(statuses)).toEqual(new Set([422]))
  const refused = await invalid()
  expect(await problem(refused)).toMatchObject({ status: 429, code: 'rate_limited' })
  expect(refused.headers.has('retry-after')).toBe(true)
  // A recorded withdrawal is still answered.
  expect((await api.make('withdrawal request')).status).toBe(201)
})

test('pages without a session are limited by address; health and merchant calls are not', async () => {
  const config = testConfig()
  const alone = await startTestServer({ config, databaseUrl: 'file::memory:' })
  try {
    const draw = async (at: number): Promise<number> => {
      const response = await fetch(`${alone.url}${['/', '/c/x/deposit', '/onramp/return', '/a.txt'][at % 4] ?? ''}`)
      await response.text()
      return response.status
    }
    const statuses: number[] = []
    // Concurrent, since a slow machine would need the whole minute for sequential requests.
    while (statuses.length < 600)
      statuses.push(...(await Promise.all(Array.from({ length: 20 }, (_item, at) => draw(statuses.length + at)))))
    for (let at = 600; at < 610; at += 1) statuses.push(await draw(at))
    expect(statuses.slice(0, 600)).toEqual(
      Array.from({ length: 600 }, (_item, at) => (at % 4 === 1 || at % 4 === 2 ? 200 : 404)),
    )
    expect(statuses.slice(600)).toEqual(Array(10).fill(429))
    expect((await fetch(`${alone.url}/api/health/live`)).status).toBe(200)
    expect((await fetch(`${alone.url}/embed`)).status).toBe(200)
    const visitor = await newVisitor(alone)
    expect((await visitor.call(`/c/${visitor.id}/deposit`)).status).toBe(200)
  } finally {
    await alone.stop()
  }
})

test.each([
  ['on', 21],
  ['off', 30],
])(
  'of 30 concurrent returns from the payment provider, with the limits %s, %i are rendered',
  async (limits, drawnPages) => {
    const gate = Promise.withResolvers<null>()
    const alone = await startTestServer({
      config: testConfig({ RATE_LIMIT: limits }),
      databaseUrl: 'file::memory:',
      next: async (_request, response) => {
        await gate.promise
        response.end('a page')
      },
    })
    try {
      const statuses: number[] = []
      const answers = Array.from({ length: 30 }, async () => {
        const response = await fetch(`${alone.url}/onramp/return`)
        await response.text()
        statuses.push(response.status)
      })
      // All have arrived before the first page is ready.
      await vi.waitFor(() => expect(statuses).toHaveLength(30 - drawnPages))
      await sleep(100)
      expect(statuses).toEqual(Array(30 - drawnPages).fill(429))
      gate.resolve(null)
      await Promise.all(answers)
      expect(statuses.filter((status) => status === 200)).toHaveLength(drawnPages)
    } finally {
      gate.resolve(null)
      await alone.stop()
    }
  },
)

test('a session may have ten streams', async () => {
  const open = (): Promise<Response> => api.visitor.call(`/api/cashier/events?session=${api.visitor.id}`)
  const streams = await Promise.all(Array.from({ length: 10 }, open))
  expect(streams.map((stream) => stream.status)).toEqual(Array(10).fill(200))
  const eleventh = await open()
  expect(await problem(eleventh)).toMatchObject({ status: 429, code: 'rate_limited' })
  expect(eleventh.headers.has('retry-after')).toBe(true)
  await Promise.all(streams.map(async (stream) => stream.body?.cancel()))
  await vi.waitFor(async () => {
    const again = await open()
    expect(again.status).toBe(200)
    await again.body?.cancel()
  })
})

test.each([
  ['no session', '', 401],
  ['no such session', 'session=0198c1a2-0000-4000-8000-000000000001', 401],
  ['a foreign origin', null, 403],
])('a stream with %s is refused before its first byte', async (_what, query, status) => {
  const headers: Record<string, string> =
    query === null ? { origin: 'https://evil.example' } : { 'x-cashier-session': '' }
  const response = await api.visitor.call(`/api/cashier/events?${query ?? `session=${api.visitor.id}`}`, {
    headers,
  })
  expect((await problem(response))['status']).toBe(status)
})

test.each(['session', 'last_event_id'])('a stream whose query has %s twice is refused', async (name) => {
  const { id } = api.visitor
  const query = `session=${id}&last_event_id=0&${name}=${name === 'session' ? id : '1'}`
  const response = await api.visitor.call(`/api/cashier/events?${query}`)
  const { status } = response
  if (status === 200) await response.body?.cancel()
  else expect(await problem(response)).toMatchObject({ errors: { [name]: ['must not be repeated'] } })
  expect(status).toBe(422)
})

/** A launch with an old token of this server: it counts, and is spent. */
const launchAgain = (at: TestServer, headers: Record<string, string> = {}): Promise<Response> =>
  postLaunch(at, makeLaunchToken(at.config.sessionSecrets[0], randomBytes), headers)

test('launches: 60 per minute and address; forged tokens do not count', async () => {
  const alone = await startTestServer({ config: testConfig(), databaseUrl: 'file::memory:' })
  try {
    for (let at = 0; at < 100; at += 1) expect((await postLaunch(alone, `made-up-${at}`)).status).toBe(401)
    for (let at = 0; at < 60; at += 1) expect((await launchAgain(alone)).status).toBe(410)
    const refused = await launchAgain(alone)
    expect(refused.status).toBe(429)
    expect(refused.headers.get('content-type')).toContain('text/html')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  } finally {
    await alone.stop()
  }
})

test('behind proxies the client is the entry that the first proxy wrote', async () => {
  const config = testConfig({ TRUST_PROXY: '1' })
  const behind = await startTestServer({ config, databaseUrl: 'file::memory:' })
  try {
    const launch = async (address: string): Promise<number> =>
      (await launchAgain(behind, { 'x-forwarded-for': `6.6.6.6, ${address}` })).status
    for (let at = 0; at < 60; at += 1) expect(await launch('192.0.2.1')).toBe(410)
    expect(await launch('192.0.2.1')).toBe(429)
    expect(await launch('192.0.2.2')).toBe(410)
  } finally {
    await behind.stop()
  }
})
