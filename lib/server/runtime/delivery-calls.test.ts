/** Who may see deliveries and send them again: operators, and the embedded view of the merchant. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deliveriesPage, deliveryDetail, redeliveryPreview } from '#lib/contract/operate/deliveries.ts'
import { tellDeposit } from '../store/testing/tell-deposit.ts'
import { problem } from './testing/api-harness.ts'
import { testConfig } from './testing/config.ts'
import { operatorVisitor } from './testing/operator-visitor.ts'
import { startTestServer, type TestServer } from './testing/test-server.ts'

const MERCHANT = { authorization: 'Bearer merchant-api-key-0123456789abcdef' }
const MINUTE = 60_000

let server: TestServer
let since: string
let testEvents = 0

beforeAll(async () => {
  server = await startTestServer({
    config: testConfig({
      MERCHANT_WEBHOOK_URL: 'https://shop.example/hook',
      MERCHANT_WEBHOOK_SECRET: `whsec_${Buffer.alloc(24, 7).toString('base64')}`,
      RATE_LIMIT: 'off',
    }),
    databaseUrl: 'file::memory:',
    deliver: true,
    useCases: {
      sendTestEvent: () => {
        testEvents += 1
        return Promise.resolve({ status: 200, milliseconds: 5, error: null })
      },
    },
  })
  for (const uuid of ['a', 'b'])
    await server.store.unitOfWork({ users: [] }, (unit) => tellDeposit(unit, uuid, 'processing'))
  await operatorVisitor(server, 'viewer')
  since = new Date(server.now - MINUTE).toISOString()
  server.now += 1000
})
afterAll(() => server.stop())

/** Opens the view as the frame in the merchant's page does. */
async function openView(token: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${server.url}/api/delivery-view/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: server.config.publicUrl, ...headers },
    body: JSON.stringify({ token }),
  })
}

const newToken = async (): Promise<string> => {
  const created = await fetch(`${server.url}/api/merchant/delivery-views`, { method: 'POST', headers: MERCHANT })
  expect(created.status).toBe(201)
  return ((await created.json()) as { token: string }).token
}

const cookieOf = (response: Response): string => (response.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? ''

test('a viewer sees deliveries and their attempts; only an agent sends again, or sends a test event', async () => {
  const viewer = await operatorVisitor(server, 'viewer')
  const agent = await operatorVisitor(server, 'agent')
  const page = deliveriesPage.parse(await (await viewer.call('/api/operate/deliveries?state=waiting')).json())
  expect(page.deliveries.map(({ transaction_uuid }) => transaction_uuid)).toEqual(['b', 'a'])
  const [{ id } = { id: '' }] = page.deliveries
  const detail = deliveryDetail.parse(await (await viewer.call(`/api/operate/deliveries/${id}`)).json())
  expect(detail).toMatchObject({ delivery: { id }, attempts: [] })

  const orders = [
    ['/api/operate/redeliveries', { ids: [id], as_of: detail.as_of }],
    ['/api/operate/test-events', undefined],
  ] as const
  for (const [path, body] of orders) {
    expect(await problem(await viewer.call(path, { method: 'POST', body }))).toMatchObject({ code: 'role_required' })
    expect((await agent.call(path, { method: 'POST', body })).status).toBe(202)
  }
  expect(testEvents).toBe(1)
  expect(await problem(await viewer.call(`/api/operate/redeliveries?from=${since}`))).toMatchObject({ status: 403 })
  const preview = await agent.call(`/api/operate/redeliveries?from=${since}`)
  expect(redeliveryPreview.parse(await preview.json())).toMatchObject({ count: 2, more: false })

  const entries = await server.store.audit.page(null, 10)
  expect(entries.map(({ action, operator_name, about_id }) => [action, operator_name, about_id])).toEqual(
    expect.arrayContaining([
      ['delivery.resend', agent.name, id],
      ['delivery.test', agent.name, null],
      ['delivery.open', viewer.name, id],
    ]),
  )
})

test('the file of the list is an entry of the audit log', async () => {
  const viewer = await operatorVisitor(server, 'viewer')
  const file = await viewer.call('/api/operate/deliveries.csv?transaction=b')
  expect(file.headers.get('content-disposition')).toBe('attachment; filename="deliveries.csv"')
  expect((await file.text()).trimEnd().split('\r\n')).toHaveLength(2)
  expect(await server.store.audit.page(null, 1)).toMatchObject([
    { action: 'list.export', operator_name: viewer.name, about_id: 'deliveries', detail: '{"query":"transaction=b"}' },
  ])
})

test('what is wrong in a query or an order is named', async () => {
  const agent = await operatorVisitor(server, 'agent')
  const refused = [
    ['/api/operate/deliveries?state=lost', 'state'],
    ['/api/operate/deliveries?outcome=ok', 'outcome'],
    ['/api/operate/deliveries?sort=up', 'sort'],
    ['/api/operate/deliveries?from=yesterday', 'from'],
    ['/api/operate/deliveries.csv?after=1', 'after'],
    ['/api/operate/redeliveries', 'filter'],
  ] as const
  for (const [path, field] of refused) expect((await problem(await agent.call(path))).errors).toHaveProperty(field)
  for (const body of [{ ids: [], as_of: since }, { ids: ['x'] }, { filter: { from: 'x' }, as_of: since }])
    expect((await agent.call('/api/operate/redeliveries', { method: 'POST', body })).status).toBe(422)
})

test('the token of a view works once, for five minutes, and from our own page', async () => {
  const token = await newToken()
  expect(await problem(await openView(token, { origin: 'https://shop.example' }))).toMatchObject({
    code: 'forbidden_origin',
  })
  const opened = await openView(token)
  expect(opened.status).toBe(204)
  expect(opened.headers.get('set-cookie')).toMatch(
    /^__Host-cashier-deliveries=.*Max-Age=3600;.*HttpOnly; Secure; (?=.*Partitioned).*SameSite=None/,
  )
  expect(await problem(await openView(token))).toMatchObject({ status: 410, code: 'session_ended' })
  expect(await problem(await openView('made-up'))).toMatchObject({ status: 401 })
  const late = await newToken()
  server.now += 5 * MINUTE
  expect(await problem(await openView(late))).toMatchObject({ status: 410 })
})

test('a token opens its own kind only', async () => {
  const session = await fetch(`${server.url}/api/merchant/sessions`, {
    method: 'POST',
    headers: { ...MERCHANT, 'content-type': 'application/json' },
    body: JSON.stringify({ user_reference_id: 'u' }),
  })
  const { launch_token } = (await session.json()) as { launch_token: string }
  expect(await problem(await openView(launch_token))).toMatchObject({ status: 401 })
  const launched = await fetch(`${server.url}/launch`, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ launch_token: await newToken() }),
  })
  expect(launched.status).toBe(401)
})

test('the session of a view sees deliveries and sends them again for an hour, and opens nothing else', async () => {
  const cookie = cookieOf(await openView(await newToken()))
  const call = (path: string, method = 'GET', body: object = {}): Promise<Response> =>
    fetch(server.url + path, {
      method,
      headers: {
        cookie,
        'x-cashier-session': 'delivery-view',
        ...(method !== 'GET' && { origin: server.config.publicUrl, 'content-type': 'application/json' }),
      },
      ...(method !== 'GET' && { body: JSON.stringify(body) }),
    })
  const page = deliveriesPage.parse(await (await call('/api/delivery-view/deliveries')).json())
  expect(page.deliveries).toHaveLength(2)
  const [{ id } = { id: '' }] = page.deliveries
  const { as_of } = deliveryDetail.parse(await (await call(`/api/delivery-view/deliveries/${id}`)).json())
  expect((await call(`/api/delivery-view/redeliveries?from=${since}`)).status).toBe(200)
  const again = await call('/api/delivery-view/redeliveries', 'POST', { ids: [id], as_of })
  expect(await again.json()).toEqual({ queued: 1, next: null })
  expect((await server.store.audit.page(null, 1))[0]).toMatchObject({
    action: 'delivery.resend',
    operator_name: "the merchant's delivery view",
  })

  const others = [
    ['GET', '/api/operate/me'],
    ['GET', '/api/operate/deliveries'],
    ['POST', '/api/operate/redeliveries'],
    ['POST', '/api/operate/test-events'],
    ['GET', '/api/merchant/events'],
    ['POST', '/api/merchant/redeliveries'],
    ['POST', '/api/merchant/delivery-views'],
    ['GET', '/api/cashier/balances'],
    ['GET', '/api/cashier/transactions'],
  ] as const
  for (const [method, path] of others) expect([path, (await call(path, method)).status]).toEqual([path, 401])

  server.now += 60 * MINUTE
  expect(await problem(await call('/api/delivery-view/deliveries'))).toMatchObject({ code: 'session_ended' })
  server.now -= 60 * MINUTE
})

test('without its cookie, or from another page, the view is closed; an operator is no view', async () => {
  const path = '/api/delivery-view/deliveries'
  expect((await fetch(server.url + path)).status).toBe(401)
  const cookie = cookieOf(await openView(await newToken()))
  const foreign = { cookie, origin: 'https://shop.example' }
  expect(await problem(await fetch(server.url + path, { headers: foreign }))).toMatchObject({
    code: 'forbidden_origin',
  })
  const noOrigin = await fetch(`${server.url}/api/delivery-view/redeliveries`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json' },
    body: '{}',
  })
  expect(await problem(noOrigin)).toMatchObject({ code: 'forbidden_origin' })
  const admin = await operatorVisitor(server, 'admin')
  expect((await admin.call(path)).status).toBe(401)
})

test('only the key of the merchant makes views', async () => {
  const refused = await fetch(`${server.url}/api/merchant/delivery-views`, { method: 'POST' })
  expect(refused.status).toBe(401)
})

test('the page of the view is framed by EMBED_ORIGINS only', async () => {
  const { headers, status } = await fetch(`${server.url}/delivery-view`)
  expect(status).toBe(200)
  expect(headers.get('content-security-policy')).toContain(
    "frame-ancestors 'self' https://shop.example http://127.0.0.1:4020",
  )
  expect((await fetch(`${server.url}/delivery-view/a-1`)).status).toBe(200)
  expect((await fetch(`${server.url}/delivery-view/a/b`)).status).toBe(404)
})
