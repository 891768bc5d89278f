/** One UUID has many spellings: messages of the gateway and requests that write it in another case mean the same. */
import { createSign, randomUUID } from 'node:crypto'
import * as http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest'
import { newTestDatabase, type TestDatabase } from '../store/testing/test-databases.ts'
import { GATEWAY_KEYS, testConfig } from './testing/config.ts'
import { asMerchant, newVisitor, type Visitor } from './testing/visitor.ts'
import { startWholeServer, type WholeServer } from './testing/whole-server.ts'

const ID = 'abcdef12-3456-4789-8abc-def012345678'
const NAMES = { name: 'Tether', symbol: '₮', network: 'Ethereum' }
const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7'
const USER = 'player-1'

const lower = (text: string): string => text
const upper = (text: string): string => text.toUpperCase()
const CASES = [lower, upper] as const
type Spell = (typeof CASES)[number]

interface Call {
  readonly path: string
  readonly body: Readonly<Record<string, string>>
}

/** A gateway that lists its currency in one case and knows it by exactly that text. */
const gateway = {
  listsCurrency: lower,
  /** Of its replies and of the records of its list. */
  spells: lower,
  records: [] as ((spell: Spell) => object)[],
  payout: '',
  session: '',
  calls: [] as Call[],
}

const PAGE_INFO = { start_cursor: null, end_cursor: null, has_next_page: false, has_previous_page: false }

function answer({ path, body }: Call): readonly [number, unknown] {
  const { listsCurrency, spells, records } = gateway
  if (path === '/v1/merchant/currencies') return [200, [{ id: listsCurrency(ID), currency_code: 'USDT', ...NAMES }]]
  if (path === '/v1/user/transactions') {
    const edges = records.map((record, at) => ({
      cursor: String(at),
      inserted_at: new Date().toISOString(),
      node: record(spells),
    }))
    return [200, { edges, page_info: PAGE_INFO, total_count: edges.length }]
  }
  if (path === '/v1/merchant/transactions') return [404, { message: 'none' }]
  if (body['currency_id'] !== listsCurrency(ID))
    return [422, { error: true, message: 'no such currency', request_id: 'r' }]
  gateway.session = body['session_reference'] ?? ''
  const replies: Readonly<Record<string, object>> = {
    '/v1/user/deposit/address': { address: ADDRESS, currency: 'USDT', network: 'Ethereum' },
    '/v1/user/withdraw': {
      ...{ amount: body['amount'], currency: 'USDT', requires_approval: false, status: 'Processing' },
      ...{ wallet_address: body['wallet_address'], transaction_uuid: spells(gateway.payout) },
    },
    '/v1/user/payments': {
      ...{ link: 'https://pay.example/x', correlation_key: `${spells(ID)}:${spells(gateway.session)}` },
      expires_at: null,
    },
  }
  return [200, replies[path]]
}

const httpServer = http.createServer((request, response) => {
  let text = ''
  request.on('data', (chunk: Buffer) => (text += chunk.toString()))
  request.on('end', () => {
    const call = { path: request.url ?? '', body: JSON.parse(text || '{}') as Call['body'] }
    gateway.calls.push(call)
    const [status, body] = answer(call)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
})

let database: TestDatabase
let server: WholeServer
const start = async (): Promise<void> => {
  server = await startWholeServer(
    testConfig({
      DATABASE_URL: database.url,
      GATEWAY_BASE_URL: `http://127.0.0.1:${(httpServer.address() as AddressInfo).port}`,
      // The list confirms each webhook.
      GATEWAY_MERCHANT_REFERENCE: '',
      RATE_LIMIT: 'off',
    }),
  )
}

beforeEach(async () => {
  Object.assign(gateway, { listsCurrency: lower, spells: lower, records: [], payout: randomUUID(), calls: [] })
  database = await newTestDatabase('sqlite', inject('postgresUrl'))
  await new Promise<void>((resolve) => httpServer.listen(0, '127.0.0.1', resolve))
})
afterEach(async () => {
  await server.stop()
  await database.remove()
  httpServer.closeAllConnections()
  await new Promise((resolve) => httpServer.close(resolve))
})

async function send(body: object): Promise<unknown> {
  const text = JSON.stringify(body)
  const timestamp = String(Math.floor(Date.now() / 1000))
  const signature = createSign('RSA-SHA256').update(text).update(timestamp).sign(GATEWAY_KEYS.privateKey, 'base64')
  const headers = { 'x-signature': signature, 'x-timestamp': timestamp, 'x-algorithm': 'RSA-SHA256' }
  const response = await fetch(`${server.url}/api/webhooks/gateway`, { method: 'POST', headers, body: text })
  expect(response.status).toBe(200)
  return response.json()
}

const transfer = (kind: 'Deposit' | 'Payout', uuid: string, spell: Spell, amount: number) => ({
  event: `User ${kind}`,
  transaction: {
    ...{ id: spell(uuid), status: 'succeeded', amount, to_address: ADDRESS, tx_hash: null },
    currency: { id: spell(ID), currency_code: 'USDT', ...NAMES },
  },
  transaction_uuid: spell(uuid),
  user_reference: USER,
})

const recordOf = (type: 'Deposit' | 'Payout', uuid: string, amount: string) => (spell: Spell) => ({
  ...{ transaction_uuid: spell(uuid), type, status: 'TXN_PROVIDER_SUCCEEDED', merchant_status: null, amount },
  ...{ currency: { id: spell(ID), code: 'USDT', ...NAMES }, to_address: ADDRESS, user_ref_id: USER },
  inserted_at: new Date().toISOString(),
})

const read = async <T>(response: Promise<Response>): Promise<T> => (await response).json() as Promise<T>
const post = (visitor: Visitor, path: string, body: object, headers = {}): Promise<Response> =>
  visitor.call(path, { method: 'POST', body: JSON.stringify(body), headers })

interface Balances {
  readonly balances: readonly { readonly currency_id: string; readonly available: string }[]
}
const balancesOf = async (visitor: Visitor) =>
  (await read<Balances>(visitor.call('/api/cashier/balances'))).balances.map(({ currency_id, available }) => [
    currency_id,
    available,
  ])
const listedIds = async (visitor: Visitor): Promise<readonly string[]> =>
  (await read<{ currencies: readonly { id: string }[] }>(visitor.call('/api/cashier/currencies'))).currencies.map(
    ({ id }) => id,
  )
const openLines = async () =>
  (await read<{ items: readonly { reason: string }[] }>(asMerchant(server, '/api/merchant/quarantine'))).items.map(
    ({ reason }) => reason,
  )
const sentIds = (path: string) =>
  gateway.calls.flatMap((call) => (call.path === path ? [call.body['currency_id']] : []))

/** Withdraws 1 and lets the gateway pay it. */
async function withdraw(visitor: Visitor, currency_id: string, spell: Spell): Promise<void> {
  gateway.payout = randomUUID()
  const body = { currency_id, amount: '1', wallet_address: ADDRESS }
  const response = await post(visitor, '/api/cashier/withdrawals', body, { 'idempotency-key': randomUUID() })
  const { id, ...withdrawal } = (await response.json()) as { id: string }
  expect(withdrawal).toMatchObject({ status: 'processing', transaction_uuid: gateway.payout })
  await send(transfer('Payout', gateway.payout, spell, 1))
  gateway.records.unshift(recordOf('Payout', gateway.payout, '1'))
  expect(await read(visitor.call(`/api/cashier/withdrawals/${id}`))).toMatchObject({ status: 'succeeded' })
}

test.each(
  CASES.flatMap((listsCurrency) =>
    CASES.flatMap((told) =>
      CASES.map((spells): [string, string, string, Spell, Spell, Spell] => [
        listsCurrency.name,
        told.name,
        spells.name,
        listsCurrency,
        told,
        spells,
      ]),
    ),
  ),
)(
  'with the list of currencies in %s case, webhooks in %s and records and replies in %s, money is in the one currency',
  async (_list, _webhook, _record, listsCurrency, told, spells) => {
    const other = listsCurrency === lower ? upper : lower
    Object.assign(gateway, { listsCurrency, spells })
    await start()
    const visitor = await newVisitor(server)
    const [id = ''] = await listedIds(visitor)
    expect(await (await post(visitor, '/api/cashier/deposit-addresses', { currency_id: id })).json()).toMatchObject({
      address: ADDRESS,
    })

    const deposit = randomUUID()
    gateway.records.push(recordOf('Deposit', deposit, '12.5'))
    await send(transfer('Deposit', deposit, told, 12.5))
    await vi.waitFor(async () => expect(await balancesOf(visitor)).toEqual([[id, '12.5']]), 5000)
    expect(await send(transfer('Deposit', deposit, spells, 12.5))).toEqual({ received: true, duplicate: true })
    await withdraw(visitor, id, told)

    await server.stop()
    gateway.listsCurrency = other
    await start()
    const again = await newVisitor(server)
    expect(await listedIds(again)).toEqual([id])
    expect(await balancesOf(again)).toEqual([[id, '11.5']])
    await withdraw(again, id, spells)
    expect(await balancesOf(again)).toEqual([[id, '10.5']])
    expect(await openLines()).toEqual([])
    expect(sentIds('/v1/user/deposit/address')).toEqual([listsCurrency(ID)])
    expect(sentIds('/v1/user/withdraw')).toEqual([listsCurrency(ID), other(ID)])
  },
)

test.each(CASES.map((spell) => [spell.name, spell] as const))(
  'requests may name a currency in %s case, and a repeated one is the same',
  async (_name, spell) => {
    gateway.listsCurrency = upper
    await start()
    const visitor = await newVisitor(server, { currency_ids: [spell(ID)] })
    const [id = ''] = await listedIds(visitor)
    const adjust = (currency_id: string) =>
      asMerchant(server, `/api/merchant/users/${USER}/adjustments`, {
        method: 'POST',
        body: JSON.stringify({ currency_id, amount: '5', reference: 'r1' }),
      })
    expect(await read(adjust(spell(ID)))).toMatchObject({ currency_id: id, available: '5' })
    expect((await adjust(lower(ID))).status).toBe(200)
    const rates = await asMerchant(server, '/api/merchant/rates', {
      method: 'PUT',
      body: JSON.stringify({ rates: { [spell(ID)]: '1.01' } }),
    })
    expect(await rates.json()).toMatchObject({ rates: { [id]: '1.01' } })
    const pay = async (currency_id: string) => {
      const body = { currency_id, amount: '2', wallet_address: ADDRESS }
      const response = await post(visitor, '/api/cashier/withdrawals', body, { 'idempotency-key': 'one-key-1' })
      return (await response.json()) as { readonly id: string }
    }
    const first = await pay(spell(ID))
    expect(await pay(upper(ID))).toEqual(first)
    expect(await balancesOf(visitor)).toEqual([[id, '3']])
    expect((await visitor.call(`/api/cashier/addresses?currency_id=${spell(ID)}`)).status).toBe(200)
    expect(sentIds('/v1/user/withdraw')).toEqual([upper(ID)])
  },
)

test.each(CASES.map((spell) => [spell.name, spell] as const))(
  'a purchase whose events name its session and key in %s case belongs to the session',
  async (_name, spell) => {
    gateway.spells = upper
    await start()
    const visitor = await newVisitor(server)
    const body = { currency_id: upper(ID), amount: '10', fiat_currency: 'EUR', country: 'DE' }
    const { id } = await read<{ id: string }>(post(visitor, '/api/cashier/onramp-sessions', body))
    const uuid = randomUUID()
    await send({
      event: 'User Onramp',
      transaction: {
        ...{ id: uuid, status: 'succeeded', to_amount: 7, from_amount: 10, from_currency: 'EUR', tx_hash: null },
        to_currency: { code: 'USDT', name: 'Tether', network: 'Ethereum' },
      },
      transaction_uuid: uuid,
      user_reference: USER,
      correlation_key: `${spell(ID)}:${spell(id)}`,
      session_reference: spell(id),
    })
    expect(await balancesOf(visitor)).toEqual([[lower(ID), '7']])
    expect(await openLines()).toEqual([])
  },
)
