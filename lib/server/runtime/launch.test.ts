import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { SESSION_DEPOSITS_QUERY } from '#lib/browser/session-deposits.ts'
import { FLAVOURS, newTestDatabase, type TestDatabase } from '../store/testing/test-databases.ts'
import { sampleCurrency } from '../store/testing/sample-rows.ts'
import { makeLaunchToken } from '../merchant/launch-token.ts'
import { testConfig } from './testing/config.ts'
import { startTestServer, type TestServer } from './testing/test-server.ts'
import { asMerchant, newSession, newVisitor, postLaunch } from './testing/visitor.ts'

const MINUTE = 60_000
const NO_PAGES = { start_cursor: null, end_cursor: null, has_next_page: false, has_previous_page: false }

describe.each(FLAVOURS)('launch on %s', (flavour) => {
  let database: TestDatabase
  let server: TestServer
  beforeAll(async () => {
    database = await newTestDatabase(flavour, inject('postgresUrl'))
    const useCases = { listBalances: () => Promise.resolve([]) }
    server = await startTestServer({
      config: testConfig({ RATE_LIMIT: 'off' }),
      databaseUrl: database.url,
      useCases,
    })
  })
  afterAll(async () => {
    await server.stop()
    await database.remove()
  })

  const alive = async (visitor: { call: (path: string) => Promise<Response> }): Promise<number> =>
    (await visitor.call('/api/cashier/balances')).status

  test('a session gives a token for five minutes, and the URL to launch it at top level', async () => {
    const created = await newSession(server)
    expect(Object.keys(created)).toEqual(['session_id', 'launch_token', 'launch_url', 'expires_at'])
    expect(created.launch_url).toBe(`https://cashier.example/launch?token=${created.launch_token}`)
    expect(Date.parse(created.expires_at) - server.now).toBe(5 * MINUTE)
  })

  test('a token that is posted as a form leads to the session with its cookie', async () => {
    const { session_id, launch_token } = await newSession(server)
    const response = await postLaunch(server, launch_token, { origin: 'https://cashier.example' })
    expect(response.status).toBe(303)
    expect(response.headers.get('location')).toBe(`/c/${session_id}/deposit`)
    expect(response.headers.getSetCookie()).toHaveLength(1)
    expect(response.headers.getSetCookie()[0]).toMatch(
      new RegExp(
        `^__Host-cashier-${session_id}=[^;]+; Max-Age=43200; Path=/; HttpOnly; Secure; Partitioned; SameSite=None$`,
      ),
    )
    expect(response.headers.get('cache-control')).toBe('no-store')
  })

  test.each([
    ['used', 410, 'has been used', 'token_used'],
    ['expired', 410, 'too old', 'token_used'],
    ['of an ended session', 410, 'has been used', 'token_used'],
    ['forged', 401, 'not valid', 'token_failed'],
    ['malformed', 401, 'not valid', 'token_failed'],
    ['from a foreign origin', 403, 'may not open', 'failed'],
  ])(
    'a token that is %s: a page with %i, no cookie, an error message to the host',
    async (what, status, message, code) => {
      const { session_id, launch_token } = await newSession(server)
      const before = server.now
      let token = launch_token
      let headers = {}
      if (what === 'used') await postLaunch(server, launch_token)
      if (what === 'expired') server.now += 5 * MINUTE
      if (what === 'of an ended session')
        await asMerchant(server, `/api/merchant/sessions/${session_id}`, { method: 'DELETE' })
      if (what === 'forged') token = makeLaunchToken('another secret of thirty-two signs', Buffer.alloc)
      if (what === 'malformed') token = '<script>alert(1)</script>'
      if (what === 'from a foreign origin') headers = { origin: 'https://evil.example' }

      const response = await postLaunch(server, token, headers)
      server.now = before
      const html = await response.text()
      expect(response.status).toBe(status)
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(response.headers.getSetCookie()).toEqual([])
      expect(html).toContain(message)
      expect(html).toContain(`"code":"${code}"`)
      expect(html).toContain(response.headers.get('x-request-id'))
      expect(html).not.toContain(launch_token)
      expect(html).not.toContain('alert(1)')
      expect(html).not.toMatch(/<link|preload/)
      expect(response.headers.has('link')).toBe(false)
      // The text has the reader's size.
      expect(html).not.toMatch(/font[^;}]*px/)
      expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'self' https://shop.example")
    },
  )

  test.each([['https://cashier.example'], ['null'], [undefined]])('origin %s may launch', async (origin) => {
    const { launch_token } = await newSession(server)
    expect((await postLaunch(server, launch_token, origin === undefined ? {} : { origin })).status).toBe(303)
  })

  test('a script gets JSON: the session’s first page, or a problem', async () => {
    const { session_id, launch_token } = await newSession(server, { flows: ['history', 'withdraw'] })
    const asScript = { accept: 'application/json', origin: 'https://cashier.example' }
    const response = await postLaunch(server, launch_token, asScript)
    expect([response.status, await response.json()]).toEqual([200, { location: `/c/${session_id}/history` }])
    expect(response.headers.getSetCookie()[0]).toContain(`__Host-cashier-${session_id}=`)
    const again = await postLaunch(server, launch_token, asScript)
    expect([again.status, again.headers.get('content-type')]).toEqual([410, 'application/problem+json'])
    expect(await again.json()).toMatchObject({ status: 410, code: 'session_ended' })
  })

  test.each([
    ['text/html, application/json; q=0.5', 200],
    ['text/html, application/json; q=0', 303],
    ['application/json-seq', 303],
  ])('with `Accept: %s` a launch is answered with %s', async (accept, status) => {
    const { launch_token } = await newSession(server)
    expect((await postLaunch(server, launch_token, { accept })).status).toBe(status)
  })

  test.each(['cross-site', 'same-site'])('a form on a page that is %s does not launch', async (site) => {
    const { launch_token } = await newSession(server)
    expect((await postLaunch(server, launch_token, { 'sec-fetch-site': site })).status).toBe(403)
    expect((await postLaunch(server, launch_token, { 'sec-fetch-site': 'same-origin' })).status).toBe(303)
  })

  test('a foreign origin does not use the token up', async () => {
    const { launch_token } = await newSession(server)
    await postLaunch(server, launch_token, { origin: 'https://shop.example' })
    expect((await postLaunch(server, launch_token)).status).toBe(303)
  })

  test('an origin that may not frame the cashier is logged', async () => {
    const headers = { 'sec-fetch-dest': 'iframe', referer: 'https://elsewhere.example/' }
    expect((await fetch(`${server.url}/embed`, { headers })).status).toBe(200)
    expect(server.lines.filter((line) => line.includes('https://elsewhere.example'))).toHaveLength(1)
  })

  test('a link preview uses nothing up, and gets a page that posts the form', async () => {
    const { launch_token } = await newSession(server)
    for (const method of ['HEAD', 'GET', 'GET']) {
      const response = await fetch(`${server.url}/launch?token=${launch_token}`, { method })
      expect(response.status).toBe(200)
      expect(response.headers.getSetCookie()).toEqual([])
      const html = await response.text()
      if (method === 'GET') expect(html).toContain(`<input type="hidden" name="launch_token" value="${launch_token}">`)
    }
    expect((await postLaunch(server, launch_token)).status).toBe(303)
  })

  test('the link may name language and theme, which the form passes on', async () => {
    const { launch_token } = await newSession(server)
    const page = async (query: string) =>
      (
        await fetch(`${server.url}/launch?token=${launch_token}&${query}`, { headers: { 'accept-language': 'fr' } })
      ).text()
    const html = await page('locale=ar-EG&theme=dark')
    expect(html).toContain('<html lang="ar" dir="rtl">')
    expect(html).toContain('<input type="hidden" name="locale" value="ar">')
    expect(html).toContain('<input type="hidden" name="theme" value="dark">')
    const other = await page('locale=&theme=%22pink')
    expect(other).toContain('<html lang="fr"')
    expect(other).not.toMatch(/name="(locale|theme)"/)
  })

  test('the page shows any part of the URL as text', async () => {
    const response = await fetch(`${server.url}/launch?token=${encodeURIComponent('"><script>alert(1)</script>')}`)
    expect(await response.text()).not.toContain('<script>alert')
  })

  test('the page has the language of the browser', async () => {
    const response = await postLaunch(server, 'x', { 'accept-language': 'tlh, ar-EG;q=0.8, de;q=0.5' })
    const html = await response.text()
    expect(html).toContain('<html lang="ar" dir="rtl"')
  })

  test('the appearance from `mount` wins over the session’s; unreadable parts are left out', async () => {
    const first = await newSession(server, { locale: 'de', theme: 'dark' })
    await postLaunch(server, first.launch_token, {}, { locale: 'tr-TR', theme: 'light' })
    expect((await server.store.sessions.findSession(first.session_id))?.session).toMatchObject({
      locale: 'tr',
      theme: 'light',
    })
    const second = await newSession(server, { locale: 'de', theme: 'dark' })
    await postLaunch(server, second.launch_token, {}, { theme: 'plaid' })
    expect((await server.store.sessions.findSession(second.session_id))?.session).toMatchObject({
      locale: 'de',
      theme: 'dark',
    })
  })

  test('a launch stores the time zone in the session, and sets only the session’s cookie', async () => {
    const { session_id, launch_token } = await newSession(server)
    const response = await postLaunch(server, launch_token, {}, { time_zone: 'europe/berlin' })
    expect(response.headers.getSetCookie()).toHaveLength(1)
    expect((await server.store.sessions.findSession(session_id))?.session.time_zone).toBe('Europe/Berlin')
    for (const time_zone of ['Mars/Olympus', '<script>', '']) {
      const next = await newSession(server)
      expect((await postLaunch(server, next.launch_token, {}, { time_zone })).status).toBe(303)
      expect((await server.store.sessions.findSession(next.session_id))?.session.time_zone).toBeNull()
    }
  })

  test('of 100 concurrent launches with one token, one wins', async () => {
    const { launch_token } = await newSession(server)
    const statuses = await Promise.all(
      Array.from({ length: 100 }, async () => (await postLaunch(server, launch_token)).status),
    )
    expect(statuses.filter((status) => status === 303)).toHaveLength(1)
    expect(statuses.filter((status) => status === 410)).toHaveLength(99)
  })

  test('a launch clears the cookies of ended sessions, and keeps the cookies of active ones', async () => {
    const [living, over] = [await newVisitor(server), await newVisitor(server)]
    await asMerchant(server, `/api/merchant/sessions/${over.id}`, { method: 'DELETE' })
    const unknown = '0198c1a2-0000-4000-8000-000000000001'
    const { launch_token, session_id } = await newSession(server)
    const cookie = `${living.cookie}; ${over.cookie}; __Host-cashier-${unknown}=x`
    const response = await postLaunch(server, launch_token, { cookie })
    const [own, ...cleared] = response.headers.getSetCookie()
    expect(own).toContain(session_id)
    expect(cleared.map((text) => text.split(';')[0]).sort()).toEqual(
      [`__Host-cashier-${over.id}=`, `__Host-cashier-${unknown}=`].sort(),
    )
    for (const text of cleared)
      expect(text).toContain('Max-Age=0; Path=/; HttpOnly; Secure; Partitioned; SameSite=None')
    expect(await alive(living)).toBe(200)
  })

  test('two users in one browser never mix', async () => {
    const one = await newVisitor(server, { user_reference_id: 'one' })
    const two = await newVisitor(server, { user_reference_id: 'two' })
    const both = `${one.cookie}; ${two.cookie}`
    expect((await one.call('/api/cashier/balances', { headers: { cookie: both } })).status).toBe(200)
    expect((await one.call('/api/cashier/balances', { headers: { cookie: two.cookie } })).status).toBe(401)
    const renamed = one.cookie.replace(one.id, two.id)
    expect((await two.call('/api/cashier/balances', { headers: { cookie: renamed } })).status).toBe(401)
  })

  test('a session ends when idle; use keeps it until its greatest age', async () => {
    const start = server.now
    const idle = await newVisitor(server)
    const busy = await newVisitor(server)
    for (let minutes = 0; minutes < 60; minutes += 20) {
      server.now += 20 * MINUTE
      expect(await alive(busy)).toBe(200)
    }
    expect(await alive(idle)).toBe(401)
    while (server.now < start + 12 * 60 * MINUTE - 20 * MINUTE) {
      server.now += 20 * MINUTE
      expect(await alive(busy)).toBe(200)
    }
    server.now = start + 12 * 60 * MINUTE
    expect(await alive(busy)).toBe(401)
    server.now = start
  })

  test('a session that the merchant ends is ended at once, with its stream', async () => {
    const visitor = await newVisitor(server)
    const stream = await visitor.call(`/api/cashier/events?session=${visitor.id}`)
    expect(stream.status).toBe(200)
    expect(stream.headers.get('content-type')).toBe('text/event-stream')
    expect(stream.headers.get('cache-control')).toBe('no-cache, no-transform')
    const ended = await asMerchant(server, `/api/merchant/sessions/${visitor.id}`, { method: 'DELETE' })
    expect([ended.status, await ended.text()]).toEqual([204, ''])
    expect(await stream.text()).toContain('retry: 2000')
    const refused = await visitor.call('/api/cashier/balances')
    expect([refused.status, await refused.json()]).toMatchObject([401, { status: 401, code: 'session_ended' }])
    expect((await visitor.call(`/api/cashier/events?session=${visitor.id}`)).status).toBe(401)
    const again = await asMerchant(server, `/api/merchant/sessions/${visitor.id}`, { method: 'DELETE' })
    expect(again.status).toBe(204)
    const none = await asMerchant(server, '/api/merchant/sessions/none', { method: 'DELETE' })
    expect(none.status).toBe(404)
  })
})

test.each([
  [
    'from a page of ours asks for the first page’s address and deposits, which the page takes',
    { 'sec-fetch-site': 'same-origin' },
    1,
  ],
  ['from elsewhere asks for nothing', {}, 0],
])('a launch %s', async (_what, headers, calls) => {
  const database = await newTestDatabase('sqlite', inject('postgresUrl'))
  const address = { address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', currency: 'USDT', network: 'Tron' }
  const getDepositAddress = vi.fn(() => Promise.resolve(address))
  const listTransactions = vi.fn(() => Promise.resolve({ edges: [], page_info: NO_PAGES, total_count: 0 }))
  const server = await startTestServer({
    config: testConfig(),
    databaseUrl: database.url,
    useCases: {
      listCurrencies: () => Promise.resolve([sampleCurrency]),
      listBalances: () => Promise.resolve([]),
      knownDepositAddress: () => Promise.resolve(null),
      listTransactions,
      getDepositAddress,
    },
  })
  try {
    const { session_id, launch_token } = await newSession(server)
    const launched = await postLaunch(server, launch_token, headers)
    await vi.waitFor(() => expect(getDepositAddress).toHaveBeenCalledTimes(calls))
    expect(listTransactions).toHaveBeenCalledTimes(calls)
    const page = await server.app.pages.session(session_id, launched.headers.getSetCookie()[0] ?? null)
    if (page.state !== 'active') throw new Error('the session was not launched')
    expect(await server.app.pages.depositAddress(page.session, sampleCurrency.id)).toEqual({ ok: true, data: address })
    await server.app.pages.transactions(page.session, new URLSearchParams(SESSION_DEPOSITS_QUERY))
    expect(getDepositAddress).toHaveBeenCalledOnce()
    expect(listTransactions).toHaveBeenCalledOnce()
  } finally {
    await server.stop()
    await database.remove()
  }
})

test('a stream on another instance ends when the session does', async () => {
  const database = await newTestDatabase('postgres', inject('postgresUrl'))
  const [one, two] = await Promise.all(
    [1, 2].map(() => startTestServer({ config: testConfig(), databaseUrl: database.url })),
  )
  try {
    const visitor = await newVisitor(one!)
    const stream = await fetch(`${two!.url}/api/cashier/events?session=${visitor.id}`, {
      headers: { cookie: visitor.cookie },
    })
    expect(stream.status).toBe(200)
    await asMerchant(one!, `/api/merchant/sessions/${visitor.id}`, { method: 'DELETE' })
    expect(await stream.text()).toContain('retry: 2000')
  } finally {
    await Promise.all([one!.stop(), two!.stop()])
    await database.remove()
  }
})
