import { readFileSync } from 'node:fs'
import * as https from 'node:https'
import type { AddressInfo } from 'node:net'
import * as tls from 'node:tls'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createTransport, type Transport } from './transport.ts'

const pem = (name: string): string =>
  readFileSync(new URL(`./vectors/localhost.test-only.${name}.pem`, import.meta.url), 'utf8')
const trusted = tls.getCACertificates('default')
const handshakes: boolean[] = []
let requests = 0
let transport: Transport
const server = https.createServer({ key: pem('key'), cert: pem('cert') }, (_request, response) => {
  requests += 1
  response.end('{}')
})

beforeAll(async () => {
  server.on('secureConnection', (socket: tls.TLSSocket) => handshakes.push(socket.isSessionReused()))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterEach(() => {
  transport.close()
  tls.setDefaultCACertificates(trusted)
})
afterAll(() => new Promise((resolve) => server.close(resolve)))

const send = (freshConnection: boolean, isLate = false) =>
  transport.send({
    ...{ method: 'POST', target: '/x', headers: {}, body: '{}', freshConnection, timeoutMs: 60_000 },
    isLate: () => isLate,
  })

test('nothing is sent to a gateway whose certificate is not trusted', async () => {
  transport = createTransport(new URL(`https://127.0.0.1:${(server.address() as AddressInfo).port}`))
  const before = requests
  await expect(send(true)).rejects.toMatchObject({ fault: 'not_sent', cause: { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' } })
  expect(requests).toBe(before)
})

test('over TLS too, reads share a connection; other calls open their own and resume the session', async () => {
  tls.setDefaultCACertificates([pem('cert')])
  transport = createTransport(new URL(`https://127.0.0.1:${(server.address() as AddressInfo).port}`))
  handshakes.length = 0
  for (const freshConnection of [false, false, true, true]) {
    expect((await send(freshConnection)).status).toBe(200)
  }
  expect(handshakes).toEqual([false, false, true])
})

test('nothing is sent over a connection that is open too late: the machine may have slept meanwhile', async () => {
  tls.setDefaultCACertificates([pem('cert')])
  transport = createTransport(new URL(`https://127.0.0.1:${(server.address() as AddressInfo).port}`))
  const before = requests
  for (const freshConnection of [true, false])
    await expect(send(freshConnection, true)).rejects.toMatchObject({ fault: 'not_sent' })
  expect(requests).toBe(before)
})
