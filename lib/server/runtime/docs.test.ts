import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { newTestDatabase, type TestDatabase } from '../store/testing/test-databases.ts'
import { RATE_LIMITS } from './http/rate-limits.ts'
import { testConfig } from './testing/config.ts'
import { startTestServer, type TestServer } from './testing/test-server.ts'

const servers: TestServer[] = []
let database: TestDatabase
beforeAll(async () => {
  database = await newTestDatabase('sqlite', inject('postgresUrl'))
})
afterAll(async () => {
  for (const server of servers) await server.stop()
  await database.remove()
})

const start = async (settings: Readonly<Record<string, string>>): Promise<TestServer> => {
  const server = await startTestServer({ config: testConfig(settings), databaseUrl: database.url })
  servers.push(server)
  return server
}

test('the page of the merchant API is public, cached, framed by nobody, and counts towards the limit', async () => {
  const { url } = await start({})
  const response = await fetch(`${url}/docs`)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(response.headers.get('cache-control')).toBe('public, max-age=300')
  expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  expect(response.headers.get('x-robots-tag')).toBe('noindex')
  expect(await response.text()).toContain('id="createSession"')
  expect((await fetch(`${url}/docs`, { method: 'HEAD' })).status).toBe(200)
  expect((await fetch(`${url}/docs`, { method: 'POST' })).status).toBe(405)

  let refused = 0
  for (let call = 0; call < RATE_LIMITS.pages + 5; call += 1)
    if ((await fetch(`${url}/docs`, { method: 'HEAD' })).status === 429) refused += 1
  expect(refused).toBeGreaterThan(0)
})

test('with DOCS=off there is no such page, and the file for programs stays', async () => {
  const { url } = await start({ DOCS: 'off', RATE_LIMIT: 'off' })
  const response = await fetch(`${url}/docs`)
  expect([response.status, response.headers.get('cache-control')]).toEqual([404, 'no-store'])
  expect(await response.text()).toContain('data-testid="not-found"')
  expect((await fetch(`${url}/api/openapi.json`)).status).toBe(200)
})
