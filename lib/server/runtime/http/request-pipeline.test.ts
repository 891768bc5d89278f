import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testConfig } from '../testing/config.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'

let server: TestServer
beforeAll(async () => {
  const next = (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    rendered.push(request.url ?? '')
    response.end('a page')
    return Promise.resolve()
  }
  server = await startTestServer({ config: testConfig(), databaseUrl: 'file::memory:', next })
})
/** The paths that Next was asked to render. */
const rendered: string[] = []
afterAll(() => server.stop())

const PATHS = [
  '/',
  '/c/x/deposit',
  '/embed',
  '/embed.js',
  '/launch?token=x',
  '/api/cashier/currencies',
  '/api/cashier/events',
  '/api/webhooks/gateway',
  '/api/health/live',
  '/api/nothing',
  '/_next/static/chunk.js',
  '/_next/static/chunk.js.map',
]

test.each(PATHS)('%s has its own id, is never sniffed, and does not name our software', async (path) => {
  const [one, two] = [await fetch(server.url + path), await fetch(server.url + path)]
  await Promise.all([one.text(), two.text()])
  expect(one.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  expect(one.headers.get('x-request-id')).not.toBe(two.headers.get('x-request-id'))
  expect(one.headers.get('x-content-type-options')).toBe('nosniff')
  expect(one.headers.get('strict-transport-security')).toContain('max-age=31536000')
  expect(one.headers.has('x-powered-by')).toBe(false)
  expect(one.headers.has('server')).toBe(false)
  // Only the script is for pages of other sites.
  expect(one.headers.has('access-control-allow-origin')).toBe(path === '/embed.js')
})

test('each page has its own nonce, and Next gets it with the request', async () => {
  const nonces = await Promise.all(
    [1, 2].map(async () => {
      const response = await fetch(`${server.url}/onramp/return`, {
        headers: { 'content-security-policy': "script-src 'nonce-evil'" },
      })
      return /'nonce-([^']+)'/.exec(response.headers.get('content-security-policy') ?? '')?.[1]
    }),
  )
  expect(nonces[0]).toMatch(/^[A-Za-z0-9+/]{22}==$/)
  expect(nonces[0]).not.toBe(nonces[1])
})

test('no answer allows an inline script without nonce or hash', async () => {
  for (const path of PATHS) {
    const policy = (await fetch(server.url + path)).headers.get('content-security-policy') ?? ''
    expect([path, policy]).toEqual([path, expect.stringMatching(/default-src/)])
    const scripts = /script-src ([^;]*)/.exec(policy)?.[1] ?? "'none'"
    expect(scripts).not.toMatch(/unsafe|\*|https:(?!\/\/)/)
    expect(policy).toContain('frame-ancestors')
    expect(policy).toContain("base-uri 'none'")
  }
})

test('nobody may frame answers of the API', async () => {
  const response = await fetch(`${server.url}/api/cashier/currencies`)
  expect(response.headers.get('content-security-policy')).toBe(
    "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  )
})

test.each(['TRACE', 'PROPFIND', 'PURGE'])('%s is answered 405 everywhere', async (method) => {
  for (const path of PATHS) {
    const status = await new Promise((resolve, reject) => {
      const sent = httpRequest(server.url + path, { method }, (response) => {
        response.resume()
        resolve(response.statusCode)
      })
      sent.once('error', reject)
      sent.end()
    })
    expect([path, status]).toEqual([path, 405])
  }
})

test('source maps are not served', async () => {
  expect((await fetch(`${server.url}/_next/static/chunk.js.map`)).status).toBe(404)
})

test('the script is cached for minutes, its pinned version forever', async () => {
  expect((await fetch(`${server.url}/embed.js`)).headers.get('cache-control')).toContain('max-age=300')
  expect((await fetch(`${server.url}/embed/v1.js`)).headers.get('cache-control')).toBe(
    'public, max-age=300, must-revalidate',
  )
  const pinned = await fetch(`${server.url}/embed/v1-0123456789abcdef.js`)
  expect(pinned.headers.get('cache-control')).toContain('immutable')
  expect(pinned.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
  expect(pinned.headers.get('access-control-allow-origin')).toBe('*')
})

test('a browser may keep /embed for minutes; a shared cache may not, since it has a nonce of its own', async () => {
  const [response, other] = await Promise.all([fetch(`${server.url}/embed`), fetch(`${server.url}/embed`)])
  const policy = response.headers.get('content-security-policy')
  expect(response.headers.get('cache-control')).toBe('private, max-age=300')
  const nonce = /'nonce-([^']+)'/.exec(policy ?? '')?.[1] ?? 'none'
  expect(await response.text()).toContain(`<script nonce="${nonce}">`)
  expect(await other.text()).not.toContain(nonce)
  expect(policy).toContain("frame-ancestors 'self' https://shop.example http://127.0.0.1:4020")
})

test('X-Forwarded-For without TRUST_PROXY gives one warning', async () => {
  const alone = await startTestServer({ config: testConfig(), databaseUrl: 'file::memory:' })
  const behind = await startTestServer({ config: testConfig({ TRUST_PROXY: '1' }), databaseUrl: 'file::memory:' })
  const warnings = (one: TestServer) => one.lines.filter((line) => line.includes('TRUST_PROXY'))
  try {
    await fetch(`${alone.url}/api/health/live`)
    expect(warnings(alone)).toEqual([])
    for (const one of [alone, alone, behind])
      await fetch(`${one.url}/api/health/live`, { headers: { 'x-forwarded-for': '192.0.2.1' } })
    expect(warnings(alone)).toHaveLength(1)
    expect(warnings(alone)[0]).toContain('"level":"warn"')
    expect(warnings(behind)).toEqual([])
  } finally {
    await alone.stop()
    await behind.stop()
  }
})

test.each(['/c/%', '/c/%ff/deposit', '/c/%00/deposit', '/%c0%ae', '/c/%E0%A4%A/history'])(
  '%s is an unknown page, answered without a render',
  async (path) => {
    rendered.length = 0
    const response = await fetch(server.url + path)
    expect([response.status, response.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    expect(await response.text()).toContain('Page not found')
    expect(rendered).toEqual([])
  },
)

test('a page without a session, or an unknown page, is a document; Next’s client gets a problem', async () => {
  rendered.length = 0
  for (const [path, status, code, text] of [
    ['/c/x/deposit', 200, 'unauthenticated', 'Your session has ended'],
    ['/nowhere', 404, 'not_found', 'Page not found'],
    ['/nowhere.txt', 404, 'not_found', 'Page not found'],
  ] as const) {
    const whole = await fetch(server.url + path)
    expect([path, whole.status, await whole.text()]).toEqual([path, status, expect.stringContaining(text)])
    expect(whole.headers.get('content-security-policy')).toMatch(/script-src ('sha256-|'none')/)
    const framed = await fetch(server.url + path, { headers: { 'sec-fetch-dest': 'iframe', 'accept-language': 'de' } })
    expect(await framed.text()).toContain(status === 404 ? 'lang="de"' : 'cookies-blocked')
    const data = await fetch(server.url + path, { headers: { rsc: '1' } })
    expect([data.status >= 400, await data.json()]).toEqual([true, expect.objectContaining({ code })])
  }
  expect(rendered).toEqual([])
})
