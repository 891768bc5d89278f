/** The console's routes of invitations, sign-in, operators and settings. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OperatorRole } from '#lib/contract/operate/operators.ts'
import { softwareAuthenticator } from '../operate/access/testing/software-authenticator.ts'
import { problem } from './testing/api-harness.ts'
import { testConfig } from './testing/config.ts'
import { operatorVisitor, type OperatorVisitor } from './testing/operator-visitor.ts'
import { startTestServer, type TestServer } from './testing/test-server.ts'
import { newVisitor } from './testing/visitor.ts'

const SECRETS = { METRICS_TOKEN: 'metrics-token-0123', MERCHANT_WEBHOOK_SECRET: 'whsec_c2VjcmV0LXNlY3JldC1zZWNyZXQ=' }
let server: TestServer
let admin: OperatorVisitor
beforeAll(async () => {
  const config = testConfig({
    RATE_LIMIT: 'off',
    MERCHANT_WEBHOOK_URL: 'https://shop.example/hook?key=1',
    ...SECRETS,
  })
  server = await startTestServer({ config, databaseUrl: 'file::memory:' })
  admin = await operatorVisitor(server, 'admin')
  // Acts may not leave the console without an admin who can sign in.
  const token = await invite(admin, admin.name, null)
  await accept(token, softwareAuthenticator(server.config.publicUrl))
})
afterAll(() => server.stop())

/** A call of the page before anybody is signed in. */
const post = (path: string, body?: unknown, headers: Record<string, string> = {}) =>
  fetch(`${server.url}/api/operate/${path}`, {
    method: 'POST',
    headers: {
      origin: server.config.publicUrl,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })

async function invite(by: OperatorVisitor, name: string, role: OperatorRole | null): Promise<string> {
  const ordered = await by.call('/api/operate/operators/invitations', { method: 'POST', body: { name, role } })
  expect(ordered.status).toBe(201)
  const { link } = (await ordered.json()) as { link: string }
  return link.split('#')[1] ?? ''
}

async function challengeOf(response: Response): Promise<{ challenge: string; rpId: string }> {
  expect(response.status).toBe(200)
  const { options } = (await response.json()) as { options: { challenge: string } }
  return { challenge: options.challenge, rpId: new URL(server.config.publicUrl).hostname }
}

const cookieOf = (response: Response): string => (response.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? ''

async function accept(token: string, authenticator: ReturnType<typeof softwareAuthenticator>): Promise<Response> {
  const passkey = authenticator.create(await challengeOf(await post('invitation/options', { token })))
  return post('invitation', { token, passkey_name: 'Phone', passkey })
}

const me = (cookie: string) => fetch(`${server.url}/api/operate/me`, { headers: { cookie } })

test('an invitation from the console signs in by a strict cookie, and the passkey signs in again', async () => {
  const authenticator = softwareAuthenticator(server.config.publicUrl)
  const first = await accept(await invite(admin, 'Ada', 'agent'), authenticator)
  expect(first.status).toBe(200)
  expect(await first.json()).toMatchObject({ name: 'Ada', role: 'agent' })
  const cookie = first.headers.get('set-cookie') ?? ''
  for (const part of ['__Host-cashier-operator=', 'HttpOnly', 'Secure', 'SameSite=Strict', 'Path=/'])
    expect(cookie).toContain(part)
  expect((await me(cookieOf(first))).status).toBe(200)

  const used = authenticator.use(await challengeOf(await post('sign-in/options')))
  const second = await post('sign-in', { passkey: used }, { cookie: cookieOf(first) })
  expect(second.status).toBe(200)
  expect((await me(cookieOf(second))).status).toBe(200)
  // The browser's earlier session has ended.
  expect((await me(cookieOf(first))).status).toBe(401)
})

test('a refusal says the same whatever was wrong, and sets no cookie', async () => {
  const stranger = softwareAuthenticator(server.config.publicUrl)
  const known = softwareAuthenticator(server.config.publicUrl)
  await accept(await invite(admin, 'Bea', 'viewer'), known)
  const bea = (await server.store.operators.list()).find(({ name }) => name === 'Bea')
  await server.store.operators.setDisabled(bea?.id ?? '', server.now)
  const bodies = []
  for (const authenticator of [stranger, known]) {
    const passkey = authenticator.use(await challengeOf(await post('sign-in/options')))
    const refused = await post('sign-in', { passkey })
    expect(refused.headers.get('set-cookie')).toBeNull()
    bodies.push({ ...(await problem(refused)), request_id: '', instance: '' })
  }
  expect(bodies[0]).toEqual(bodies[1])
  // The log says it.
  const logged = server.lines.join('')
  for (const reason of ['no such passkey', 'the operator is disabled']) expect(logged).toContain(`"reason":"${reason}"`)
  expect(bodies[0]).toMatchObject({ status: 401, code: 'unauthenticated' })
})

test('calls before the sign-in must come from our own page, and only where there is a console', async () => {
  for (const path of ['sign-in/options', 'sign-in', 'invitation/options', 'invitation']) {
    for (const origin of ['https://evil.example', 'null'])
      expect(await problem(await post(path, {}, { origin }))).toMatchObject({ code: 'forbidden_origin' })
  }
  const empty = await startTestServer({ config: testConfig(), databaseUrl: 'file::memory:' })
  try {
    const found = await fetch(`${empty.url}/api/operate/sign-in/options`, {
      method: 'POST',
      headers: { origin: empty.config.publicUrl },
    })
    expect(found.status).toBe(404)
  } finally {
    await empty.stop()
  }
})

test('calls before the sign-in are limited by the address of the client', async () => {
  const limited = await startTestServer({ config: testConfig(), databaseUrl: 'file::memory:' })
  try {
    await operatorVisitor(limited, 'admin')
    const attempt = () =>
      fetch(`${limited.url}/api/operate/sign-in/options`, {
        method: 'POST',
        headers: { origin: limited.config.publicUrl },
      })
    const statuses = []
    for (let n = 0; n < 61; n += 1) statuses.push((await attempt()).status)
    expect([statuses.slice(0, 60).every((status) => status === 200), statuses[60]]).toEqual([true, 429])
  } finally {
    await limited.stop()
  }
})

const ACTS = [
  ['GET', 'operators'],
  ['POST', 'operators/invitations'],
  ['PUT', 'operators/some/role'],
  ['PUT', 'operators/some/access'],
  ['POST', 'operators/some/passkeys/some/revocation'],
  ['POST', 'examinations'],
] as const

test('operators and the doctor are for admins', async () => {
  for (const role of ['viewer', 'agent'] as const) {
    const other = await operatorVisitor(server, role)
    for (const [method, path] of ACTS) {
      const refused = await other.call(`/api/operate/${path}`, { method, ...(method !== 'GET' && { body: {} }) })
      expect(await problem(refused), `${method} ${path} as ${role}`).toMatchObject({ code: 'role_required' })
    }
  }
})

test('a change of operators needs a touch of the last five minutes, which a touch gives', async () => {
  const authenticator = softwareAuthenticator(server.config.publicUrl)
  const began = server.now
  const accepted = await accept(await invite(admin, 'Cy', 'admin'), authenticator)
  const headers = { cookie: cookieOf(accepted) }
  try {
    server.now = began + 5 * 60_000
    for (const [method, path] of ACTS.filter(([method_, path_]) => method_ !== 'GET' && path_ !== 'examinations')) {
      const call = fetch(`${server.url}/api/operate/${path}`, {
        method,
        headers: { ...headers, origin: server.config.publicUrl, 'content-type': 'application/json' },
        body: '{}',
      })
      expect(await problem(await call), path).toMatchObject({ code: 'fresh_passkey_required' })
    }
    const passkey = authenticator.use(await challengeOf(await post('touch/options', undefined, headers)))
    const touched = await post('touch', { passkey }, headers)
    expect(touched.status).toBe(200)
    expect(await touched.json()).toMatchObject({ fresh_until: new Date(server.now + 5 * 60_000).toISOString() })
    expect((await post('operators/invitations', { name: 'Dot', role: 'viewer' }, headers)).status).toBe(201)
  } finally {
    server.now = began
  }
})

test('an admin changes a role, disables, enables and revokes; each ends the sessions and is in the audit log', async () => {
  const authenticator = softwareAuthenticator(server.config.publicUrl)
  const accepted = await accept(await invite(admin, 'Eve', 'viewer'), authenticator)
  const { id } = (await accepted.json()) as { id: string }
  const listed = async () => {
    const { operators } = (await (await admin.call('/api/operate/operators')).json()) as {
      operators: { id: string; role: string; disabled_at: string | null; passkeys: { id: string; name: string }[] }[]
    }
    return operators.find((operator) => operator.id === id)
  }
  expect(await listed()).toMatchObject({ role: 'viewer', disabled_at: null, passkeys: [{ name: 'Phone' }] })
  const act = (method: 'PUT' | 'POST', path: string, body: object) =>
    admin.call(`/api/operate/operators/${id}/${path}`, { method, body })
  expect((await act('PUT', 'role', { role: 'agent', reason: 'promoted' })).status).toBe(204)
  expect((await me(cookieOf(accepted))).status).toBe(401)
  expect((await act('PUT', 'access', { enabled: false, reason: 'left' })).status).toBe(204)
  expect(await listed()).toMatchObject({ role: 'agent', disabled_at: expect.any(String) as string })
  expect((await act('PUT', 'access', { enabled: true, reason: 'back' })).status).toBe(204)
  const passkey = (await listed())?.passkeys[0]?.id ?? ''
  expect((await act('POST', `passkeys/${passkey}/revocation`, { reason: 'lost' })).status).toBe(204)
  expect(await listed()).toMatchObject({ passkeys: [] })
  expect((await act('PUT', 'role', { role: 'viewer', reason: ' ' })).status).toBe(422)
  const entries = await server.store.audit.page(null, 4)
  expect(entries.map((row) => [row.action, row.operator_name, row.reason])).toEqual([
    ['operator.revoke_passkey', admin.name, 'lost'],
    ['operator.enable', admin.name, 'back'],
    ['operator.disable', admin.name, 'left'],
    ['operator.change_role', admin.name, 'promoted'],
  ])
})

test('the settings show no secret', async () => {
  const viewer = await operatorVisitor(server, 'viewer')
  const answer = await viewer.call('/api/operate/settings')
  const text = await answer.text()
  const { gateway, sessionSecrets, merchantApiKeys } = server.config
  const secrets = [
    gateway.apiKey,
    ...sessionSecrets,
    ...merchantApiKeys,
    ...Object.values(SECRETS),
    'PRIVATE KEY',
    'key=1',
  ]
  for (const secret of secrets) expect(text).not.toContain(secret)
  expect(JSON.parse(text)).toMatchObject({
    version: '1.2.3',
    commit: 'c0ffee',
    database: 'SQLite',
    keys: [
      { name: 'GATEWAY_PRIVATE_KEY', fingerprint: expect.stringMatching(/^SHA256:.{44}$/) as string, bits: 2048 },
      { name: 'GATEWAY_PUBLIC_KEY', bits: 2048 },
    ],
    settings: expect.arrayContaining([
      { name: 'PUBLIC_URL', state: 'set', value: 'https://cashier.example', secret: false },
      { name: 'MERCHANT_WEBHOOK_URL', state: 'set', value: 'https://shop.example/hook', secret: false },
      { name: 'SESSION_SECRET', state: 'set', value: null, secret: true },
      { name: 'OTEL_EXPORTER_OTLP_HEADERS', state: 'unset', value: null, secret: true },
      { name: 'OVERDUE_S', state: 'default', value: '86400', secret: false },
      { name: 'SUPPORT_URL', state: 'unset', value: null, secret: false },
    ]) as unknown,
  })
})

test('the doctor runs from the console, once for all who ask', async () => {
  const examine = () => admin.call('/api/operate/examinations', { method: 'POST' })
  const [one, other] = await Promise.all([examine(), examine()])
  const found = (await one.json()) as { findings: { about: string; level: string }[] }
  expect(found.findings).toContainEqual(expect.objectContaining({ about: 'gateway', level: 'fault' }))
  expect(await other.json()).toEqual(found)
})

test('an operator opens no route of a user, and a user none of the console', async () => {
  const visitor = await newVisitor(server)
  const asOperator = { cookie: admin.cookie, 'x-cashier-session': visitor.id, origin: server.config.publicUrl }
  for (const path of ['balances', 'transactions', 'currencies', 'events', 'history.csv'])
    expect((await fetch(`${server.url}/api/cashier/${path}`, { headers: asOperator })).status, path).toBe(401)
  for (const path of ['deposit-addresses', 'withdrawals', 'onramp-sessions'])
    expect(
      (await fetch(`${server.url}/api/cashier/${path}`, { method: 'POST', headers: asOperator })).status,
      path,
    ).toBe(401)
  const page = await fetch(`${server.url}/c/${visitor.id}/deposit`, { headers: { cookie: admin.cookie } })
  expect(await page.text()).not.toContain('a page')
  for (const [method, path] of [
    ...ACTS,
    ['GET', 'settings'],
    ['GET', 'me'],
    ['POST', 'touch'],
    ['POST', 'touch/options'],
    ['POST', 'sign-out'],
  ] as const) {
    const refused = await visitor.call(`/api/operate/${path}`, { method, ...(method !== 'GET' && { body: '{}' }) })
    expect(refused.status, path).toBe(401)
  }
})
