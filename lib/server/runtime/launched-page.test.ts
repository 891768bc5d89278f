/** `POST /launch` of /embed is answered with the session's page itself. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { PAGE_NONCE } from '#lib/contract/embed-limits.ts'
import { testConfig } from './testing/config.ts'
import { startTestServer, type TestServer } from './testing/test-server.ts'
import { newSession, postLaunch } from './testing/visitor.ts'

const NONCE = 'bm9uY2Ugb2YgdGhlIHRlcw=='
const AS_EMBED = { accept: 'application/json', origin: 'https://cashier.example', [PAGE_NONCE]: NONCE }

/** What Next was asked to render. */
const rendered: Pick<IncomingMessage, 'method' | 'url' | 'headers'>[] = []
const next = vi.fn((request: IncomingMessage, response: ServerResponse): Promise<void> => {
  rendered.push({ method: request.method, url: request.url, headers: { ...request.headers } })
  response.setHeader('content-type', 'text/html; charset=utf-8')
  response.end('the page')
  return Promise.resolve()
})

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ config: testConfig(), databaseUrl: 'file::memory:', next })
})
beforeEach(() => void rendered.splice(0))
afterAll(() => server.stop())

test('it has the cookie and the policy with the nonce of /embed; Next gets the request of the page', async () => {
  const { session_id, launch_token } = await newSession(server, { flows: ['history', 'withdraw'] })
  const response = await postLaunch(server, launch_token, { ...AS_EMBED, cookie: 'shop=1' })
  const path = `/c/${session_id}/history`
  expect([response.status, await response.text()]).toEqual([200, 'the page'])
  expect(response.headers.get('content-location')).toBe(path)
  const policy = response.headers.get('content-security-policy') ?? ''
  expect(policy).toContain(`script-src 'self' 'nonce-${NONCE}' 'strict-dynamic';`)
  const [cookie = ''] = response.headers.getSetCookie()
  expect(cookie).toMatch(new RegExp(`^__Host-cashier-${session_id}=.*HttpOnly`))
  expect(rendered).toEqual([
    {
      method: 'GET',
      url: path,
      headers: expect.objectContaining({
        accept: 'text/html',
        cookie: `${cookie.split(';', 1)[0] ?? ''}; shop=1`,
        'sec-fetch-dest': 'iframe',
        'content-security-policy': policy,
        'x-request-id': response.headers.get('x-request-id'),
      }) as unknown,
    },
  ])
  for (const name of ['content-type', 'content-length', 'origin'])
    expect(Object.keys(rendered[0]?.headers ?? {})).not.toContain(name)
  const id = response.headers.get('x-request-id') ?? 'none'
  const line = server.lines.find((one) => one.includes('answered') && one.includes(id))
  expect(JSON.parse(line ?? '{}')).toMatchObject({ route: 'launch', method: 'POST', status: 200 })
})

test('an older cookie of the session that no secret opens any more is replaced', async () => {
  const { session_id, launch_token } = await newSession(server)
  const response = await postLaunch(server, launch_token, { ...AS_EMBED, cookie: `__Host-cashier-${session_id}=old` })
  expect([response.status, await response.text()]).toEqual([200, 'the page'])
})

test.each(["x' 'unsafe-inline", '', 'bm9uY2Ug', `${NONCE}; script-src *`])(
  'a value that is no nonce, %j, gets the path alone',
  async (nonce) => {
    const { session_id, launch_token } = await newSession(server)
    const response = await postLaunch(server, launch_token, { ...AS_EMBED, [PAGE_NONCE]: nonce })
    expect([response.status, await response.json()]).toEqual([200, { location: `/c/${session_id}/deposit` }])
    expect(rendered).toEqual([])
  },
)

test('a token that was used gets a problem, and no page', async () => {
  const { launch_token } = await newSession(server)
  await (await postLaunch(server, launch_token, AS_EMBED)).text()
  const response = await postLaunch(server, launch_token, AS_EMBED)
  expect([response.status, response.headers.get('content-type')]).toEqual([410, 'application/problem+json'])
  expect([response.headers.has('content-location'), response.headers.getSetCookie()]).toEqual([false, []])
  expect(rendered).toHaveLength(1)
})

test('a page that fails is a problem with the path of the page, where /embed goes then', async () => {
  const { session_id, launch_token } = await newSession(server)
  next.mockRejectedValueOnce(new Error('could not render'))
  const response = await postLaunch(server, launch_token, AS_EMBED)
  expect([response.status, await response.json()]).toEqual([500, expect.objectContaining({ code: 'internal' })])
  expect(response.headers.get('content-location')).toBe(`/c/${session_id}/deposit`)
})
