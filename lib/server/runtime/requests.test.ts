/** What every call of the page and of the merchant must bring, and in which order it is told what is missing. */
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { Problem, PROBLEM_STATUS, type ProblemCode } from '#lib/contract/problems.ts'
import { newTestDatabase, type TestDatabase } from '../store/testing/test-databases.ts'
import { testConfig } from './testing/config.ts'
import { startTestServer, type TestServer } from './testing/test-server.ts'
import { asMerchant, newVisitor, type Visitor } from './testing/visitor.ts'
import type { UseCases } from './use-cases.ts'

const CURRENCY = '0198c1a2-0000-7000-8000-000000000001'
const CALLS = {
  currencies: ['GET', '/api/cashier/currencies'],
  balances: ['GET', '/api/cashier/balances'],
  transactions: ['GET', '/api/cashier/transactions'],
  withdrawal: ['GET', '/api/cashier/withdrawals/w1'],
  'deposit address': ['POST', '/api/cashier/deposit-addresses', { currency_id: CURRENCY }],
  'withdrawal request': [
    'POST',
    '/api/cashier/withdrawals',
    { currency_id: CURRENCY, amount: '1.5', wallet_address: 'bc1q' },
  ],
  'on-ramp session': [
    'POST',
    '/api/cashier/onramp-sessions',
    { currency_id: CURRENCY, amount: '100', fiat_currency: 'EUR', country: 'DE' },
  ],
} as const satisfies Record<string, readonly [string, string, object?]>
type CallName = keyof typeof CALLS
const NAMES = Object.keys(CALLS) as CallName[]
const CHANGING = NAMES.filter((name) => CALLS[name][0] === 'POST')

const withdrawal = {
  id: 'w1',
  status: 'processing',
  amount: '1.5',
  currency: 'BTC',
  network: 'Bitcoin',
  wallet_address: 'bc1q',
  requires_approval: false,
  transaction_uuid: null,
  failure_reason: null,
  user_message: null,
} as const
const page = {
  edges: [],
  page_info: { start_cursor: null, end_cursor: null, has_next_page: false, has_previous_page: false },
  total_count: 0,
}

const useCases = {
  listCurrencies: vi.fn<UseCases['listCurrencies']>(),
  listBalances: vi.fn<UseCases['listBalances']>(),
  listTransactions: vi.fn<UseCases['listTransactions']>(),
  getWithdrawal: vi.fn<UseCases['getWithdrawal']>(),
  getDepositAddress: vi.fn<UseCases['getDepositAddress']>(),
  requestWithdrawal: vi.fn<UseCases['requestWithdrawal']>(),
  startOnramp: vi.fn<UseCases['startOnramp']>(),
  adjustBalance: vi.fn<UseCases['adjustBalance']>(),
  listMerchantEvents: vi.fn<UseCases['listMerchantEvents']>(),
  listQuarantine: vi.fn<UseCases['listQuarantine']>(),
  decideWithdrawal: vi.fn<UseCases['decideWithdrawal']>(),
  redeliver: vi.fn<UseCases['redeliver']>(),
  userBecameKnown: vi.fn<UseCases['userBecameKnown']>(),
}

let database: TestDatabase
let server: TestServer
let visitor: Visitor
beforeAll(async () => {
  database = await newTestDatabase('sqlite', '')
  server = await startTestServer({
    config: testConfig({ METRICS_TOKEN: 'metrics-token', TRUST_PROXY: '1' }),
    databaseUrl: database.url,
    useCases,
  })
})
afterAll(async () => {
  await server.stop()
  await database.remove()
})
beforeEach(async () => {
  useCases.listCurrencies.mockReset().mockResolvedValue([])
  useCases.listBalances.mockReset().mockResolvedValue([])
  useCases.listTransactions.mockReset().mockResolvedValue(page)
  useCases.getWithdrawal.mockReset().mockResolvedValue(withdrawal)
  useCases.getDepositAddress.mockReset().mockResolvedValue({ address: 'a', currency: 'BTC', network: 'Bitcoin' })
  useCases.requestWithdrawal.mockReset().mockResolvedValue({ outcome: 'recorded', withdrawal })
  useCases.startOnramp
    .mockReset()
    .mockResolvedValue({ id: 'o1', link: 'https://pay.example', status: 'created', expires_at: null })
  useCases.userBecameKnown.mockReset().mockResolvedValue()
  visitor = await newVisitor(server, { user_reference_id: `player-${crypto.randomUUID()}` })
})

/** The call as the page makes it, with these headers instead of its own; an empty one is left out. */
const make = (name: CallName, headers: Record<string, string> = {}, who = visitor): Promise<Response> => {
  const [method, path, body] = CALLS[name] as readonly [string, string, object?]
  return who.call(path, {
    method,
    ...(body && { body: JSON.stringify(body) }),
    headers: { ...(name === 'withdrawal request' && { 'idempotency-key': crypto.randomUUID() }), ...headers },
  })
}

const problem = async (response: Response): Promise<Record<string, unknown>> => {
  const body = (await response.json()) as Record<string, unknown>
  expect(response.headers.get('content-type')).toBe('application/problem+json')
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(body['status']).toBe(response.status)
  expect(body['request_id']).toBe(response.headers.get('x-request-id'))
  for (const field of ['type', 'title', 'detail', 'code']) expect(body[field]).toEqual(expect.any(String))
  return body
}

const calledAny = (): boolean =>
  Object.values(useCases).some((one) => one !== useCases.userBecameKnown && one.mock.calls.length > 0)

test.each(NAMES)('%s: answered to our own page, and kept by no cache', async (name) => {
  const response = await make(name)
  expect(response.status).toBe(name.includes('request') || name === 'on-ramp session' ? 201 : 200)
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  expect(calledAny()).toBe(true)
})

test.each(NAMES)('%s: 401 without cookie, header, or with what is of another session', async (name) => {
  const other = await newVisitor(server)
  const wrong = [
    { cookie: '' },
    { 'x-cashier-session': '' },
    { 'x-cashier-session': other.id },
    { cookie: other.cookie },
    { cookie: `__Host-cashier-${visitor.id}=forged` },
    { 'x-cashier-session': `${visitor.id}; x=y` },
    { 'x-cashier-session': '', cookie: '', origin: 'https://evil.example' },
  ]
  for (const headers of wrong) {
    const response = await make(name, headers)
    expect(response.status).toBe(401)
    expect(await problem(response)).toMatchObject({ code: 'unauthenticated' })
  }
  expect(calledAny()).toBe(false)
})

const OURS = 'https://cashier.example'
const ORIGINS = [OURS, 'https://shop.example', 'https://evil.example', 'http://cashier.example', 'null', ''] as const
const SITES = ['same-origin', 'same-site', 'cross-site', 'none', ''] as const

test.each(NAMES.flatMap((name) => ORIGINS.map((origin) => [name, origin] as const)))(
  '%s from origin "%s", however the browser says it came about',
  async (name, origin) => {
    for (const site of SITES) {
      const response = await make(name, { origin, 'sec-fetch-site': site })
      const own = site === 'same-origin' || site === ''
      const passes = CHANGING.includes(name)
        ? origin === OURS && own
        : (origin === OURS || origin === '') && (own || site === 'none')
      expect([site, response.status < 300]).toEqual([site, passes])
      if (!passes) {
        expect(response.status).toBe(403)
        expect(await problem(response)).toMatchObject({ code: 'forbidden_origin' })
      }
    }
  },
)

test('a flow that the session does not have is 403, and reads are for any', async () => {
  const historian = await newVisitor(server, { flows: ['history'] })
  for (const name of NAMES) {
    const response = await make(name, {}, historian)
    if (!CHANGING.includes(name)) expect(response.status).toBe(200)
    else expect(await problem(response)).toMatchObject({ status: 403, code: 'flow_not_allowed' })
  }
  const depositor = await newVisitor(server, { flows: ['deposit'] })
  expect((await make('deposit address', {}, depositor)).status).toBe(200)
  expect((await make('withdrawal request', {}, depositor)).status).toBe(403)
  expect((await make('on-ramp session', {}, depositor)).status).toBe(403)
})

test('the flow is asked before the body', async () => {
  const historian = await newVisitor(server, { flows: ['history'] })
  const response = await historian.call('/api/cashier/withdrawals', { method: 'POST', body: 'nonsense' })
  expect(response.status).toBe(403)
})

test.each([
  ['malformed JSON', '{', 'application/json', 422, 'invalid_request'],
  ['nothing', '', 'application/json', 422, 'invalid_request'],
  ['an array', '[]', 'application/json', 422, 'invalid_request'],
  ['a number for text', '{"currency_id":7}', 'application/json', 422, 'invalid_request'],
  ['another type', `{"currency_id":"${CURRENCY}"}`, 'text/plain', 415, 'unsupported_media_type'],
  ['a form', 'currency_id=x', 'application/x-www-form-urlencoded', 415, 'unsupported_media_type'],
  ['another charset', '{}', 'application/json; charset=utf-16', 415, 'unsupported_media_type'],
  ['too much', JSON.stringify({ currency_id: 'x'.repeat(17_000) }), 'application/json', 413, 'payload_too_large'],
  ['not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), 'application/json', 422, 'invalid_request'],
])('a body that is %s', async (_what, body, type, status, code) => {
  const response = await visitor.call('/api/cashier/deposit-addresses', {
    method: 'POST',
    body,
    headers: { 'content-type': type },
  })
  expect([response.status, (await problem(response))['code']]).toEqual([status, code])
  expect(useCases.getDepositAddress).not.toHaveBeenCalled()
})

test('a body that does not say how long it is, is stopped at its limit', async () => {
  let sent = 0
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += 1024
      controller.enqueue(new Uint8Array(1024).fill(0x20))
      if (sent > 10_000_000) controller.close()
    },
  })
  const init = { method: 'POST', body: endless, duplex: 'half' } as const
  const response = await visitor.call('/api/cashier/deposit-addresses', init).catch(() => null)
  // The connection may be cut before the answer is read; either way the body was not taken.
  expect(response?.status ?? 413).toBe(413)
  expect(sent).toBeLessThan(5_000_000)
  expect((await make('balances')).status).toBe(200)
})

test('JSON with a charset is JSON; what is not asked for is left out', async () => {
  const response = await visitor.call('/api/cashier/deposit-addresses', {
    method: 'POST',
    body: JSON.stringify({ currency_id: CURRENCY, __proto__: { a: 1 }, more: true }),
    headers: { 'content-type': 'application/json; charset=UTF-8' },
  })
  expect(response.status).toBe(200)
  expect(useCases.getDepositAddress).toHaveBeenCalledWith(expect.objectContaining({ id: visitor.id }), {
    currency_id: CURRENCY,
  })
})

test.each(['', 'short', 'x'.repeat(129)])('an idempotency key such as %j is refused by its name', async (key) => {
  const response = await make('withdrawal request', { 'idempotency-key': key })
  const body = await problem(response)
  expect(body).toMatchObject({ status: 422, code: 'invalid_request' })
  expect(body['errors']).toHaveProperty('Idempotency-Key')
})

test.each(['x'.repeat(8), 'x'.repeat(128)])('an idempotency key of the right length is passed on', async (key) => {
  expect((await make('withdrawal request', { 'idempotency-key': key })).status).toBe(201)
  expect(useCases.requestWithdrawal.mock.calls[0]?.[2]).toBe(key)
})

test('a withdrawal that the merchant declined is 403 in his words, with its id', async () => {
  useCases.requestWithdrawal.mockResolvedValue({ outcome: 'declined', withdrawal_id: 'w9', user_message: 'Not today.' })
  expect(await problem(await make('withdrawal request'))).toMatchObject({
    status: 403,
    code: 'declined',
    detail: 'Not today.',
    withdrawal_id: 'w9',
  })
})

test('only what is newly recorded counts towards the ten withdrawals a minute', async () => {
  for (let at = 0; at < 30; at += 1) expect((await make('withdrawal request')).status).toBe(201)
  useCases.requestWithdrawal.mockImplementation(async (_session, _input, _key, admit) => {
    await admit()
    return { outcome: 'recorded', withdrawal }
  })
  for (let at = 0; at < 10; at += 1) expect((await make('withdrawal request')).status).toBe(201)
  const response = await make('withdrawal request')
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  expect(await problem(response)).toMatchObject({ status: 429, code: 'rate_limited' })
  expect((await make('deposit address')).status).toBe(200)
})

test('on-ramp sessions and deposit addresses have limits of their own, by user over sessions', async () => {
  const user_reference_id = `player-${crypto.randomUUID()}`
  const [one, two] = [await newVisitor(server, { user_reference_id }), await newVisitor(server, { user_reference_id })]
  for (let at = 0; at < 10; at += 1) expect((await make('on-ramp session', {}, at % 2 ? one : two)).status).toBe(201)
  expect((await make('on-ramp session', {}, one)).status).toBe(429)
  for (let at = 0; at < 60; at += 1) expect((await make('deposit address', {}, at % 2 ? one : two)).status).toBe(200)
  expect((await make('deposit address', {}, two)).status).toBe(429)
  expect((await make('on-ramp session')).status).toBe(201)
})

test('600 other calls a minute', async () => {
  const statuses = await Promise.all(Array.from({ length: 605 }, async () => (await make('balances')).status))
  expect(statuses.filter((status) => status === 200)).toHaveLength(600)
  expect(statuses.filter((status) => status === 429)).toHaveLength(5)
})

test('ten streams a session', async () => {
  const open = (): Promise<Response> => visitor.call(`/api/cashier/events?session=${visitor.id}`)
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
  const response = await visitor.call(`/api/cashier/events?${query ?? `session=${visitor.id}`}`, { headers })
  expect((await problem(response))['status']).toBe(status)
})

test('launches: 60 a minute and address', async () => {
  const alone = await startTestServer({ config: testConfig(), databaseUrl: 'file::memory:' })
  try {
    const launch = (): Promise<Response> =>
      fetch(`${alone.url}/launch`, { method: 'POST', body: new URLSearchParams() })
    for (let at = 0; at < 60; at += 1) expect((await launch()).status).toBe(401)
    const refused = await launch()
    expect(refused.status).toBe(429)
    expect(refused.headers.get('content-type')).toContain('text/html')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  } finally {
    await alone.stop()
  }
})

test('behind proxies the client is the entry that the first of them wrote', async () => {
  const config = testConfig({ TRUST_PROXY: '1' })
  const behind = await startTestServer({ config, databaseUrl: 'file::memory:' })
  try {
    const launch = async (address: string): Promise<number> =>
      (
        await fetch(`${behind.url}/launch`, {
          method: 'POST',
          body: new URLSearchParams(),
          headers: { 'x-forwarded-for': `6.6.6.6, ${address}` },
        })
      ).status
    for (let at = 0; at < 60; at += 1) expect(await launch('192.0.2.1')).toBe(401)
    expect(await launch('192.0.2.1')).toBe(429)
    expect(await launch('192.0.2.2')).toBe(401)
  } finally {
    await behind.stop()
  }
})

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const
test.each([
  ['/api/cashier/currencies', 'GET'],
  ['/api/cashier/withdrawals', 'POST'],
  ['/api/cashier/events', 'GET'],
  ['/api/webhooks/gateway', 'POST'],
  ['/api/merchant/sessions', 'POST'],
  ['/api/merchant/sessions/x', 'DELETE'],
  ['/api/health/live', 'GET, HEAD'],
  ['/launch', 'GET, HEAD, POST'],
  ['/some/page', 'GET, HEAD'],
])('%s takes %s and nothing else', async (path, allow) => {
  for (const method of METHODS) {
    const response = await fetch(server.url + path, { method, redirect: 'manual' })
    await response.text()
    expect([method, response.status === 405]).toEqual([method, !allow.split(', ').includes(method)])
    if (response.status === 405) expect(response.headers.get('allow')).toBe(allow)
  }
})

test.each([...METHODS])('%s of what is not there below /api is 404', async (method) => {
  const response = await fetch(`${server.url}/api/nothing/here`, { method })
  expect(await problem(response)).toMatchObject({ status: 404, code: 'not_found' })
})

test.each(Object.entries(PROBLEM_STATUS) as [ProblemCode, number][])('%s is answered %i', async (code, status) => {
  useCases.listCurrencies.mockRejectedValue(new Problem(code, 'Words for people.', { cause: new Error('for logs') }))
  const body = await problem(await make('currencies'))
  expect(body).toMatchObject({ status, code, detail: 'Words for people.' })
  expect(JSON.stringify(body)).not.toContain('for logs')
})

test.each([
  ['a fault of ours', new Error('select secret from table'), 500, 'internal'],
  ['a thrown text', 'select secret', 500, 'internal'],
  ['PostgreSQL away', Object.assign(new Error('secret host'), { code: 'ECONNREFUSED' }), 503, 'store_unavailable'],
  ['PostgreSQL stopping', Object.assign(new Error('secret'), { code: '57P01' }), 503, 'store_unavailable'],
  ['SQLite full', Object.assign(new Error('secret'), { code: 'ERR_SQLITE_ERROR' }), 503, 'store_unavailable'],
])('%s tells the caller nothing of itself, and the log all', async (_what, thrown, status, code) => {
  useCases.listCurrencies.mockRejectedValue(thrown)
  const response = await make('currencies')
  const body = await problem(response)
  expect(body).toMatchObject({ status, code })
  expect(JSON.stringify(body)).not.toMatch(/secret|stack|at /)
  const line = server.lines.find(
    (one) => one.includes(String(body['request_id'])) && /"level":"(error|warn)"/.test(one),
  )
  expect(line).toBeDefined()
  if (thrown instanceof Error) expect(line).toContain('secret')
})

test('a merchant call needs one of the keys, before anything else is looked at', async () => {
  for (const authorization of ['', 'Bearer wrong', `Basic ${server.config.merchantApiKeys[0]}`]) {
    for (const [method, path] of [
      ['POST', '/api/merchant/sessions'],
      ['DELETE', '/api/merchant/sessions/x'],
      ['GET', '/api/merchant/events?limit=x'],
      ['GET', '/api/merchant/quarantine'],
      ['GET', '/api/merchant/users/a%20b/balances'],
      ['POST', '/api/merchant/users/u/adjustments'],
      ['POST', '/api/merchant/withdrawals/w/authorization'],
      ['POST', '/api/merchant/redeliveries'],
    ] as const) {
      const response = await fetch(server.url + path, { method, headers: { authorization } })
      expect(response.headers.get('www-authenticate')).toBe('Bearer')
      expect(await problem(response)).toMatchObject({ status: 401, code: 'unauthenticated' })
    }
  }
})

test("the merchant's keys rotate", async () => {
  const keys = ['k1'.repeat(16), 'k2'.repeat(16)]
  const config = testConfig({ MERCHANT_API_KEY: keys.join(',') })
  const rotated = await startTestServer({
    config,
    databaseUrl: 'file::memory:',
    useCases: { listMerchantEvents: () => Promise.resolve({ events: [], next_cursor: '0' }) },
  })
  try {
    for (const key of [...keys, 'k3'.repeat(16)]) {
      const headers = { authorization: `Bearer ${key}` }
      const { status } = await fetch(`${rotated.url}/api/merchant/events`, { headers })
      expect(status).toBe(keys.includes(key) ? 200 : 401)
    }
  } finally {
    await rotated.stop()
  }
})

test("the feeds' pages are read strictly", async () => {
  useCases.listMerchantEvents.mockResolvedValue({ events: [], next_cursor: '0' })
  useCases.listQuarantine.mockResolvedValue({ items: [], next_cursor: '0' })
  expect((await asMerchant(server, '/api/merchant/events')).status).toBe(200)
  expect((await asMerchant(server, '/api/merchant/events?after=17&limit=1000')).status).toBe(200)
  expect(useCases.listMerchantEvents.mock.calls).toEqual([
    [{ after: null, limit: 100 }],
    [{ after: '17', limit: 1000 }],
  ])
  for (const query of ['limit=0', 'limit=1001', 'limit=x', 'limit=', 'limit=1&limit=2']) {
    for (const feed of ['events', 'quarantine']) {
      const body = await problem(await asMerchant(server, `/api/merchant/${feed}?${query}`))
      expect(body).toMatchObject({ status: 422, code: 'invalid_request' })
      expect(body['errors']).toHaveProperty('limit')
    }
  }
})

test('an adjustment is 201 the first time and 200 again', async () => {
  const input = { currency_id: CURRENCY, amount: '-5.00', reference: 'order-1' }
  const adjust = (): Promise<Response> =>
    asMerchant(server, '/api/merchant/users/player-1/adjustments', { method: 'POST', body: JSON.stringify(input) })
  useCases.adjustBalance.mockResolvedValueOnce({ created: true, adjustment: input })
  expect((await adjust()).status).toBe(201)
  useCases.adjustBalance.mockResolvedValueOnce({ created: false, adjustment: input })
  const again = await adjust()
  expect([again.status, await again.json()]).toEqual([200, input])
  expect(useCases.adjustBalance).toHaveBeenCalledWith('player-1', input)
  const bad = await asMerchant(server, '/api/merchant/users/a%20b/adjustments', { method: 'POST', body: '{}' })
  expect(await problem(bad)).toMatchObject({ status: 422, errors: { user_reference_id: [expect.any(String)] } })
})

test('a merchant decides about a withdrawal', async () => {
  useCases.decideWithdrawal.mockResolvedValue(withdrawal)
  const decide = (body: object): Promise<Response> =>
    asMerchant(server, '/api/merchant/withdrawals/w1/authorization', { method: 'POST', body: JSON.stringify(body) })
  expect((await decide({ decision: 'approve', user_message: null })).status).toBe(200)
  expect((await decide({ decision: 'decline', user_message: 'No.' })).status).toBe(200)
  expect(useCases.decideWithdrawal.mock.calls).toEqual([
    ['w1', { decision: 'approve' }],
    ['w1', { decision: 'decline', user_message: 'No.' }],
  ])
  expect((await decide({ decision: 'postpone' })).status).toBe(422)
})

test('a session stands even where what waited for its user could not be applied', async () => {
  useCases.userBecameKnown.mockRejectedValue(new Error('not now'))
  const response = await asMerchant(server, '/api/merchant/sessions', {
    method: 'POST',
    body: '{"user_reference_id":"late"}',
  })
  expect(response.status).toBe(201)
  expect(useCases.userBecameKnown).toHaveBeenCalledWith('late')
  expect(server.lines.join()).toContain('not now')
})

test('metrics need their token, and count by the name of the route', async () => {
  expect((await fetch(`${server.url}/api/metrics`)).status).toBe(401)
  await make('balances')
  const response = await fetch(`${server.url}/api/metrics`, { headers: { authorization: 'Bearer metrics-token' } })
  const text = await response.text()
  expect(response.headers.get('content-type')).toContain('text/plain')
  expect(text).toMatch(/cashier_http_request_seconds_count\{route="cashier.balances",method="GET",status="200"\} \d+/)
  expect(text).toContain('cashier_streams')
  expect(text).not.toContain(visitor.id)
})

test('ready names what is not; live is live', async () => {
  const readiness = vi.fn(() => Promise.resolve<Record<string, string[]>>({ store: ['does not answer'] }))
  const alone = await startTestServer({ config: testConfig(), databaseUrl: 'file::memory:', readiness })
  try {
    const unready = await fetch(`${alone.url}/api/health/ready`)
    expect(await problem(unready)).toMatchObject({ status: 503, errors: { store: ['does not answer'] } })
    expect((await fetch(`${alone.url}/api/health/ready`, { method: 'HEAD' })).status).toBe(503)
    readiness.mockResolvedValue({})
    expect((await fetch(`${alone.url}/api/health/ready`)).status).toBe(200)
    expect((await fetch(`${alone.url}/api/health/live`, { method: 'HEAD' })).status).toBe(200)
  } finally {
    await alone.stop()
  }
})

test('the log has one line a request, by route and id, and never an address with a token', async () => {
  const response = await fetch(`${server.url}/launch?token=a-token-that-nobody-may-read`)
  await response.text()
  const id = response.headers.get('x-request-id') ?? ''
  await vi.waitFor(() => expect(server.lines.filter((line) => line.includes(id))).toHaveLength(1))
  const line: unknown = JSON.parse(server.lines.find((one) => one.includes(id)) ?? '')
  expect(line).toMatchObject({ level: 'info', route: 'launch', method: 'GET', status: 200, request_id: id })
  const all = server.lines.join()
  expect(all).not.toContain('a-token-that-nobody-may-read')
  expect(all).not.toContain(visitor.cookie.split('=')[1])
  expect(all).not.toContain(server.config.merchantApiKeys[0])
})
