/** Attacks by a client on our sockets, while other clients are answered. */
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { testConfig } from './testing/config.ts'
import { startTestServer, type TestServer } from './testing/test-server.ts'

let server: TestServer
const sockets: Socket[] = []
beforeAll(async () => {
  server = await startTestServer({
    config: testConfig(),
    databaseUrl: 'file::memory:',
    useCases: { receiveWebhook: async () => ({ status: 200, duplicate: false }) },
    limits: { headersTimeout: 400, requestTimeout: 800, connectionsCheckingInterval: 50 },
  })
})
afterAll(() => server.stop())
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})

function open(): Socket {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  socket.on('error', () => undefined)
  sockets.push(socket)
  return socket
}

/** Everything received until the other side closes. */
async function answerOn(socket: Socket): Promise<string> {
  let text = ''
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk
  })
  await new Promise((resolve) => socket.once('close', resolve))
  return text
}

const others = async (): Promise<number> => (await fetch(`${server.url}/api/health/live`)).status
const PATHS = ['/api/webhooks/gateway', '/launch', '/api/merchant/sessions'] as const
const TYPES = { '/launch': 'application/x-www-form-urlencoded' } as Readonly<Record<string, string>>
const head = (path: string, ...lines: string[]): string =>
  [
    `POST ${path} HTTP/1.1`,
    'Host: x',
    `Authorization: Bearer ${server.config.merchantApiKeys[0]}`,
    `Content-Type: ${TYPES[path] ?? 'application/json'}`,
    'X-Signature: AAAA',
    'X-Timestamp: 1700000000',
    'X-Algorithm: RSA-SHA256',
    ...lines,
    '',
    '',
  ].join('\r\n')

test.each(PATHS)('a too slow body is cut off, and other calls are answered (%s)', async (path) => {
  const slow = Array.from({ length: 50 }, () => {
    const socket = open()
    socket.write(head(path, 'Content-Length: 1000'))
    const drip = setInterval(() => socket.write('x'), 50)
    socket.once('close', () => clearInterval(drip))
    return answerOn(socket)
  })
  expect(await others()).toBe(200)
  await Promise.all(slow)
  expect(await others()).toBe(200)
})

test('a too slow head is cut off', async () => {
  const socket = open()
  socket.write('GET /api/health/live HTTP/1.1\r\nHost: x\r\n')
  const drip = setInterval(() => socket.write('X-A: b\r\n'), 50)
  const answer = await answerOn(socket)
  clearInterval(drip)
  expect(answer).toMatch(/^HTTP\/1\.1 408 /)
})

test.each(PATHS)('a body over the limit is refused before it is read to its end (%s)', async (path) => {
  for (const length of ['Content-Length: 300000000', 'Transfer-Encoding: chunked']) {
    const socket = open()
    socket.write(head(path, length))
    const chunk = length.startsWith('T') ? `4000\r\n${'x'.repeat(0x4000)}\r\n` : 'x'.repeat(0x4000)
    const pour = setInterval(() => socket.write(chunk), 1)
    const answer = await answerOn(socket)
    clearInterval(pour)
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
    expect(await others()).toBe(200)
  }
})

test('a head over 16 KiB is refused', async () => {
  const socket = open()
  socket.write(`GET /api/health/live HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(17_000)}\r\n\r\n`)
  expect(await answerOn(socket)).toMatch(/^HTTP\/1\.1 431 /)
})

test('a too long URL matches no route', async () => {
  const response = await fetch(`${server.url}/c/${'x'.repeat(9000)}`)
  expect(response.status).toBe(404)
})

test.each(['websocket', 'h2c'])('nothing is upgraded to %s', async (protocol) => {
  const socket = open()
  socket.write(
    `GET /api/health/live HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, close\r\nUpgrade: ${protocol}\r\n` +
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n',
  )
  expect(await answerOn(socket)).toMatch(/^HTTP\/1\.1 200 /)
})

test('a client that disconnects in the middle of a body affects nobody, and is no fault of ours', async () => {
  const before = server.lines.length
  for (const path of PATHS) {
    const socket = open()
    socket.write(`${head(path, 'Content-Length: 1000')}{"half":`)
    await sleep(30)
    socket.destroy()
  }
  await sleep(100)
  expect(await others()).toBe(200)
  expect(server.lines.slice(before).join()).not.toMatch(/"level":"(error|fatal)"/)
})

test('a request with contradicting lengths (request smuggling) is refused', async () => {
  const socket = open()
  socket.write(
    head('/api/webhooks/gateway', 'Content-Length: 5', 'Transfer-Encoding: chunked') +
      '0\r\n\r\nGET / HTTP/1.1\r\n\r\n',
  )
  expect(await answerOn(socket)).toMatch(/^HTTP\/1\.1 400 /)
})
