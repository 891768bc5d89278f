/**
 * Tests docs/explanation/page-api.md, "Page API", call by call: who has access, what is refused with which message, and
 * the form of the answers.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { KnownAddressList, Withdrawal } from '#lib/contract/cashier.ts'
import { requestLaunch, type PageClient } from './page.ts'
import { startSystem, type System } from './start-system.ts'

const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7'
let system: System
let page: PageClient
beforeAll(async () => {
  system = await startSystem({ cashier: { RATE_LIMIT: 'off' } })
  page = await system.page('reader')
  await system.merchant.adjust('reader', system.currency('ETH Ethereum'), '1000')
})
afterAll(() => system.close())

const READS = [
  '/currencies',
  '/transactions',
  '/balances',
  `/withdrawals/${randomUUID()}`,
  `/addresses?currency_id=${randomUUID()}`,
  `/onramp-sessions/${randomUUID()}`,
  '/events',
]
const CHANGES: readonly (readonly [string, string, () => object])[] = [
  ['/deposit-addresses', 'deposit', () => ({ currency_id: system.currency('ETH Ethereum') })],
  [
    '/withdrawals',
    'withdraw',
    () => ({ currency_id: system.currency('ETH Ethereum'), amount: '1', wallet_address: WALLET }),
  ],
  [
    '/onramp-sessions',
    'buy',
    () => ({ currency_id: system.currency('ETH Ethereum'), amount: '50', fiat_currency: 'EUR', country: 'DE' }),
  ],
]
const KEY = { 'idempotency-key': 'a-key-of-a-test' }

interface Asked {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** Calls `/api{path}` with only the given headers and body. */
async function ask(path: string, { method = 'GET', headers = {}, body }: Asked = {}) {
  const response = await fetch(`${system.publicUrl}/api${path}`, {
    method,
    headers: {
      ...headers,
      ...(body !== undefined && { 'content-type': headers['content-type'] ?? 'application/json' }),
    },
    ...(body !== undefined && { body }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: JSON.parse(text) as Record<string, unknown> }
}

const without = (name: string): Record<string, string> =>
  Object.fromEntries(Object.entries(page.headers).filter(([header]) => header !== name))

const expectProblem = (answer: Awaited<ReturnType<typeof ask>>, status: number, code: string): void => {
  expect([answer.status, answer.body['code']]).toEqual([status, code])
  expect(answer.headers.get('content-type')).toBe('application/problem+json')
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(answer.body).toMatchObject({
    type: expect.any(String) as unknown,
    title: expect.any(String) as unknown,
    status,
    detail: expect.any(String) as unknown,
    request_id: answer.headers.get('x-request-id'),
  })
}

describe('authentication', () => {
  test.each(READS)('GET %s needs a cookie and a header of the same session', async (path) => {
    const other = await system.page('reader')
    for (const headers of [
      {},
      without('cookie'),
      without('x-cashier-session'),
      { ...page.headers, cookie: other.headers['cookie'] ?? '' },
    ]) {
      expectProblem(await ask(`/cashier${path}`, { headers }), 401, 'unauthenticated')
    }
  })

  test.each(CHANGES)('POST %s also needs them, the flow %s, and our own Origin', async (path, flow, order) => {
    const body = JSON.stringify(order())
    const call = (headers: Readonly<Record<string, string>>) =>
      ask(`/cashier${path}`, { method: 'POST', body, headers: { ...KEY, ...headers } })
    for (const name of ['cookie', 'x-cashier-session']) expectProblem(await call(without(name)), 401, 'unauthenticated')
    for (const origin of ['https://evil.example', 'null', `${system.publicUrl}.evil.example`])
      expectProblem(await call({ ...page.headers, origin }), 403, 'forbidden_origin')
    expectProblem(await call(without('origin')), 403, 'forbidden_origin')
    expectProblem(await call({ ...page.headers, 'sec-fetch-site': 'cross-site' }), 403, 'forbidden_origin')
    const others = (['deposit', 'withdraw', 'buy', 'history'] as const).filter((one) => one !== flow)
    const narrow = await system.page('reader', { flows: others })
    expectProblem(await call(narrow.headers), 403, 'flow_not_allowed')
  })

  test.each(CHANGES)('POST %s accepts only currencies of the session', async (path, _name, order) => {
    const narrow = await system.page('reader', { currency_ids: [system.currency('BTC Bitcoin')] })
    expect((await narrow.post(path, order(), KEY)).body['code']).toBe('not_found')
    expect((await page.post(path, { ...order(), currency_id: randomUUID() }, KEY)).body['code']).toBe('not_found')
  })

  test('currency_ids limits the offered currencies, not balances and history', async () => {
    const narrow = await system.page('reader', { currency_ids: [system.currency('BTC Bitcoin')] })
    const { currencies } = (await narrow.get<{ currencies: { id: string }[] }>('/currencies')).body
    expect(currencies.map(({ id }) => id)).toEqual([system.currency('BTC Bitcoin')])
    expect((await narrow.balance(system.currency('ETH Ethereum'))).available).not.toBe('0')
  })
})

describe('refused requests', () => {
  const bad = (body: string, headers: Readonly<Record<string, string>> = {}) =>
    ask('/cashier/withdrawals', { method: 'POST', body, headers: { ...page.headers, ...KEY, ...headers } })

  test.each([
    ['no JSON', '{"amount":', {}, 422, 'invalid_request'],
    ['an empty body', '', {}, 422, 'invalid_request'],
    ['no object', '[]', {}, 422, 'invalid_request'],
    ['text', '{}', { 'content-type': 'text/plain' }, 415, 'unsupported_media_type'],
    ['a form', 'a=b', { 'content-type': 'application/x-www-form-urlencoded' }, 415, 'unsupported_media_type'],
    ['too much', JSON.stringify({ amount: 'x'.repeat(17_000) }), {}, 413, 'payload_too_large'],
  ] as const)('%s', async (_name, body, headers, status, code) => {
    expectProblem(await bad(body, headers), status, code)
  })

  test.each([
    '0',
    '0.0',
    '-1',
    '+1',
    '1e3',
    '.5',
    '5.',
    '',
    ' 1',
    '1,5',
    'NaN',
    '9'.repeat(61),
    `0.${'1'.repeat(31)}`,
    '0x10',
  ])('the amount %j', async (amount) => {
    const { status, body } = await page.withdraw({
      currency_id: system.currency('ETH Ethereum'),
      amount,
      wallet_address: WALLET,
    })
    expect([status, body.code, Object.keys((body as { errors?: object }).errors ?? {})]).toEqual([
      422,
      'invalid_request',
      ['amount'],
    ])
  })

  test.each([
    '',
    'a b',
    'ä'.repeat(10),
    'x'.repeat(257),
    'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
    'bc1q36x7gejx58azv778qs3qdmdprsyc63u6krqvfh',
    '0x52908400098527886E0F7030069857D2E4169Ee7',
    '0x52908400098527886E0F7030069857D2E4169EE',
  ])('the address %j', async (wallet_address) => {
    const { status, body } = await page.withdraw({
      currency_id: system.currency('ETH Ethereum'),
      amount: '1',
      wallet_address,
    })
    expect([status, body.code, Object.keys((body as { errors?: object }).errors ?? {})]).toEqual([
      422,
      'invalid_request',
      ['wallet_address'],
    ])
  })

  test.each([[undefined], ['1234567'], ['k'.repeat(129)]])('the key %s', async (key) => {
    const order = { currency_id: system.currency('ETH Ethereum'), amount: '1', wallet_address: WALLET }
    const { status, body } = await page.post('/withdrawals', order, key === undefined ? {} : { 'idempotency-key': key })
    expect([status, body['code'], Object.keys(body['errors'] as object)]).toEqual([
      422,
      'invalid_request',
      ['Idempotency-Key'],
    ])
  })

  test('fields that are missing or not text, all together', async () => {
    const { body } = await page.post('/withdrawals', { amount: 1 }, KEY)
    expect(Object.keys(body['errors'] as object).sort()).toEqual(['amount', 'currency_id', 'wallet_address'])
  })

  test.each([
    ['POST', '/cashier/balances', 'GET'],
    ['DELETE', '/cashier/withdrawals', 'POST'],
    ['PUT', '/cashier/events', 'GET'],
    ['GET', '/webhooks/gateway', 'POST'],
    ['PATCH', '/merchant/events', 'GET'],
  ])('%s %s is 405', async (method, path, allow) => {
    const answer = await ask(path, { method, headers: page.headers })
    expectProblem(answer, 405, 'method_not_allowed')
    expect(answer.headers.get('allow')).toContain(allow)
  })

  test.each(['/nothing', '/cashier', '/merchant/users/a/b/balances', '/cashier/balances/x'])(
    '/api%s is 404',
    async (path) => {
      expectProblem(await ask(path, { headers: page.headers }), 404, 'not_found')
    },
  )
})

describe('answers', () => {
  test('a withdrawal has the documented fields; the longest amounts and keys are accepted', async () => {
    const amount = `0.${'0'.repeat(29)}1`
    const order = { currency_id: system.currency('ETH Ethereum'), amount, wallet_address: 'x' }
    const { status, body } = await page.withdraw({ ...order, wallet_address: WALLET }, '~'.repeat(128))
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(String) as unknown,
      status: 'processing',
      amount,
      currency: 'ETH',
      network: 'Ethereum',
      wallet_address: WALLET,
      requires_approval: false,
      transaction_uuid: null,
      failure_reason: null,
      user_message: null,
      review: [],
      wait_until: null,
      awaits_decision: false,
    })
    const asked = await page.get<Withdrawal>(`/withdrawals/${body.id}`)
    expect({ ...asked.body, transaction_uuid: null }).toEqual(body)
  })

  test('a withdrawal that needs an approval has that status', async () => {
    const order = { currency_id: system.currency('ETH Ethereum'), amount: '1.0701', wallet_address: WALLET }
    expect((await page.withdraw(order)).body).toMatchObject({ status: 'awaiting_approval', requires_approval: true })
  })

  test.each(['array', 'object'])('currencies of a gateway that lists them as %s', async (currencies_form) => {
    await system.control.call('PATCH', '/modes', { currencies_form })
    const { currencies } = (await page.get<{ currencies: Record<string, unknown>[] }>('/currencies')).body
    expect(currencies).toHaveLength(14)
    expect(currencies.find(({ id }) => id === system.currency('ETH Ethereum'))).toMatchObject({
      name: 'Ether',
      currency_code: 'ETH',
      symbol: 'Ξ',
      network: 'Ethereum',
    })
  })

  test("another user's withdrawal and an unknown id are 404", async () => {
    const order = { currency_id: system.currency('ETH Ethereum'), amount: '1.5', wallet_address: WALLET }
    const { id } = (await page.withdraw(order)).body
    const stranger = await system.page('stranger')
    for (const one of [id, randomUUID(), 'x']) expect((await stranger.get(`/withdrawals/${one}`)).status).toBe(404)
  })

  test('addresses that the user sent to are listed, named and forgotten; for others each is 404', async () => {
    const sender = await system.page('sender')
    const currency_id = system.currency('ETH Ethereum')
    await system.merchant.adjust('sender', currency_id, '10')
    const list = () => sender.get<KnownAddressList>(`/addresses?currency_id=${currency_id}`)
    expect((await list()).body.addresses).toEqual([])
    const { id } = (await sender.withdraw({ currency_id, amount: '1', wallet_address: WALLET })).body
    const { withdrawals } = (await system.control.call('GET', '/withdrawals?user_reference=sender')) as {
      withdrawals: { transaction_uuid: string }[]
    }
    await system.control.call('POST', `/withdrawals/${withdrawals[0]?.transaction_uuid ?? ''}/complete`)
    await vi.waitFor(
      async () => expect((await sender.get(`/withdrawals/${id}`)).body).toMatchObject({ status: 'succeeded' }),
      20_000,
    )
    const [sent] = (await list()).body.addresses
    expect(sent).toEqual({
      id: expect.any(String) as unknown,
      address: WALLET,
      name: null,
      last_sent_at: expect.stringMatching(/^\d{4}-.*Z$/) as unknown,
    })
    const change = async (method: string, who: PageClient, body?: object) => {
      const headers = { ...who.headers, 'content-type': 'application/json' }
      const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
      return (await fetch(`${system.publicUrl}/api/cashier/addresses/${sent?.id ?? ''}`, init)).status
    }
    const stranger = await system.page('stranger')
    expect(await change('PUT', stranger, { name: 'Mine' })).toBe(404)
    expect(await change('DELETE', stranger)).toBe(404)
    for (const name of ['x'.repeat(41), 'a\nb', 7]) expect(await change('PUT', sender, { name })).toBe(422)
    expect(await change('PUT', sender, { name: 'x'.repeat(40) })).toBe(200)
    expect((await list()).body.addresses[0]?.name).toBe('x'.repeat(40))
    expect(await change('PUT', sender, { name: '' })).toBe(200)
    expect((await list()).body.addresses[0]?.name).toBeNull()
    expect(await change('DELETE', sender)).toBe(204)
    expect((await list()).body).toEqual({ addresses: [], others: [] })
    expect(await change('DELETE', sender)).toBe(404)
  })

  test('the stream: its headers, new events, events after an id, and reset for an id that is not stored', async () => {
    // A user without withdrawals, because events of withdrawals would come in between.
    const listener = await system.page('listener')
    const stream = await listener.stream()
    expect([stream.status, stream.headers.get('content-type'), stream.headers.get('cache-control')]).toEqual([
      200,
      'text/event-stream',
      'no-cache, no-transform',
    ])
    expect(stream.headers.has('x-request-id')).toBe(true)
    expect(stream.events).toEqual([])
    await system.merchant.adjust('listener', system.currency('ETH Ethereum'), '1')
    await vi.waitFor(() => expect(stream.events.map(({ type }) => type)).toEqual(['balance']))
    const last = Number(stream.events[0]?.id)
    stream.cut()
    await system.merchant.adjust('listener', system.currency('ETH Ethereum'), '1')
    const resumed = await listener.stream(String(last))
    await vi.waitFor(() => expect(resumed.events.map(({ id }) => Number(id))).toEqual([last + 1]))
    resumed.cut()
    const lost = await listener.stream(String(last + 1000))
    await vi.waitFor(() => expect(lost.events.map(({ type, id }) => [type, Number(id)])).toEqual([['reset', last + 1]]))
    lost.cut()
  })
})

describe('launch', () => {
  const launch = async (token: string, origin?: string) => {
    const response = await fetch(`${system.publicUrl}/launch`, {
      method: 'POST',
      redirect: 'manual',
      headers: origin === undefined ? {} : { origin },
      body: new URLSearchParams({ launch_token: token }),
    })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }

  test.each([[undefined], ['null'], ['own']])(
    'with the Origin %s: 303 to the session with its cookie',
    async (origin) => {
      const session = await system.merchant.createSession({ user_reference_id: 'launcher' })
      const { status, headers } = await launch(session.launch_token, origin === 'own' ? system.publicUrl : origin)
      expect([status, headers.get('location')]).toEqual([303, `/c/${session.session_id}/deposit`])
      const [cookie = ''] = headers.getSetCookie()
      expect(cookie.startsWith(`__Host-cashier-${session.session_id}=`)).toBe(true)
      for (const part of ['HttpOnly', 'Secure', 'SameSite=None', 'Partitioned', 'Path=/', 'Max-Age='])
        expect(cookie).toContain(part)
    },
  )

  test('used 410, invalid 401, from another origin 403; each is a page, none sets a cookie', async () => {
    const session = await system.merchant.createSession({ user_reference_id: 'launcher' })
    const foreign = await launch(session.launch_token, 'https://evil.example')
    expect((await requestLaunch(system.publicUrl, session.launch_token)).status).toBe(303)
    const used = await launch(session.launch_token)
    const made = await launch(`${session.launch_token.slice(0, -3)}AAA`)
    const nothing = await launch('')
    expect([foreign, used, made, nothing].map(({ status }) => status)).toEqual([403, 410, 401, 401])
    for (const { headers, text } of [foreign, used, made, nothing]) {
      expect(headers.getSetCookie()).toEqual([])
      expect(headers.get('content-type')).toContain('text/html')
      expect(headers.has('x-request-id')).toBe(true)
      expect(text).not.toContain(session.launch_token)
    }
  })

  test('a GET of the launch URL does not use up the token', async () => {
    const session = await system.merchant.createSession({ user_reference_id: 'launcher' })
    for (const method of ['GET', 'HEAD', 'GET']) expect((await fetch(session.launch_url, { method })).status).toBe(200)
    expect((await requestLaunch(system.publicUrl, session.launch_token)).status).toBe(303)
  })

  test('a session that has ended is 401, its stream ends, and its cookie is cleared by the next launch', async () => {
    const ending = await system.page('leaver')
    const stream = await ending.stream()
    await system.merchant.endSession(ending.session.session_id)
    await stream.ended
    expect((await ending.get('/balances')).body['code']).toBe('session_ended')
    const session = await system.merchant.createSession({ user_reference_id: 'leaver' })
    const response = await fetch(`${system.publicUrl}/launch`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie: ending.headers['cookie'] ?? '' },
      body: new URLSearchParams({ launch_token: session.launch_token }),
    })
    const cleared = response.headers.getSetCookie().filter((cookie) => cookie.includes('Max-Age=0'))
    expect(cleared.map((cookie) => cookie.split('=', 1)[0])).toEqual([`__Host-cashier-${ending.session.session_id}`])
  })
})
