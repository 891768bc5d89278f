import { expect, test } from 'vitest'
import { createCallbacks } from './callbacks.ts'
import { CashierApiError, createCashierClient } from './cashier-client.ts'
import { createApp } from './routes.ts'

const URL = 'http://127.0.0.1:4020'
const refused = () => Promise.reject(new CashierApiError(409, 'insufficient_balance', 'Not enough.'))
const startSession = ({ user_reference_id: user }: Readonly<Record<string, unknown>>) =>
  Promise.resolve({
    session_id: 's',
    launch_token: 't',
    launch_url: `http://cashier.test/launch?token=${String(user)}`,
    expires_at: '',
  })
const client = { ...createCashierClient('http://cashier.test', 'key'), adjust: refused, startSession }
const app = createApp({
  client,
  feed: () => Promise.resolve([]),
  callbacks: createCallbacks(undefined, 'approve'),
  url: URL,
  headers: { 'content-security-policy': "default-src 'none'" },
  files: new Map([['/', ['text/html; charset=utf-8', '<p>Shop</p>']]]),
})
const call = (path: string, init: RequestInit = {}, host = '127.0.0.1:4020') =>
  app.request(URL + path, { ...init, headers: { host, ...(init.headers as Record<string, string> | undefined) } })
const post = (path: string, body: string, headers: Record<string, string> = {}) =>
  call(path, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } })

test('the page has the policies of the shop, and redirects from another host name', async () => {
  const page = await call('/')
  expect([page.status, await page.text()]).toEqual([200, '<p>Shop</p>'])
  expect(page.headers.get('content-security-policy')).toBe("default-src 'none'")
  const other = await call('/', {}, 'localhost:4020')
  expect([other.status, other.headers.get('location')]).toEqual([307, URL])
})

test('the cashier opens on a page of its own, for the user of the link', async () => {
  const page = await call('/cashier?user=mira')
  expect([page.status, page.headers.get('location')]).toEqual([303, 'http://cashier.test/launch?token=mira'])
  expect((await call('/cashier?user=a%20b')).status).toBe(422)
})

test('pages of other origins may not call it', async () => {
  expect((await post('/shop/purchase', '{}', { origin: 'https://evil.example' })).status).toBe(403)
  expect((await post('/qa', '{}', { origin: URL })).status).toBe(200)
})

test.each([
  ['not JSON', '{', 400],
  ['missing fields', '{}', 422],
  ['an error of the cashier', '{"user":"mira","currency_id":"c","amount":"5"}', 409],
  ['a large body', `"${'x'.repeat(70_000)}"`, 413],
])('%s', async (_name, body, status) => {
  expect((await post('/shop/purchase', body)).status).toBe(status)
})

test('a test page has its own headers and not those of the shop', async () => {
  await post('/qa/page', JSON.stringify({ html: '<p>Test</p>', headers: { 'x-test': 'yes' } }))
  const page = await call('/qa/page')
  expect(await page.text()).toBe('<p>Test</p>')
  expect([page.headers.get('x-test'), page.headers.get('content-security-policy')]).toEqual(['yes', null])
})

test('unknown addresses are 404', async () => {
  expect((await call('/nothing')).status).toBe(404)
})
