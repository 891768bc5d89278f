import { expect, test } from 'vitest'
import * as contract from '#lib/contract/cashier.ts'
import { createBffClient, type BffClientOptions } from './bff-client.ts'
import { endsSession, RequestFailure } from './request-failure.ts'

const problem = {
  type: 'about:blank',
  title: 't',
  status: 503,
  detail: 'down',
  code: 'gateway_unavailable',
  request_id: 'r1',
}

function client(answer: (path: string, init: RequestInit) => Promise<Response>, over: Partial<BffClientOptions> = {}) {
  return createBffClient({
    sessionId: 's1',
    fetch: answer,
    loadSchemas: () => Promise.resolve(contract),
    isOnline: () => true,
    timeoutMs: 1000,
    ...over,
  })
}

const balances = (answer: () => Promise<Response>, over: Partial<BffClientOptions> = {}) =>
  client(answer, over).get('balances', (schemas) => schemas.balancesSchema)

const failure = async (call: Promise<unknown>): Promise<RequestFailure> => {
  const error: unknown = await call.then(
    () => null,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(RequestFailure)
  return error as RequestFailure
}

test('it sends the session and the Idempotency-Key', async () => {
  const seen: [string, RequestInit][] = []
  const post = client(async (path, init) => {
    seen.push([path, init])
    return Response.json({ address: 'a', currency: 'USDT', network: 'Tron' })
  })
  await post.post('deposit-addresses', { currency_id: 'c' }, (schemas) => schemas.depositAddressSchema, 'key-12345')
  const [path, init] = seen[0]!
  expect(path).toBe('/api/cashier/deposit-addresses')
  expect(init).toMatchObject({ method: 'POST', body: '{"currency_id":"c"}', credentials: 'same-origin' })
  expect(init.headers).toMatchObject({
    'x-cashier-session': 's1',
    'content-type': 'application/json',
    'idempotency-key': 'key-12345',
  })
})

test('another change has its method, and may have an empty answer', async () => {
  const seen: [string, RequestInit][] = []
  const one = client(async (path, init) => {
    seen.push([path, init])
    return new Response(null, { status: 204 })
  })
  await one.send('DELETE', 'addresses/a', undefined, (schemas) => schemas.nothingSchema)
  await one.send('PUT', 'addresses/a', { name: 'n' }, (schemas) => schemas.nothingSchema)
  expect(seen.map(([path, { method, body }]) => [path, method, body])).toEqual([
    ['/api/cashier/addresses/a', 'DELETE', undefined],
    ['/api/cashier/addresses/a', 'PUT', '{"name":"n"}'],
  ])
})

test('every response is parsed', async () => {
  const good = { currency_id: 'c', currency_code: 'USDT', network: 'Tron', available: '1', held: '0' }
  expect(await balances(async () => Response.json({ balances: [good] }))).toEqual({ balances: [good] })
  const bad = await failure(balances(async () => Response.json({ balances: [{ ...good, available: 1 }] })))
  expect(bad.code).toBe('unreadable')
})

test('a problem keeps its code, request id, detail and Retry-After', async () => {
  const error = await failure(
    balances(async () => Response.json(problem, { status: 503, headers: { 'retry-after': '12' } })),
  )
  expect(error.code).toBe('gateway_unavailable')
  expect(error.details).toEqual({ requestId: 'r1', detail: 'down', retryAfterS: 12 })
})

test.each([
  [500, 'gateway_unavailable'],
  [429, 'rate_limited'],
  [404, 'unreadable'],
])('a %i without our problem body is %s', async (status, code) => {
  const error = await failure(
    balances(async () => new Response('<html>', { status, headers: { 'x-request-id': 'r2' } })),
  )
  expect(error.code).toBe(code)
  expect(error.details.requestId).toBe('r2')
})

test.each([429, 500, 502, 504])(
  'with an Idempotency-Key, a %i without our problem body leaves open whether the call was carried out',
  async (status) => {
    const one = client(async () => new Response('<html>', { status }))
    const error = await failure(one.post('withdrawals', {}, (schemas) => schemas.withdrawalSchema, 'key'))
    expect(error.code).toBe('unreadable')
  },
)

test('an unknown code is `internal`', async () => {
  const error = await failure(balances(async () => Response.json({ ...problem, code: 'toString' }, { status: 500 })))
  expect(error.code).toBe('internal')
})

test('without a response it is `offline` or `timeout`', async () => {
  const cut = () => Promise.reject(new TypeError('failed to fetch'))
  expect((await failure(balances(cut))).code).toBe('offline')
  const hang = (_path: string, { signal }: RequestInit) =>
    new Promise<Response>((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')))
    })
  const slow = client(hang, { timeoutMs: 5 }).get('balances', (schemas) => schemas.balancesSchema)
  expect((await failure(slow)).code).toBe('timeout')
})

test('a call aborted by its caller is not a RequestFailure', async () => {
  const controller = new AbortController()
  const call = client(
    (_path, { signal }) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')))
      }),
  ).get('balances', (schemas) => schemas.balancesSchema, controller.signal)
  controller.abort()
  await expect(call).rejects.toThrow('aborted')
})

test('only these codes end the session', () => {
  expect(endsSession(new RequestFailure('unauthenticated', { requestId: null }))).toBe(true)
  expect(endsSession(new RequestFailure('session_ended', { requestId: null }))).toBe(true)
  expect(endsSession(new RequestFailure('forbidden_origin', { requestId: null }))).toBe(false)
  expect(endsSession(new Error('unauthenticated'))).toBe(false)
})
