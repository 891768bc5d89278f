/** Answers that every route shares: methods, problems, health, metrics, log lines. */
import { expect, test, vi } from 'vitest'
import { Problem, PROBLEM_STATUS, type ProblemCode } from '#lib/contract/problems.ts'
import { BrokenInvariant } from '../ledger/invariant.ts'
import { TEST_VERSION, testConfig } from './testing/config.ts'
import { problem, setUpApi } from './testing/api-harness.ts'
import { startTestServer } from './testing/test-server.ts'
import { asMerchant } from './testing/visitor.ts'

const api = setUpApi()

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
])('%s allows only %s', async (path, allow) => {
  for (const method of METHODS) {
    const response = await fetch(api.server.url + path, { method, redirect: 'manual' })
    await response.text()
    expect([method, response.status === 405]).toEqual([method, !allow.split(', ').includes(method)])
    if (response.status === 405) expect(response.headers.get('allow')).toBe(allow)
  }
})

test.each([...METHODS])('%s of an unknown path below /api is 404', async (method) => {
  const response = await fetch(`${api.server.url}/api/nothing/here`, { method })
  expect(await problem(response)).toMatchObject({ status: 404, code: 'not_found' })
})

test.each(Object.entries(PROBLEM_STATUS) as [ProblemCode, number][])('%s is answered %i', async (code, status) => {
  api.useCases.listCurrencies.mockRejectedValue(
    new Problem(code, 'A text for people.', { cause: new Error('for logs') }),
  )
  const body = await problem(await api.make('currencies'))
  expect(body).toMatchObject({ status, code, detail: 'A text for people.' })
  expect(JSON.stringify(body)).not.toContain('for logs')
})

test.each([
  ['an internal fault', new Error('select secret from table'), 500, 'internal'],
  ['a thrown text', 'select secret', 500, 'internal'],
  ['PostgreSQL away', Object.assign(new Error('secret host'), { code: 'ECONNREFUSED' }), 503, 'store_unavailable'],
  ['PostgreSQL stopping', Object.assign(new Error('secret'), { code: '57P01' }), 503, 'store_unavailable'],
  ['SQLite full', Object.assign(new Error('secret'), { code: 'ERR_SQLITE_ERROR' }), 503, 'store_unavailable'],
])('%s gives the caller no detail, and the log every detail', async (_what, thrown, status, code) => {
  api.useCases.listCurrencies.mockRejectedValue(thrown)
  const response = await api.make('currencies')
  const body = await problem(response)
  expect(body).toMatchObject({ status, code })
  expect(JSON.stringify(body)).not.toMatch(/secret|stack|at /)
  const line = api.server.lines.find(
    (one) => one.includes(String(body['request_id'])) && /"level":"(error|warn)"/.test(one),
  )
  expect(line).toBeDefined()
  if (thrown instanceof Error) expect(line).toContain('secret')
})

test.each([
  ['a call', new BrokenInvariant('balance_loaded', 'u c1'), 500],
  [
    'an event',
    new Problem('store_unavailable', 'Send it again.', { cause: new BrokenInvariant('balance_loaded', 'u c1') }),
    503,
  ],
])(
  'an invariant that %s breaks is an error in the log, with its name, and is not in the answer',
  async (_, thrown, status) => {
    api.useCases.listCurrencies.mockRejectedValue(thrown)
    const body = await problem(await api.make('currencies'))
    expect(body['status']).toBe(status)
    expect(JSON.stringify(body)).not.toContain('balance_loaded')
    const lines = api.server.lines.filter((one) => one.includes(String(body['request_id'])))
    expect(lines.filter((one) => one.includes('"level":"error"') && one.includes('balance_loaded'))).toHaveLength(1)
  },
)

test('metrics need their token, and count by the name of the route', async () => {
  expect((await fetch(`${api.server.url}/api/metrics`)).status).toBe(401)
  await api.make('balances')
  const response = await fetch(`${api.server.url}/api/metrics`, {
    headers: { authorization: 'Bearer metrics-token-0123' },
  })
  const text = await response.text()
  expect(response.headers.get('content-type')).toContain('text/plain')
  expect(text).toMatch(/cashier_http_request_seconds_count\{route="cashier.balances",method="GET",status="200"\} \d+/)
  expect(text).toContain('cashier_streams')
  expect(text).not.toContain(api.visitor.id)
})

test('without a token, only direct calls from this machine get metrics', async () => {
  const alone = await startTestServer({ config: testConfig(), databaseUrl: 'file::memory:' })
  try {
    const ask = (headers: Record<string, string> = {}) => fetch(`${alone.url}/api/metrics`, { headers })
    expect((await ask()).status).toBe(200)
    expect((await ask({ authorization: 'Bearer anything' })).status).toBe(200)
    for (const name of ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip', 'x-forwarded-host']) {
      const refused = await ask({ [name]: '127.0.0.1' })
      expect(await problem(refused), name).toMatchObject({ status: 404, code: 'not_found' })
    }
    // A header that only our own server may set is dropped.
    expect((await ask({ 'x-cashier-local': '1', via: '1.1 proxy' })).status).toBe(404)
  } finally {
    await alone.stop()
  }
})

test('`ready` names what is not ready; `live` is always 200', async () => {
  const readiness = vi.fn(() => Promise.resolve<Record<string, string[]>>({ store: ['does not answer'] }))
  const alone = await startTestServer({ config: testConfig(), databaseUrl: 'file::memory:', readiness })
  try {
    const unready = await fetch(`${alone.url}/api/health/ready`)
    expect(await problem(unready)).toMatchObject({ status: 503, errors: { store: ['does not answer'] } })
    expect((await fetch(`${alone.url}/api/health/ready`, { method: 'HEAD' })).status).toBe(503)
    readiness.mockResolvedValue({})
    const ready = await fetch(`${alone.url}/api/health/ready`)
    expect([ready.status, await ready.json()]).toEqual([200, { status: 'ready', ...TEST_VERSION }])
    expect((await fetch(`${alone.url}/api/health/live`, { method: 'HEAD' })).status).toBe(200)
  } finally {
    await alone.stop()
  }
})

test('the log has one line per request, with route and id, and never a URL with a token', async () => {
  const response = await fetch(`${api.server.url}/launch?token=a-token-that-nobody-may-read`)
  await response.text()
  const id = response.headers.get('x-request-id') ?? ''
  await vi.waitFor(() => expect(api.server.lines.filter((line) => line.includes(id))).toHaveLength(1))
  const line: unknown = JSON.parse(api.server.lines.find((one) => one.includes(id)) ?? '')
  expect(line).toMatchObject({ level: 'info', route: 'launch', method: 'GET', status: 200, request_id: id })
  const all = api.server.lines.join()
  expect(all).not.toContain('a-token-that-nobody-may-read')
  expect(all).not.toContain(api.visitor.cookie.split('=')[1])
  expect(all).not.toContain(api.server.config.merchantApiKeys[0])
})

test('refusals with their reasons are in the log, and so are begin and end of sessions', async () => {
  const refused = await api.make('currencies', { cookie: '' })
  const id = refused.headers.get('x-request-id') ?? ''
  const lines = (): readonly Record<string, unknown>[] =>
    api.server.lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(lines()).toContainEqual(
    expect.objectContaining({ msg: 'refused', request_id: id, route: 'cashier.currencies', code: 'unauthenticated' }),
  )
  await asMerchant(api.server, `/api/merchant/sessions/${api.visitor.id}`, { method: 'DELETE' })
  const life = lines().filter((line) => line['session_id'] === api.visitor.id)
  expect(life.map((line) => line['msg'])).toEqual([
    'a session was created',
    'a session was launched',
    'a session was ended by the merchant',
  ])
})
