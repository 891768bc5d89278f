/**
 * Tests docs/explanation/money.md, "Gateway webhooks", over real sockets: cases that need raw headers and bytes, and
 * the form of every answer.
 */
import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { add, decimal } from '#lib/contract/money.ts'
import { rsaKeyPair } from '../fixtures/keys.ts'
import { depositEvent, DEPOSIT_CURRENCY } from './deposit-event.ts'
import { webhookHeaders } from './gateway-signature.ts'
import { readMerchantFeed } from '../fixtures/merchant-feed.ts'
import type { PageClient } from './page.ts'
import { startSystem, type System } from './start-system.ts'

let system: System
let page: PageClient
beforeAll(async () => {
  system = await startSystem({ sandbox: { SANDBOX_WEBHOOK_URL: 'none' } })
  page = await system.page('payee')
})
afterAll(() => system.close())

type Headers = readonly (readonly [string, string])[]

/** Posts bytes under exactly these headers, one line each. */
async function post(body: Uint8Array, headers: Headers) {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; type: string; body: unknown }>()
  const outgoing = request(`${system.publicUrl}/api/webhooks/gateway`, { method: 'POST' }, (incoming) => {
    void text(incoming).then((answer) =>
      resolve({
        status: incoming.statusCode ?? 0,
        type: incoming.headers['content-type'] ?? '',
        body: answer === '' ? null : (JSON.parse(answer) as unknown),
      }),
    )
  })
  outgoing.on('error', reject)
  for (const [name, value] of headers) outgoing.appendHeader(name, value)
  outgoing.end(body)
  return promise
}

const now = () => Math.floor(Date.now() / 1000)
const signed = (body: string | Uint8Array, timestampS = now()): Headers =>
  Object.entries(webhookHeaders(system.gatewayKey, body, timestampS))
const event = (change: Partial<Parameters<typeof depositEvent>[0]> = {}) =>
  depositEvent({ uuid: randomUUID(), user: 'payee', amount: '1', status: 'succeeded', ...change })
const send = (body: string, headers = signed(body)) => post(Buffer.from(body), headers)
const received = (duplicate: boolean) => ({
  status: 200,
  type: 'application/json',
  body: { received: true, duplicate },
})
const refused = (status: number, code: string) => ({
  status,
  type: 'application/problem+json',
  body: expect.objectContaining({ status, code, request_id: expect.any(String) as unknown }) as unknown,
})
const nothingNew = async (act: () => Promise<void>): Promise<void> => {
  const before = [await readMerchantFeed(system.merchant), await quarantine(), await page.balance(DEPOSIT_CURRENCY)]
  await act()
  expect([await readMerchantFeed(system.merchant), await quarantine(), await page.balance(DEPOSIT_CURRENCY)]).toEqual(
    before,
  )
}
const quarantine = async (): Promise<readonly { id: string; reason: string }[]> => {
  const { items } = (await (await system.merchant.call('GET', '/quarantine?limit=1000')).json()) as {
    items: { id: string; reason: string }[]
  }
  return items.map(({ id, reason }) => ({ id, reason }))
}

test('new, then always a duplicate, also with another date and other white space', async () => {
  const body = event()
  expect(await send(body)).toEqual(received(false))
  await nothingNew(async () => {
    expect(await send(body)).toEqual(received(true))
    expect(await send(body, signed(body, now() - 290))).toEqual(received(true))
    const respaced = JSON.stringify(JSON.parse(body), null, 2).replace('2026-11-20T10:00:00Z', '2026-11-20T10:00:01Z')
    expect(await send(respaced)).toEqual(received(true))
    expect(await send(body, signed(body, now() - 3600))).toEqual(received(true))
  })
})

const replaced = (headers: Headers, name: string, value: string): Headers =>
  headers.map(([given, old]) => [given, given === name ? value : old])

describe('401 and no effect', () => {
  const names = ['x-signature', 'x-timestamp', 'x-algorithm'] as const
  test.each(names)('%s missing, empty, or twice', async (name) => {
    await nothingNew(async () => {
      const body = event()
      const headers = signed(body)
      const its = headers.filter(([given]) => given === name)
      for (const spoiled of [
        headers.filter(([given]) => given !== name),
        replaced(headers, name, ''),
        [...headers, ...its],
      ])
        expect(await send(body, spoiled)).toEqual(refused(401, 'unauthenticated'))
    })
  })

  test.each([
    ['x-algorithm', ['rsa-sha256', 'RSA-SHA512', 'none', 'RSA-SHA256, RSA-SHA256']],
    ['x-timestamp', ['0', '01732060800', '1732060800.0', '173206080', '17320608000', '-1732060800', 'now', '1e9']],
  ])('%s in another format', async (name, values) => {
    await nothingNew(async () => {
      const body = event()
      for (const value of values)
        expect(await send(body, replaced(signed(body), name, value))).toEqual(refused(401, 'unauthenticated'))
    })
  })

  test('a signature of another key, body, time or spelling', async () => {
    await nothingNew(async () => {
      const body = event()
      const [right = ''] = signed(body).flatMap(([name, value]) => (name === 'x-signature' ? [value] : []))
      const foreign = Object.entries(webhookHeaders(rsaKeyPair().privateKey, body))
      const spoiled: Headers[] = [
        foreign,
        signed(event()),
        replaced(signed(body), 'x-timestamp', String(now() - 1)),
        replaced(signed(body), 'x-signature', right.slice(0, -2)),
        replaced(signed(body), 'x-signature', right.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')),
        replaced(signed(body), 'x-signature', `${right.slice(0, 20)} ${right.slice(20)}`),
        replaced(signed(body), 'x-signature', Buffer.from(right, 'base64').toString('hex')),
      ]
      for (const headers of spoiled) expect(await send(body, headers)).toEqual(refused(401, 'unauthenticated'))
      expect(await send('not JSON', signed(body))).toEqual(refused(401, 'unauthenticated'))
    })
  })
})

test.each([
  ['no JSON', Buffer.from('{"event":')],
  ['nothing', Buffer.from('')],
  ['no UTF-8', Buffer.concat([Buffer.from('{"event":"'), Buffer.from([0xff]), Buffer.from('"}')])],
  ['a key twice', Buffer.from('{"event":"User Deposit","event":"User Deposit"}')],
  ['an array', Buffer.from('[]')],
])('signed, with %s: 400 and no effect', async (_name, body) => {
  await nothingNew(async () => {
    expect(await post(body, signed(body))).toEqual(refused(400, 'invalid_request'))
  })
})

test('256 KiB are accepted, one byte more is 413', async () => {
  const most = 256 * 1024
  const filled = (size: number) => {
    const body = event().replace(/}$/, ',"padding":"PADDING"}')
    return body.replace('PADDING', 'x'.repeat(size - body.length + 'PADDING'.length))
  }
  expect(await send(filled(most))).toEqual(received(false))
  expect(await send(filled(most + 1))).toEqual(refused(413, 'payload_too_large'))
})

test.each([
  ['stale', () => ({ body: event(), at: now() - 310 })],
  ['stale', () => ({ body: event(), at: now() + 70 })],
  ['unreadable', () => ({ body: '{"event":"User Deposit"}', at: now() })],
  [
    'unreadable',
    () => ({ body: event().replace(/"transaction_uuid":"[^"]+"/, '"transaction_uuid":"other"'), at: now() }),
  ],
  ['unknown_event', () => ({ body: event().replace('User Deposit', 'User Refund'), at: now() })],
  ['unknown_status', () => ({ body: event().replace('"succeeded"', '"refunded"'), at: now() })],
  ['unknown_user', () => ({ body: event({ user: 'nobody' }), at: now() })],
  ['unknown_user', () => ({ body: event().replace('"payee"', 'null'), at: now() })],
])('%s gets 200, is stored in quarantine, and is not applied', async (reason, make) => {
  const { body, at } = make()
  const [events, before] = [await readMerchantFeed(system.merchant), await quarantine()]
  expect(await send(body, signed(body, at))).toEqual(received(false))
  expect((await quarantine()).slice(before.length).map((item) => item.reason)).toEqual([reason])
  expect(await readMerchantFeed(system.merchant)).toEqual(events)
})

test('a stale webhook is applied when it is sent again with a new timestamp', async () => {
  const body = event()
  await send(body, signed(body, now() - 400))
  const before = await page.balance(DEPOSIT_CURRENCY)
  expect(await send(body)).toEqual(received(false))
  expect((await page.balance(DEPOSIT_CURRENCY)).available).toBe(add(decimal(before.available), decimal('1')))
})

test('the merchant applies a stale one, once, and dismisses a conflict, each with a note', async () => {
  const resolve = async (id: string, action: string) => {
    const response = await system.merchant.call('POST', `/quarantine/${id}/resolution`, { action, note: 'checked' })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  const last = async (): Promise<string> => (await quarantine()).at(-1)?.id ?? ''
  const uuid = randomUUID()
  const body = event({ uuid })
  await send(body, signed(body, now() - 400))
  const stale = await last()
  const before = await page.balance(DEPOSIT_CURRENCY)
  expect(await resolve(stale, 'apply')).toMatchObject({
    status: 200,
    body: { outcome: 'applied', item: { id: stale, reason: 'stale', settled_by: 'merchant', note: 'checked' } },
  })
  expect((await page.balance(DEPOSIT_CURRENCY)).available).toBe(add(decimal(before.available), decimal('1')))
  expect(await send(body)).toEqual(received(true))
  expect(await resolve(stale, 'apply')).toMatchObject({ status: 409, body: { code: 'conflict' } })

  await send(event({ uuid, amount: '2' }))
  const conflict = await last()
  expect((await resolve(conflict, 'apply')).status).toBe(409)
  expect(await resolve(conflict, 'dismiss')).toMatchObject({ status: 200, body: { outcome: 'dismissed' } })
  expect((await quarantine()).map(({ id }) => id)).not.toContain(conflict)
  const settled = await system.merchant.call('GET', '/quarantine?state=settled&reason=conflict&limit=1000')
  expect(await settled.json()).toMatchObject({ items: [{ id: conflict, settled_by: 'merchant', note: 'checked' }] })
  expect((await resolve('999999', 'apply')).status).toBe(404)
  expect((await page.balance(DEPOSIT_CURRENCY)).available).toBe(add(decimal(before.available), decimal('1')))
})

test('another amount with the same status is a conflict, and the first amount stays; an earlier state changes nothing', async () => {
  const uuid = randomUUID()
  expect(await send(event({ uuid }))).toEqual(received(false))
  const before = await page.balance(DEPOSIT_CURRENCY)
  expect(await send(event({ uuid, amount: '2' }))).toEqual(received(false))
  expect((await quarantine()).at(-1)?.reason).toBe('conflict')
  expect(await send(event({ uuid, status: 'processing' }))).toEqual(received(false))
  expect(await page.balance(DEPOSIT_CURRENCY)).toEqual(before)
  const published = (await readMerchantFeed(system.merchant)).filter(({ data }) => data.transaction_uuid === uuid)
  expect(published.map(({ data }) => data.status)).toEqual(['succeeded'])
})

test('a currency that is known only from webhooks is in the balances, but cannot be deposited or withdrawn', async () => {
  await send(event())
  const { balances } = (
    await page.get<{ balances: { currency_id: string; currency_code: string; network: string }[] }>('/balances')
  ).body
  expect(balances).toContainEqual(
    expect.objectContaining({ currency_id: DEPOSIT_CURRENCY, currency_code: 'USDT', network: 'Tron' }),
  )
  expect((await page.post('/deposit-addresses', { currency_id: DEPOSIT_CURRENCY })).status).toBe(404)
  const order = { currency_id: DEPOSIT_CURRENCY, amount: '1', wallet_address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t' }
  expect((await page.withdraw(order)).status).toBe(404)
})
