/** Two cashiers behind nginx and behind Caddy, over TLS and HTTP/2, with the configuration files in ops/. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { ReadEvent } from '#lib/server/stream/testing/event-reader.ts'
import { depositEvent } from '../system/deposit-event.ts'
import { webhookHeaders } from '../system/gateway-signature.ts'
import { startSystem, type System } from '../system/start-system.ts'
import { http2Client, type Http2Client } from './http2-client.ts'
import { PROXIES, proxyPorts, type Proxy, type ProxyPorts } from './proxies.ts'

/** Headers of one connection, and headers that each server sets itself. */
const OWN_HEADERS = ['connection', 'keep-alive', 'transfer-encoding', 'date', 'server']
/** Each page has another nonce, and so another length when compressed. */
const isOfNonce = (name: string, headers: ReadonlyMap<string, unknown>): boolean =>
  name === 'content-length' && String(headers.get('content-security-policy')).includes("'nonce-")
const withoutNonce = (value: string): string => value.replaceAll(/'nonce-[^']+'/g, "'nonce'")

const comparable = (headers: ReadonlyMap<string, unknown>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...headers]
      .filter(([name]) => !OWN_HEADERS.includes(name) && !isOfNonce(name, headers))
      .map(([name, value]) => [name, withoutNonce(String(value))] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )

for (const kind of PROXIES) {
  describe.skipIf(!kind.isHere)(`${kind.name}${kind.isHere ? '' : ' (not on this machine)'}`, () => {
    let system: System
    let ports: ProxyPorts
    let proxy: Proxy
    let client: Http2Client
    let url: string

    beforeAll(async () => {
      ports = await proxyPorts()
      url = `https://localhost:${ports.https}`
      system = await startSystem({
        database: 'postgres',
        instances: 2,
        cashier: { PUBLIC_URL: url, EMBED_ORIGINS: 'https://shop.example', TRUST_PROXY: '1' },
      })
      const [first = '', second = ''] = system.cashiers.map((one) => new URL(one.url).host)
      proxy = await kind.start([first, second], ports)
      client = http2Client(url, proxy.ca)
    })
    afterAll(async () => {
      client.close()
      await proxy.stop()
      await system.close()
    })

    const launch = async (user: string) => {
      const session = await system.merchant.createSession({ user_reference_id: user })
      const form = new URLSearchParams({ launch_token: session.launch_token }).toString()
      const answer = await client.call(
        'POST',
        '/launch',
        { 'content-type': 'application/x-www-form-urlencoded', origin: url },
        form,
      )
      const [cookie = ''] = answer.headers['set-cookie'] ?? []
      const headers = { cookie: cookie.split(';')[0] ?? '', origin: url, 'x-cashier-session': session.session_id }
      return { session, answer, cookie, headers }
    }
    const deposit = async (user: string): Promise<string> => {
      const uuid = randomUUID()
      const body = depositEvent({ uuid, user, amount: '1', status: 'succeeded' })
      const headers = { ...webhookHeaders(system.gatewayKey, body), 'content-type': 'application/json' }
      expect((await client.call('POST', '/api/webhooks/gateway', headers, body)).status).toBe(200)
      return uuid
    }

    test('a launch sets a cookie with all its attributes, and the page accepts it', async () => {
      const { answer, cookie, headers } = await launch(`user-${randomUUID()}`)
      expect([answer.status, answer.headers['location']]).toEqual([303, expect.stringMatching(/\/c\/[^/]+\/deposit$/)])
      expect(cookie).toMatch(
        /^__Host-cashier-[^;]+; Max-Age=43200; Path=\/; HttpOnly; Secure; Partitioned; SameSite=None$/,
      )
      expect((await client.call('GET', '/api/cashier/balances', headers)).status).toBe(200)
      expect((await client.call('GET', '/api/cashier/balances')).status).toBe(401)
    })

    test('every header of an answer arrives unchanged', async () => {
      const sent = { 'accept-encoding': 'gzip', 'x-request-id': 'a-request-of-the-test' }
      const different: unknown[] = []
      for (const path of [
        '/embed',
        '/embed.js',
        '/launch',
        '/messages/de',
        '/api/health/live',
        '/api/cashier/balances',
        '/c/none',
      ]) {
        const direct = await fetch(`${system.cashiers[0].url}${path}`, { headers: sent, redirect: 'manual' })
        await direct.arrayBuffer()
        const through = await client.call('GET', path, sent)
        const [expected, found] = [direct.headers, Object.entries(through.headers)].map((headers) =>
          comparable(new Map<string, unknown>(headers)),
        )
        if (through.status !== direct.status || JSON.stringify(found) !== JSON.stringify(expected))
          different.push({ path, expected, found })
      }
      expect(different).toEqual([])
    })

    test('the client address is the one that the proxy sees, and a client cannot change it', async () => {
      const authorization = `Bearer ${system.merchantApiKey}`
      for (const made of [
        {},
        { 'x-forwarded-for': '203.0.113.7' },
        { 'x-forwarded-for': '203.0.113.7, 203.0.113.8' },
      ]) {
        const { body } = await client.call('GET', '/api/merchant/connection', { authorization, ...made })
        expect(JSON.parse(body)).toMatchObject({ client_address: '127.0.0.1', trust_proxy: 1 })
      }
    })

    test('http redirects to https for pages, and is refused for the API', async () => {
      const ask = (path: string) => fetch(`http://localhost:${ports.http}${path}`, { redirect: 'manual' })
      const page = await ask('/c/x/deposit?a=b')
      expect([page.status, page.headers.get('location')]).toEqual([301, 'https://localhost/c/x/deposit?a=b'])
      expect((await ask('/api/merchant/connection')).status).toBe(403)
    })

    test('a stream loses and repeats no event when the proxy reloads', async () => {
      const user = `user-${randomUUID()}`
      const { session, headers } = await launch(user)
      const path = `/api/cashier/events?session=${session.session_id}`
      const gone = new AbortController()
      const read: (readonly ReadEvent[])[] = []
      const follow = async (): Promise<void> => {
        let last = '0'
        while (!gone.signal.aborted) {
          const { reader, ended } = await client.stream(path, headers, last)
          read.push(reader.events)
          await ended
          last = reader.lastEventId
        }
      }
      const following = follow()
      const seen = (): readonly string[] =>
        read
          .flat()
          .filter(({ type }) => type === 'transaction')
          .map(({ data }) => (JSON.parse(data) as { transaction_uuid: string }).transaction_uuid)
      const sent: string[] = []
      const send = async (): Promise<void> => void sent.push(await deposit(user))
      for (let times = 0; times < 3; times += 1) await send()
      await vi.waitFor(() => expect(seen()).toEqual(sent))
      proxy.reload()
      const until = Date.now() + 8000
      while (Date.now() < until) await send()
      await vi.waitFor(() => expect(seen()).toEqual(sent))
      expect(sent.length).toBeGreaterThan(20)
      gone.abort()
      client.close()
      await following
    })

    test('its log has no token, even if no cashier answers', async () => {
      const token = async (): Promise<string> =>
        new URL((await system.merchant.createSession({ user_reference_id: 'logged' })).launch_url).search
      const queries = [await token(), await token(), await token()]
      expect((await client.call('GET', `/launch${queries[0] ?? ''}`)).status).toBe(200)
      await fetch(`http://localhost:${ports.http}/launch${queries[1] ?? ''}`, { redirect: 'manual' })
      await client.call('GET', '/embed', { referer: `${url}/launch${queries[2] ?? ''}` })
      for (const cashier of system.cashiers) await cashier.stop()
      const unanswered = await client.call('GET', `/launch${queries[2] ?? ''}`)
      expect(unanswered.status).toBeGreaterThanOrEqual(502)
      for (const cashier of system.cashiers) await cashier.start()
      await vi.waitFor(() => expect(proxy.logs()).toMatch(/\/launch.* 502 |\/launch.*"status":50[23]/))
      const logs = proxy.logs()
      expect(queries.filter((query) => query.length < 20 || logs.includes(query.slice('?token='.length)))).toEqual([])
    })
  })
}
