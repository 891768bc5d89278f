import { createPublicKey, generateKeyPairSync, randomUUID, verify } from 'node:crypto'
import * as http from 'node:http'
import * as net from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { decimal } from '#lib/contract/money.ts'
import { canonicalText } from './signing.ts'
import { createGatewayClient, type CallReport, type GatewayClientOptions } from './client.ts'
import type { GatewayError } from './errors.ts'
import type { Exchange, Gateway } from './types.ts'
import { sampleTransactionRecord } from './testing/sample-record.ts'

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const publicKey = createPublicKey(privateKey)

const opened: (() => unknown)[] = []
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close()
})

async function listen(server: net.Server): Promise<string> {
  const sockets = new Set<net.Socket>()
  server.on('connection', (socket: net.Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  opened.push(() => {
    for (const socket of sockets) socket.destroy()
    return new Promise((resolve) => server.close(resolve))
  })
  return `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`
}

interface Seen {
  readonly method: string
  readonly url: string
  readonly headers: http.IncomingHttpHeaders
  readonly body: string
}

/** An HTTP server that records its requests and answers with `answer`. */
async function gatewayThat(answer: (response: http.ServerResponse, seen: readonly Seen[]) => void) {
  const seen: Seen[] = []
  const url = await listen(
    http.createServer((request, response) => {
      const { method = '', url: target = '', headers } = request
      let body = ''
      request.on('data', (chunk: Buffer) => (body += chunk.toString()))
      request.on('end', () => {
        seen.push({ method, url: target, headers, body })
        answer(response, seen)
      })
    }),
  )
  return { url, seen }
}

/** A server on bare sockets that counts the requests that reached it. */
async function socketsThat(act: (socket: net.Socket, request: string) => void) {
  const requests: string[] = []
  const url = await listen(
    net.createServer((socket) => {
      socket.on('data', (data) => {
        requests.push(data.toString())
        act(socket, data.toString())
      })
    }),
  )
  return { url, requests }
}

function clientFor(baseUrl: string, more: Partial<GatewayClientOptions> = {}): Gateway {
  const client = createGatewayClient({
    baseUrl,
    apiKey: 'key-1',
    privateKey,
    signQuery: 'bare',
    timeoutMs: 60_000,
    clock: Date.now,
    newNonce: randomUUID,
    ...more,
  })
  opened.push(() => client.close())
  return client
}

const json = (response: http.ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

const failure = async (call: Promise<unknown>): Promise<GatewayError> => {
  try {
    await call
  } catch (error) {
    return error as GatewayError
  }
  throw new Error('the call succeeded')
}

const request = {
  currency_id: 'c1',
  amount: decimal('0.10'),
  wallet_address: 'T1',
  user_reference_id: 'user_1',
}
const reply = { amount: '0.10', currency: 'USDT', requires_approval: true, status: 'Processing', wallet_address: 'T1' }

test('a repeated history is the first one; another content, or the same with another status, is read', async () => {
  const node = { ...sampleTransactionRecord(), to_address: 'T1' }
  const page_info = { start_cursor: null, end_cursor: null, has_next_page: false, has_previous_page: false }
  const list = (status: string) => ({
    edges: [{ cursor: 'c', inserted_at: node.inserted_at, node: { ...node, status } }],
    page_info,
    total_count: 1,
  })
  const answers = [
    [200, list('A')],
    [200, list('A')],
    [200, list('B')],
    [404, list('B')],
    [200, list('B')],
  ] as const
  const { url, seen } = await gatewayThat((response) => {
    const [status, body] = answers[seen.length - 1] ?? answers[0]
    json(response, status, body)
  })
  const client = clientFor(url)
  const first = await client.showUserTransactions('user_1', { first: 20 })
  expect(await client.showUserTransactions('user_1', { first: 20 })).toBe(first)
  const changed = await client.showUserTransactions('user_1', { first: 20 })
  expect(changed.edges.map((edge) => edge.node.status)).toEqual(['B'])
  expect(await failure(client.showUserTransactions('user_1', { first: 20 }))).toMatchObject({ status: 404 })
  expect(await client.showUserTransactions('user_1', { first: 20 })).toBe(changed)
  expect(seen).toHaveLength(5)
})

test('a call names its currency as the last list spells it', async () => {
  const id = 'abcdef12-3456-4789-8abc-def012345678'
  let listed = id.toUpperCase()
  const { url, seen } = await gatewayThat((response, requests) => {
    const isList = requests.at(-1)?.method === 'GET'
    json(response, 200, isList ? [{ id: listed, currency_code: 'USDT', network: 'Tron' }] : reply)
  })
  const client = clientFor(url)
  await client.withdraw({ ...request, currency_id: id })
  for (listed of [id.toUpperCase(), id]) {
    expect(await client.listCurrencies()).toMatchObject([{ id }])
    await client.withdraw({ ...request, currency_id: id })
    await client.withdraw({ ...request, currency_id: 'C1' })
  }
  const sent = seen
    .filter(({ method }) => method === 'POST')
    .map(({ body }) => (JSON.parse(body) as typeof request).currency_id)
  expect(sent).toEqual([id, id.toUpperCase(), 'C1', id, 'C1'])
})

test('the signature of each request covers the bytes sent, under the path of the base address', async () => {
  const { url, seen } = await gatewayThat((response) => json(response, 200, reply))
  await clientFor(`${url}/pay ments/%7Emerchant/`).withdraw(request)
  const [{ method, url: path, headers, body }] = seen as [Seen]
  expect(path).toBe('/pay%20ments/%7Emerchant/v1/user/withdraw')
  expect(headers).toMatchObject({ 'content-type': 'application/json', 'x-api-key': 'key-1' })
  expect(body).toBe('{"currency_id":"c1","amount":"0.10","wallet_address":"T1","user_reference_id":"user_1"}')
  const text = canonicalText({ method, path, nonce: String(headers['x-api-nonce']), query: '', body }, 'bare')
  const signature = Buffer.from(String(headers['x-api-signature']), 'base64')
  expect(verify('RSA-SHA256', Buffer.from(text), publicKey, signature)).toBe(true)
})

test.each([
  ['bare', 'a=1&b=%20'],
  ['question-mark', '?a=1&b=%20'],
] as const)('a query in the base address is sent, and signed %s', async (signQuery, query) => {
  const { url, seen } = await gatewayThat((response) => json(response, 200, []))
  await clientFor(`${url}/?a=1&b=%20`, { signQuery }).listCurrencies()
  const [{ url: target, headers, body }] = seen as [Seen]
  expect(target).toBe('/v1/merchant/currencies?a=1&b=%20')
  expect(body).toBe('')
  expect(headers['content-type']).toBeUndefined()
  const text = `GET/v1/merchant/currencies${String(headers['x-api-nonce'])}${query}`
  const signature = Buffer.from(String(headers['x-api-signature']), 'base64')
  expect(verify('RSA-SHA256', Buffer.from(text), publicKey, signature)).toBe(true)
})

test('a list for display leaves out unreadable records and reports it; a list as proof is refused', async () => {
  const node = sampleTransactionRecord({ transaction_uuid: 't1', to_address: 'T1' })
  const edges = [node, { ...node, inserted_at: 'yesterday' }].map((one) => ({
    cursor: 'c',
    inserted_at: node.inserted_at,
    node: one,
  }))
  const page_info = { start_cursor: 'c', end_cursor: 'c', has_next_page: false, has_previous_page: false }
  const { url } = await gatewayThat((response) => json(response, 200, { edges, page_info, total_count: 2 }))
  const leftOut: unknown[] = []
  const warn = vi.fn()
  const client = clientFor(url, { log: { warn }, onLeftOut: (...told) => leftOut.push(told) })
  for (const list of [await client.showUserTransactions('user_1'), await client.showMerchantTransactions()]) {
    expect(list.edges.map((edge) => edge.node.transaction_uuid)).toEqual(['t1'])
    expect(list.left_out).toBe(1)
  }
  expect(leftOut).toEqual([
    ['transactions', 1],
    ['transactions', 1],
  ])
  expect(warn).toHaveBeenCalledTimes(2)
  expect(await failure(client.listUserTransactions('user_1'))).toMatchObject({ kind: 'unreadable' })
})

test('all six fields of a list are sent, and absent ones are left out', async () => {
  const list = {
    edges: [],
    page_info: { start_cursor: null, end_cursor: null, has_next_page: false, has_previous_page: false },
    total_count: 0,
  }
  const { url, seen } = await gatewayThat((response) => json(response, 200, list))
  const client = clientFor(url)
  const query = {
    first: 5,
    after: 'é a',
    last: 6,
    before: 'b',
    time_range: 'today',
    transaction_types: ['Deposit'],
  } as const
  expect(await client.listUserTransactions('user_1', query)).toEqual(list)
  await client.listUserTransactions('user_1')
  await client.listMerchantTransactions()
  expect(seen.map(({ body }) => JSON.parse(body) as unknown)).toEqual([
    { user_reference_id: 'user_1', ...query },
    { user_reference_id: 'user_1' },
    {},
  ])
  expect(seen[0]?.body).toContain('"\\u00e9\\u0020a"')
})

interface Fault {
  readonly name: string
  readonly act: (socket: net.Socket) => void
  readonly kind: string
  readonly timeoutMs?: number
}
const head = (status: string, length: number): string => `HTTP/1.1 ${status}\r\ncontent-length: ${length}\r\n`
const FAULTS: readonly Fault[] = [
  { name: 'cut without an answer', act: (socket) => socket.destroy(), kind: 'outcome_unknown' },
  { name: 'reset', act: (socket) => socket.resetAndDestroy(), kind: 'outcome_unknown' },
  {
    name: 'cut within the body',
    act: (socket) => socket.end(`${head('200 OK', 99)}\r\n{"am`),
    kind: 'outcome_unknown',
  },
  {
    name: 'cut within a chunked body',
    act: (socket) => socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"am'),
    kind: 'outcome_unknown',
  },
  { name: 'garbage instead of HTTP', act: (socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n'), kind: 'unreadable' },
  { name: 'never answered', act: () => undefined, kind: 'outcome_unknown', timeoutMs: 2000 },
  {
    name: 'a body that never ends',
    act: (socket) => socket.write(`${head('200 OK', 99)}\r\n{"am`),
    kind: 'outcome_unknown',
    timeoutMs: 2000,
  },
  {
    name: 'a redirect',
    act: (socket) => socket.end(`${head('307 Temporary Redirect', 0)}location: /v1/user/withdraw\r\n\r\n`),
    kind: 'outcome_unknown',
  },
  { name: 'no JSON', act: (socket) => socket.end(`${head('200 OK', 6)}\r\n<html>`), kind: 'unreadable' },
  { name: 'an empty body', act: (socket) => socket.end(`${head('200 OK', 0)}\r\n`), kind: 'unreadable' },
  {
    name: 'a duplicate key',
    act: (socket) => socket.end(`${head('200 OK', 13)}\r\n{"a":1,"a":1}`),
    kind: 'unreadable',
  },
  {
    name: '3 MiB',
    act: (socket) => socket.end(`${head('200 OK', 3 << 20)}\r\n"${'x'.repeat((3 << 20) - 2)}"`),
    kind: 'unreadable',
  },
  {
    name: '3 MiB of unknown length',
    act: (socket) => socket.end(`HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n"${'x'.repeat(3 << 20)}"`),
    kind: 'unreadable',
  },
  {
    name: 'an upgrade without a request for it',
    act: (socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
    kind: 'unreadable',
  },
  {
    name: 'compressed unasked',
    act: (socket) => socket.end(`${head('200 OK', 3)}content-encoding: gzip\r\n\r\n\x1f\x8b\x08`),
    kind: 'unreadable',
  },
  {
    name: 'a server error',
    act: (socket) => socket.end(`${head('500 Oops', 2)}\r\n{}`),
    kind: 'outcome_unknown',
  },
]

test.each(FAULTS)('a withdrawal is sent once and ends as $kind: $name', async ({ act, kind, timeoutMs = 60_000 }) => {
  const { url, requests } = await socketsThat(act)
  const error = await failure(clientFor(url, { timeoutMs }).withdraw(request))
  expect({ kind: error.kind, operation: error.operation, sent: requests.length }).toEqual({
    kind,
    operation: 'withdraw',
    sent: 1,
  })
})

test('a withdrawal is not sent if the machine slept while its connection was opened', async () => {
  const { url, seen } = await gatewayThat((response) => json(response, 200, reply))
  // Read at the begin of the call, before its connection is asked for, and once it is open.
  const times = [0, 0, 3_600_000]
  const uptimeMs = () => times.shift() ?? 3_600_000
  // When the machine woke up, its clock was set back.
  const slept = clientFor(url, { timeoutMs: 1000, clock: () => 0, uptimeMs })
  expect((await failure(slept.withdraw(request))).kind).toBe('unreachable')
  expect(seen).toEqual([])
})

test('a clock that is set back during a call gives no attempt more time than a call has', async () => {
  let isSetBack = false
  const { url, seen } = await gatewayThat((response) => {
    if (seen.length === 1) json(response, 503, {})
    isSetBack = true
  })
  const clock = (): number => (isSetBack ? 0 : 3_600_000)
  const began = performance.now()
  expect((await failure(clientFor(url, { timeoutMs: 200, clock }).listCurrencies())).kind).toBe('outcome_unknown')
  expect([seen.length, performance.now() - began < 5000]).toEqual([3, true])
})

test('an error whose message is a number is not a refusal of a withdrawal', async () => {
  const { url } = await gatewayThat((response) => {
    response.statusCode = 400
    response.end('{"message":5}')
  })
  expect((await failure(clientFor(url).withdraw(request))).kind).toBe('unreadable')
})

test('a reply of exactly 2 MiB is read', async () => {
  const list = JSON.stringify([{ id: 'c1', name: 'n', currency_code: 'A', symbol: 's', network: 'w', more: '' }])
  const { url } = await gatewayThat((response) =>
    response.end(list.replace('"more":""', `"more":"${'x'.repeat(2 * 1024 * 1024 - list.length)}"`)),
  )
  expect(await clientFor(url).listCurrencies()).toHaveLength(1)
})

async function closedPort(): Promise<string> {
  const server = net.createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as net.AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return `127.0.0.1:${port}`
}

test.each([
  ['refuses', async () => `http://${await closedPort()}`],
  ['has no address', () => Promise.resolve('http://gateway.invalid')],
  ['does not speak TLS', async () => (await socketsThat((socket) => socket.end('no'))).url.replace('http:', 'https:')],
  ['does not answer a TLS greeting', async () => (await socketsThat(() => undefined)).url.replace('http:', 'https:')],
])('if the gateway %s, nothing was sent', async (_name, address) => {
  const reports: CallReport[] = []
  const client = clientFor(await address(), { timeoutMs: 2000, onCall: (report) => reports.push(report) })
  expect((await failure(client.withdraw(request))).kind).toBe('unreachable')
  expect(reports).toMatchObject([{ operation: 'withdraw', outcome: 'unreachable', attempts: 1 }])
})

test('an invalid withdrawal is not sent: an address with a space, an amount of zero', async () => {
  const { url, seen } = await gatewayThat((response) => json(response, 200, reply))
  const client = clientFor(url)
  expect(await failure(client.withdraw({ ...request, wallet_address: 'T 1' }))).toMatchObject({
    kind: 'validation',
    fields: { wallet_address: [expect.any(String)] },
  })
  expect(await failure(client.withdraw({ ...request, amount: decimal('0.0') }))).toMatchObject({ kind: 'validation' })
  expect((await failure(client.withdraw({ ...request, wallet_address: 'x'.repeat(257) }))).kind).toBe('validation')
  expect(seen).toEqual([])
})

test('a read is sent again with a new nonce until it succeeds', async () => {
  const reports: CallReport[] = []
  const { url, seen } = await gatewayThat((response, { length }) => {
    if (length === 1) response.destroy()
    else json(response, length === 2 ? 503 : 200, [])
  })
  expect(await clientFor(url, { onCall: (report) => reports.push(report) }).listCurrencies()).toEqual([])
  expect(new Set(seen.map(({ headers }) => headers['x-api-nonce'])).size).toBe(3)
  expect(reports).toMatchObject([{ operation: 'list_currencies', outcome: 'ok', attempts: 3 }])
})

test.each([
  [500, 3],
  [302, 1],
  [400, 1],
  [401, 1],
  [429, 1],
  [422, 1],
])('a read answered with %s is sent %s times', async (status, times) => {
  const { url, seen } = await gatewayThat((response) => json(response, status, { message: 'no' }))
  await failure(clientFor(url).listCurrencies())
  expect(seen).toHaveLength(times)
})

test('a call that must not be repeated is sent once, under any answer', async () => {
  const { url, seen } = await gatewayThat((response) => json(response, 503, { message: 'no' }))
  const client = clientFor(url)
  await failure(client.createDepositAddress({ currency_id: 'c1', user_reference: 'user_1' }))
  await failure(client.createPaymentSession({ payment_type: 'ON_RAMP', country: 'DE', currency_id: 'c1' }))
  await failure(client.linkExternalWallet({ currency_id: 'c1', user_reference: 'user_1' }))
  await failure(client.withdraw(request))
  expect(seen.map(({ url: path }) => path)).toEqual([
    '/v1/user/deposit/address',
    '/v1/user/payments',
    '/v1/user/deposit/link_external_wallet',
    '/v1/user/withdraw',
  ])
})

test('a caller is told the texts of each exchange, in which the secrets of the request are struck', async () => {
  const { url, seen } = await gatewayThat((response) => {
    const { 'x-api-key': key, 'x-api-nonce': nonce, 'x-api-signature': signature } = response.req.headers
    json(response, 422, { error: 'no', echoed: [key, nonce, signature] })
  })
  const made: Exchange[] = []
  const tell = { onExchange: (exchange: Exchange) => made.push(exchange) }
  await failure(clientFor(url).withdraw(request, tell))
  expect(made).toMatchObject([
    { request: seen[0]?.body, status: 422, reply: '{"error":"no","echoed":["[struck]","[struck]","[struck]"]}' },
  ])
  expect(made[0]!.endedMs).toBeGreaterThanOrEqual(made[0]!.startedMs)
  await failure(clientFor('http://127.0.0.1:1').withdraw(request, tell))
  expect(made[1]).toMatchObject({ request: seen[0]?.body, status: null, reply: null })
})

test('the time limit of a call includes its retries', async () => {
  const { url, seen } = await gatewayThat((response) => setTimeout(() => json(response, 503, {}), 900))
  const error = await failure(clientFor(url, { timeoutMs: 1500 }).listCurrencies())
  expect(error.kind).toMatch(/^(?:outcome_unknown|unreachable)$/)
  expect(seen.length).toBeLessThan(3)
})

test('a caller can abort a call', async () => {
  const { url, seen } = await gatewayThat(() => undefined)
  const signal = AbortSignal.timeout(2000)
  expect((await failure(clientFor(url).listCurrencies({ signal }))).kind).toBe('outcome_unknown')
  expect((await failure(clientFor(url).listCurrencies({ signal: AbortSignal.abort() }))).kind).toBe('unreachable')
  expect(seen).toHaveLength(1)
})

test('reads share a connection; a withdrawal never uses a connection that the gateway may be closing', async () => {
  const used: net.Socket[] = []
  const { url } = await gatewayThat((response) => {
    if (response.socket) used.push(response.socket)
    json(response, 200, response.req.url === '/v1/user/withdraw' ? reply : [])
  })
  const client = clientFor(url)
  await client.listCurrencies()
  await client.listCurrencies()
  await client.withdraw(request)
  await client.listCurrencies()
  expect(used[1]).toBe(used[0])
  expect(used[2]).not.toBe(used[0])
  expect(used[3]).toBe(used[0])
})

test('an address is requested over a kept connection, and only once if the gateway has begun to answer', async () => {
  const used: net.Socket[] = []
  const { url } = await gatewayThat((response) => {
    if (response.socket) used.push(response.socket)
    if (used.length < 3)
      json(response, 200, response.req.method === 'GET' ? [] : { address: 'a', currency: 'c', network: 'n' })
    else response.writeHead(200, { 'content-length': '99' }).write('{', () => response.destroy())
  })
  const client = clientFor(url)
  const ask = () => client.createDepositAddress({ currency_id: 'c', user_reference: 'u' })
  await client.listCurrencies()
  await ask()
  expect(used[1]).toBe(used[0])
  expect((await failure(ask())).kind).toBe('outcome_unknown')
  expect(used).toHaveLength(3)
})

test('a kept connection that the gateway closes while it is idle harms no call', async () => {
  const address = { address: 'T1', currency: 'USDT', network: 'Tron' }
  const { url } = await socketsThat((socket, text) => {
    const body = JSON.stringify(text.includes('/withdraw') ? reply : text.includes('/address') ? address : [])
    const isFirst = !socket.listenerCount('end-of-first')
    socket.on('end-of-first', () => undefined)
    if (isFirst) socket.write(`${head('200 OK', body.length)}\r\n${body}`)
    else socket.resetAndDestroy()
  })
  const client = clientFor(url)
  for (let round = 0; round < 5; round += 1) {
    expect(await client.listCurrencies()).toEqual([])
    expect((await client.withdraw(request)).status).toBe('Processing')
    expect(await client.createDepositAddress({ currency_id: 'c', user_reference: 'u' })).toEqual(address)
  }
})

test.each([
  'ftp://gateway.example',
  'https://user@gateway.example',
  'https://gateway.example/#part',
  'gateway.example',
])('%s is not a valid base address', (baseUrl) => {
  expect(() => clientFor(baseUrl)).toThrow(TypeError)
})

test('secrets stay out of the log and of errors', async () => {
  const logged: unknown[] = []
  const { url } = await gatewayThat((response) => json(response, 401, { message: 'invalid api key' }))
  const log = { warn: (...entry: unknown[]) => logged.push(entry) }
  const error = await failure(clientFor(url, { apiKey: 'secret-key', log }).listCurrencies())
  expect(error.kind).toBe('authentication')
  expect(logged).toHaveLength(1)
  expect(JSON.stringify([logged, error, error.message])).not.toContain('secret-key')
})

/** A gateway that refuses pages of more records than this, by this field of its reply. */
async function gatewayWithPagesOf(most: number, field?: string) {
  const page_info = { start_cursor: null, end_cursor: null, has_next_page: false, has_previous_page: false }
  const sizes: number[] = []
  const { url } = await gatewayThat((response, seen) => {
    const { first, last } = JSON.parse(seen.at(-1)?.body ?? '') as { first?: number; last?: number }
    sizes.push(first ?? last ?? 0)
    const name = field ?? (first === undefined ? 'last' : 'first')
    if ((first ?? last ?? 0) <= most) json(response, 200, { edges: [], page_info, total_count: 0 })
    else json(response, 422, { error: 'Invalid', errors: { [name]: [`must be at most ${String(most)}`] } })
  })
  return { client: clientFor(url), sizes }
}

test('a page that is refused for its size is asked for in halves, and later pages ask for no more', async () => {
  const { client, sizes } = await gatewayWithPagesOf(30)
  await client.listUserTransactions('user_1', { first: 100 })
  await client.listUserTransactions('user_1', { last: 100, before: 'c' })
  await client.listMerchantTransactions({ first: 20 })
  await client.showUserTransactions('user_1', { first: 26 })
  await client.showMerchantTransactions()
  expect(sizes).toEqual([100, 50, 25, 25, 20, 25, 0])
})

test('a page that is refused for another field, or with a single record, is refused, and nothing is learned', async () => {
  const other = await gatewayWithPagesOf(30, 'after')
  expect(await failure(other.client.listUserTransactions('user_1', { first: 100 }))).toMatchObject({
    kind: 'validation',
  })
  expect(other.sizes).toEqual([100])
  const none = await gatewayWithPagesOf(0)
  for (const sizes of [
    [8, 4, 2, 1],
    [8, 4, 2, 1],
  ]) {
    none.sizes.length = 0
    expect(await failure(none.client.listUserTransactions('user_1', { first: 8 }))).toMatchObject({
      kind: 'validation',
    })
    expect(none.sizes).toEqual(sizes)
  }
})
