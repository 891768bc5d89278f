/** Uses raw sockets, since no client library sends such requests. */
import { once } from 'node:events'
import type { RequestListener, Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { finish, listen, SERVER_LIMITS } from './server.ts'

const LIMITS = { ...SERVER_LIMITS, headersTimeout: 200, requestTimeout: 400, connectionsCheckingInterval: 50 }
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

let server: Server
const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await finish(server, 100)
})

const asked: string[] = []
const answerAll: RequestListener = (request, response) => {
  asked.push(request.url ?? '')
  request.resume().once('end', () => response.end('fine'))
}

async function open(listener = answerAll): Promise<Socket> {
  asked.length = 0
  const listening = await listen({ port: 0, host: '127.0.0.1' }, listener, LIMITS)
  server = listening.server
  const socket = connect(listening.port, '127.0.0.1').on('error', () => undefined)
  sockets.push(socket)
  return socket
}

/** Everything received until the other side closes. */
async function textOf(socket: Socket): Promise<string> {
  let text = ''
  socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
  await new Promise((resolve) => socket.once('close', resolve))
  return text
}

/** Parses the one answer in this text. */
function read(text: string) {
  const [head = '', body = ''] = text.split('\r\n\r\n')
  const [statusLine = '', ...lines] = head.split('\r\n')
  const headers = Object.fromEntries(lines.map((line) => line.split(': ') as [string, string]))
  return { statusLine, headers, body }
}

const HOST = 'Host: x\r\n'
const BODY = 'Content-Length: 10\r\n\r\nabc'

test.each([
  [
    '17 KiB of cookies',
    `GET / HTTP/1.1\r\n${HOST}Cookie: a=${'b'.repeat(17 * 1024)}\r\n\r\n`,
    '431 Request Header Fields Too Large',
  ],
  ['a malformed request line', 'GET nothing at all\r\n\r\n', '400 Bad Request'],
  ['another protocol', '\x16\x03\x01\x02\x00\x01', '400 Bad Request'],
  ['headers without an end', `GET / HTTP/1.1\r\n${HOST}`, '408 Request Timeout'],
  ['a body without an end', `POST / HTTP/1.1\r\n${HOST}${BODY}`, '408 Request Timeout'],
  ['no host', 'GET / HTTP/1.1\r\n\r\n', '400 Bad Request'],
  ['two hosts', `GET / HTTP/1.1\r\n${HOST}HOST: y\r\n\r\n`, '400 Bad Request'],
  ['the same host twice', `GET / HTTP/1.1\r\n${HOST}${HOST}\r\n`, '400 Bad Request'],
  ['two hosts in the older protocol', `GET / HTTP/1.0\r\n${HOST}${HOST}\r\n`, '400 Bad Request'],
  ['an unknown expectation', `GET / HTTP/1.1\r\n${HOST}Expect: miracles\r\n\r\n`, '417 Expectation Failed'],
  [
    'chunk extensions without end',
    `POST / HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n3;${'a'.repeat(20_000)}\r\nabc\r\n`,
    '413 Payload Too Large',
  ],
])('%s is answered as a problem, with an id', async (_what, sent, status) => {
  const socket = await open()
  socket.write(sent)
  const { statusLine, headers, body } = read(await textOf(socket))
  expect(statusLine).toBe(`HTTP/1.1 ${status}`)
  expect(headers['x-request-id']).toMatch(UUID)
  expect(headers).toMatchObject({
    'content-type': 'application/problem+json',
    'content-length': String(Buffer.byteLength(body)),
  })
  expect((headers['connection'] ?? headers['Connection'] ?? '').toLowerCase()).toBe('close')
  const code = status.startsWith('413') ? 'payload_too_large' : 'invalid_request'
  expect(JSON.parse(body)).toEqual({
    type: `urn:cashier:problem:${code}`,
    title: expect.any(String) as string,
    status: Number(status.slice(0, 3)),
    detail: expect.any(String) as string,
    code,
    request_id: headers['x-request-id'],
  })
})

test('the answer arrives even if the client keeps sending', async () => {
  const socket = await open()
  socket.write(`GET / HTTP/1.1\r\n${HOST}Cookie: a=`)
  const pour = setInterval(() => socket.write('b'.repeat(8192)), 5)
  const text = await textOf(socket)
  clearInterval(pour)
  expect(text.match(/HTTP\/1\.1 /g)).toHaveLength(1)
  expect(read(text).statusLine).toContain('431')
})

test('nothing is written into the middle of another answer', async () => {
  const socket = await open((_request, response) => void response.write('data: 1\n\n'))
  const received = textOf(socket)
  const answered = once(socket, 'data')
  socket.write(`GET / HTTP/1.1\r\n${HOST}\r\n`)
  await answered
  socket.write('nonsense\r\n\r\n')
  const text = await received
  expect(text).toContain('data: 1')
  expect(text.match(/HTTP\/1\.1 /g)).toHaveLength(1)
})

test('a refusal after an answer, or after the client has gone, does no harm', async () => {
  const socket = await open()
  const received = textOf(socket)
  const answered = once(socket, 'data')
  socket.write(`GET /one HTTP/1.1\r\n${HOST}\r\n`)
  await answered
  socket.write('nonsense\r\n\r\n')
  const text = await received
  expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400'])

  const { port } = server.address() as { port: number }
  const gone = connect(port, '127.0.0.1').on('error', () => undefined)
  gone.write('nonsense\r\n\r\n', () => gone.resetAndDestroy())
  const half = connect(port, '127.0.0.1').on('error', () => undefined)
  half.write(`POST / HTTP/1.1\r\n${HOST}${BODY}`, () => half.resetAndDestroy())
  await sleep(100)
  expect((await fetch(`http://127.0.0.1:${port}/two`)).status).toBe(200)
})
