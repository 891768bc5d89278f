import { createServer as createHttp } from 'node:http'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { callFault, type CallFault } from './call-fault.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

const portOf = async (server: Server): Promise<number> => {
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

const faultOf = async (url: string, timeoutMs = 5000): Promise<CallFault> =>
  fetch(url, { method: 'POST', body: '{}', signal: AbortSignal.timeout(timeoutMs) }).then(
    () => Promise.reject(new Error('a reply came')),
    callFault,
  )

test('nobody listens', async () => {
  const server = createServer()
  const port = await portOf(server)
  await new Promise((resolve) => server.close(resolve))
  expect(await faultOf(`http://127.0.0.1:${port}/`)).toBe('connect')
})

test('there is no such name', async () => {
  expect(await faultOf('http://nobody.invalid/')).toBe('connect')
})

test('the port speaks no TLS', async () => {
  const port = await portOf(createHttp((_request, response) => response.end()))
  expect(await faultOf(`https://127.0.0.1:${port}/`)).toBe('tls')
})

test('no reply comes in time', async () => {
  const port = await portOf(createHttp(() => undefined))
  expect(await faultOf(`http://127.0.0.1:${port}/`, 100)).toBe('timeout')
})

test.each([
  { what: 'closes', reply: null },
  { what: 'does not speak HTTP', reply: 'SSH-2.0-OpenSSH\r\n' },
])('the other side $what', async ({ reply }) => {
  const port = await portOf(createServer((socket) => (reply === null ? socket.destroy() : socket.end(reply))))
  expect(await faultOf(`http://127.0.0.1:${port}/`)).toBe('broken')
})

test.each([
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
])('%s is a fault of TLS', (code) => {
  const cause = Object.assign(new Error('x'), { code })
  expect(callFault(new TypeError('fetch failed', { cause }))).toBe('tls')
})
