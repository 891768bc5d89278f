/** Who may call the console. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { OPERATOR_LIMITS } from './http/authenticate-operator.ts'
import { problem } from './testing/api-harness.ts'
import { testConfig } from './testing/config.ts'
import { operatorVisitor } from './testing/operator-visitor.ts'
import { startTestServer, type TestServer } from './testing/test-server.ts'
import { newVisitor } from './testing/visitor.ts'

const ME = '/api/operate/me'
let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ config: testConfig({}), databaseUrl: 'file::memory:' })
})
afterAll(() => server.stop())

test('without operators there is no console, and then there is', async () => {
  const empty = await startTestServer({ config: testConfig({}), databaseUrl: 'file::memory:' })
  try {
    await becomesConsole(empty)
  } finally {
    await empty.stop()
  }
})

async function becomesConsole(server: TestServer): Promise<void> {
  expect(await problem(await fetch(server.url + ME))).toMatchObject({ status: 404 })
  expect((await fetch(`${server.url}/operate`)).status).toBe(404)
  await operatorVisitor(server, 'viewer')
  expect(await problem(await fetch(server.url + ME))).toMatchObject({ status: 401 })
  expect((await fetch(`${server.url}/operate`)).status).toBe(200)
  expect((await fetch(`${server.url}/operate/users/u1`)).status).toBe(200)
}

test('OPERATORS=off removes it', async () => {
  const off = await startTestServer({ config: testConfig({ OPERATORS: 'off' }), databaseUrl: 'file::memory:' })
  try {
    const viewer = await operatorVisitor(off, 'viewer')
    expect((await viewer.call(ME)).status).toBe(404)
    expect((await fetch(`${off.url}/operate`)).status).toBe(404)
  } finally {
    await off.stop()
  }
})

test('a signed-in operator is told who they are; a session ends when idle, in the end, and by signing out', async () => {
  const viewer = await operatorVisitor(server, 'viewer', 'Ada')
  expect(await (await viewer.call(ME)).json()).toMatchObject({ name: 'Ada', role: 'viewer' })
  const began = server.now
  try {
    for (let used = 0; used < OPERATOR_LIMITS.maxMs; used += OPERATOR_LIMITS.idleMs - 1000) {
      server.now = began + used
      expect((await viewer.call(ME)).status).toBe(200)
    }
    server.now = began + OPERATOR_LIMITS.maxMs
    expect((await viewer.call(ME)).status).toBe(401)
  } finally {
    server.now = began
  }
  const idle = await operatorVisitor(server, 'viewer')
  server.now = began + OPERATOR_LIMITS.idleMs
  expect((await idle.call(ME)).status).toBe(401)
  server.now = began
  const other = await operatorVisitor(server, 'viewer')
  const left = await other.call('/api/operate/sign-out', { method: 'POST' })
  expect(left.status).toBe(204)
  expect(left.headers.get('set-cookie')).toContain('SameSite=Strict')
  expect((await other.call(ME)).status).toBe(401)
  expect((await server.store.audit.page(null, 1))[0]).toMatchObject({
    action: 'operator.sign_out',
    operator_name: other.name,
  })
})

test('an act must come from our own page', async () => {
  const viewer = await operatorVisitor(server, 'viewer')
  for (const origin of ['https://evil.example', 'null', '']) {
    const refused = await viewer.call('/api/operate/sign-out', { method: 'POST', headers: { origin } })
    expect(await problem(refused)).toMatchObject({ code: 'forbidden_origin' })
  }
  expect((await viewer.call(ME)).status).toBe(200)
})

test('a user is no operator, and an operator is no user', async () => {
  const admin = await operatorVisitor(server, 'admin')
  const visitor = await newVisitor(server)
  expect((await visitor.call(ME)).status).toBe(401)
  const asUser = await admin.call('/api/cashier/balances', { headers: { 'x-cashier-session': visitor.id } })
  expect(asUser.status).toBe(401)
})

test('the pages may not be framed', async () => {
  await operatorVisitor(server, 'viewer')
  const { headers } = await fetch(`${server.url}/operate`)
  expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  expect(headers.get('permissions-policy')).toContain('publickey-credentials-get=(self)')
})
