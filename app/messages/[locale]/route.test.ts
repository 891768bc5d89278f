import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { NodeRequest } from '#lib/server/runtime/http/node-request.ts'
import { testConfig } from '#lib/server/runtime/testing/config.ts'
import { startTestServer, type TestServer } from '#lib/server/runtime/testing/test-server.ts'
import { GET } from './route.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ config: testConfig(), databaseUrl: 'file::memory:' })
})
afterAll(() => server.stop())

const native = (locale: string) =>
  GET.native({
    request: new NodeRequest(new IncomingMessage(new Socket())),
    requestId: 'x',
    client: '192.0.2.1',
    params: { locale },
  })

test('each response has the same content, compressed or not', async () => {
  for (const encoding of ['identity', 'gzip', 'gzip']) {
    const response = await fetch(`${server.url}/messages/de`, { headers: { 'accept-encoding': encoding } })
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'public, max-age=300'])
    expect(await response.json()).toMatchObject({ locale: 'de', direction: 'ltr' })
  }
})

test('the answer for a language is made once and shared', async () => {
  // The test server sets its application when a request arrives.
  await fetch(`${server.url}/messages/de`)
  const first = await native('de')
  expect(await native('de-AT')).toBe(first)
  expect(await native('fr')).not.toBe(first)
})
