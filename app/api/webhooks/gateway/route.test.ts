import { request as httpRequest } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { testConfig } from '#lib/server/runtime/testing/config.ts'
import { startTestServer, type TestServer } from '#lib/server/runtime/testing/test-server.ts'
import type { IncomingWebhook } from '#lib/server/webhooks/receive-webhook.ts'
import type { UseCases } from '#lib/server/runtime/compose-use-cases.ts'

const receiveWebhook = vi.fn<UseCases['receiveWebhook']>()
let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ config: testConfig(), databaseUrl: 'file::memory:', useCases: { receiveWebhook } })
})
afterAll(() => server.stop())
beforeEach(() => {
  receiveWebhook.mockReset().mockResolvedValue({ status: 200, duplicate: false })
})

const SIGNED = ['X-Signature', 'AAAA', 'X-Timestamp', '1700000000', 'X-Algorithm', 'RSA-SHA256'] as const

/** Posts the headers unchanged, repeated headers too. */
const post = (body: Buffer, headers: readonly string[] = SIGNED) =>
  new Promise<{ status: number; text: string; type: string | undefined }>((resolve, reject) => {
    const sent = httpRequest(
      `${server.url}/api/webhooks/gateway`,
      { method: 'POST', headers: ['host', 'x', 'content-length', String(body.length), ...headers] },
      (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk
        })
        response.once('end', () => {
          resolve({ status: response.statusCode ?? 0, text, type: response.headers['content-type'] })
        })
      },
    )
    sent.once('error', reject)
    sent.end(body)
  })

const received = (): IncomingWebhook => receiveWebhook.mock.calls[0]![0]

test('the bytes arrive unchanged: a byte order mark, bad UTF-8, line ends', async () => {
  const bytes = Buffer.from([0xef, 0xbb, 0xbf, 0x7b, 0x0d, 0x0a, 0xff, 0x7d, 0x00])
  await post(bytes)
  expect(Buffer.from(received().rawBody)).toEqual(bytes)
})

test('signature and timestamp are passed on unchanged, and header names may be in any case', async () => {
  await post(Buffer.from('{}'), ['x-signature', 'one, two', 'X-TIMESTAMP', '1700000000', 'X-algorithm', 'RSA-SHA256'])
  expect(received()).toMatchObject({
    signature: 'one, two',
    timestamp: '1700000000',
  })
})

test.each([
  ['missing', []],
  ['repeated', [...SIGNED, 'x-signature', 'BBBB']],
  ['with another algorithm', ['X-Signature', 'AAAA', 'X-Timestamp', '1700000000', 'X-Algorithm', 'HS256']],
  ['with a malformed timestamp', ['X-Signature', 'AAAA', 'X-Timestamp', '01700000000', 'X-Algorithm', 'RSA-SHA256']],
])('signature headers %s: refused before the body is read', async (_what, headers) => {
  const answer = await new Promise<number>((resolve, reject) => {
    const sent = httpRequest(
      `${server.url}/api/webhooks/gateway`,
      { method: 'POST', headers: ['host', 'x', 'content-length', '100000', ...headers] },
      (response) => {
        response.resume()
        resolve(response.statusCode ?? 0)
        sent.destroy()
      },
    )
    sent.once('error', reject)
    sent.flushHeaders()
  })
  expect(answer).toBe(401)
  expect(receiveWebhook).not.toHaveBeenCalled()
})

test('unverified bodies share one limit; when large bodies are refused, small bodies are still accepted', async () => {
  const { unverifiedBodies } = server.app
  const held = unverifiedBodies.meter()
  const before = unverifiedBodies.held()
  held.add(1)
  held.release()
  const large = Array.from({ length: 64 }, () => unverifiedBodies.meter())
  for (const meter of large) meter.add((16 * 1024 * 1024) / 64)
  try {
    const refused = await post(Buffer.alloc(20_000, 0x20))
    expect(refused.status).toBe(503)
    expect(JSON.parse(refused.text)).toMatchObject({ code: 'store_unavailable' })
    expect(receiveWebhook).not.toHaveBeenCalled()
    expect((await post(Buffer.from('{}'))).status).toBe(200)
  } finally {
    for (const meter of large) meter.release()
  }
  expect((await post(Buffer.alloc(20_000, 0x20))).status).toBe(200)
  expect(unverifiedBodies.held()).toBe(before)
})

test('each result has its status and body', async () => {
  const first = await post(Buffer.from('{}'))
  expect(first).toEqual({ status: 200, text: '{"received":true,"duplicate":false}', type: 'application/json' })
  receiveWebhook.mockResolvedValue({ status: 200, duplicate: true })
  expect((await post(Buffer.from('{}'))).text).toBe('{"received":true,"duplicate":true}')

  receiveWebhook.mockResolvedValue({ status: 401, detail: 'The signature is wrong.' })
  const unsigned = await post(Buffer.from('{}'))
  expect(unsigned).toMatchObject({ status: 401, type: 'application/problem+json' })
  expect(JSON.parse(unsigned.text)).toMatchObject({
    status: 401,
    code: 'unauthenticated',
    detail: 'The signature is wrong.',
  })

  receiveWebhook.mockResolvedValue({ status: 400, detail: 'A key is repeated.' })
  const unread = await post(Buffer.from('{}'))
  expect(unread.status).toBe(400)
  expect(JSON.parse(unread.text)).toMatchObject({ status: 400, code: 'invalid_request', detail: 'A key is repeated.' })
})

test('a body of 256 KiB is accepted, one byte more is refused', async () => {
  expect((await post(Buffer.alloc(256 * 1024, 0x20))).status).toBe(200)
  expect(received().rawBody.byteLength).toBe(256 * 1024)
  const over = await post(Buffer.alloc(256 * 1024 + 1, 0x20))
  expect([over.status, (JSON.parse(over.text) as { code: string }).code]).toEqual([413, 'payload_too_large'])
  expect(receiveWebhook).toHaveBeenCalledTimes(1)
})

test('a store that cannot commit gives 503, so that the sender tries again', async () => {
  receiveWebhook.mockRejectedValue(Object.assign(new Error('disk I/O error'), { code: 'ERR_SQLITE_ERROR' }))
  const answer = await post(Buffer.from('{}'))
  expect(answer.status).toBe(503)
  expect(answer.text).not.toContain('disk')
})

test('the log has the reason of a refused webhook, without its body or signature', async () => {
  const refusals = () =>
    server.lines
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ msg, route }) => msg === 'refused' && route === 'webhooks.gateway')
  const before = refusals().length
  const secret = 'c2VjcmV0LXNpZ25hdHVyZQ=='
  const body = Buffer.from('{"secret":"of-the-body"}')
  const signed = ['X-Signature', secret, ...SIGNED.slice(2)]

  await post(body, SIGNED.slice(0, 4))
  receiveWebhook.mockResolvedValue({ status: 401, detail: 'The signature is wrong.' })
  await post(body, signed)
  receiveWebhook.mockResolvedValue({ status: 400, detail: 'A key is repeated.' })
  await post(body, signed)
  await post(Buffer.alloc(256 * 1024 + 1, 0x20), signed)

  expect(refusals().slice(before)).toEqual([
    expect.objectContaining({ code: 'unauthenticated', reason: 'X-Algorithm must be sent once' }),
    expect.objectContaining({ code: 'unauthenticated', reason: 'The signature is wrong.' }),
    expect.objectContaining({ code: 'invalid_request', reason: 'A key is repeated.' }),
    expect.objectContaining({ code: 'payload_too_large', reason: 'The body may have at most 256 KiB.' }),
  ])
  for (const line of refusals()) expect(line['request_id']).toEqual(expect.any(String))
  for (const line of server.lines) {
    expect(line).not.toContain(secret)
    expect(line).not.toContain('of-the-body')
  }
})
