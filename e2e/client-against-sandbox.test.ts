/** Tests every operation and failure of our gateway client against the sandbox, which runs as a separate process. */
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { checkAddress } from '#lib/addresses/index.ts'
import { decimal } from '#lib/contract/money.ts'
import { createGatewayClient, type GatewayClientOptions } from '#lib/server/gateway/client.ts'
import type { GatewayError } from '#lib/server/gateway/errors.ts'
import type { Gateway } from '#lib/server/gateway/types.ts'
import { startSupervised, type SupervisedProcess } from '../scripts/supervised-process.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
let sandbox: SupervisedProcess
let origin: string
const clients: Gateway[] = []

const control = async (method: string, path: string, body?: unknown): Promise<Record<string, unknown>> => {
  const init = { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body ?? {}) }
  const response = await fetch(`${origin}/control${path}`, method === 'GET' ? {} : init)
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return (await response.json()) as Record<string, unknown>
}

const fault = (target: string, kind: string, settings: Record<string, unknown> = {}) =>
  control('POST', '/faults', { target, kind, settings })

const callsOf = async (operation: string): Promise<readonly { nonce: string; committed: boolean }[]> => {
  const { calls } = await control('GET', `/calls?operation=${operation}`)
  return calls as { nonce: string; committed: boolean }[]
}

function clientWith(more: Partial<GatewayClientOptions> & { readonly query?: string } = {}): Gateway {
  const { query = '', ...options } = more
  const client = createGatewayClient({
    baseUrl: `${origin}/gateway/v9${query}`,
    apiKey: 'key-1',
    privateKey,
    signQuery: 'bare',
    timeoutMs: 60_000,
    clock: Date.now,
    newNonce: randomUUID,
    ...options,
  })
  clients.push(client)
  return client
}

const failure = async (call: Promise<unknown>): Promise<GatewayError> => {
  try {
    await call
  } catch (error) {
    return error as GatewayError
  }
  throw new Error('the call succeeded')
}

beforeAll(async () => {
  const main = fileURLToPath(new URL('../sandbox/main.ts', import.meta.url))
  sandbox = await startSupervised({
    command: process.execPath,
    args: [main, '--port', '0', '--data', ':memory:', '--base-path', '/gateway/v9', '--webhook-url', 'none'],
    env: {
      NODE_ENV: 'test',
      SANDBOX_API_KEY: 'key-1',
      SANDBOX_MERCHANT_PUBLIC_KEY: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
      SANDBOX_GATEWAY_PRIVATE_KEY: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    },
    ready: /listening on (\S+)/,
  })
  origin = new URL(sandbox.ready[1] ?? '').origin
})
beforeEach(() => control('POST', '/reset'))
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close()
})
afterAll(() => sandbox.stop())

const currencyNamed = async (code: string, network: string): Promise<string> => {
  const all = await clientWith().listCurrencies()
  const found = all.find((currency) => currency.currency_code === code && currency.network === network)
  if (!found) throw new Error(`the sandbox has no ${code} on ${network}`)
  return found.id
}

const WALLET = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'
const withdrawal = async (amount: string) => ({
  currency_id: await currencyNamed('USDT', 'Tron'),
  amount: decimal(amount),
  wallet_address: WALLET,
  user_reference_id: 'user_1',
})

test('it reads currencies in both forms of the reply', async () => {
  const client = clientWith()
  await control('PATCH', '/modes', { currencies_form: 'array' })
  const bare = await client.listCurrencies()
  await control('PATCH', '/modes', { currencies_form: 'object' })
  expect(bare.length).toBeGreaterThan(4)
  expect(await client.listCurrencies()).toEqual(bare)
})

test('each currency gets a valid deposit address of its network', async () => {
  const client = clientWith()
  for (const { id, currency_code, network } of await client.listCurrencies()) {
    const given = await client.createDepositAddress({ currency_id: id, user_reference: 'user_1' })
    expect(given).toMatchObject({ currency: currency_code, network })
    expect(checkAddress(network, given.address)).toEqual({ ok: true, checked: 'full' })
  }
})

test('an external wallet', async () => {
  const request = { currency_id: await currencyNamed('USDT', 'Tron'), user_reference: 'user_1' }
  expect(await clientWith().linkExternalWallet(request)).toHaveProperty('link')
})

test('a withdrawal, with and without an approval', async () => {
  const client = clientWith()
  expect(await client.withdraw(await withdrawal('12.340'))).toMatchObject({
    amount: expect.stringMatching(/^12\.340*$/) as unknown,
    currency: 'USDT',
    requires_approval: false,
    wallet_address: WALLET,
  })
  expect((await client.withdraw(await withdrawal('5000'))).requires_approval).toBe(true)
})

test("the user's transactions: pages in both directions, filters, every digit", async () => {
  const currency_id = await currencyNamed('ETH', 'Ethereum')
  const amounts = ['0.000000000000000001', '123456789012345678.123456789012345678', '3']
  for (const amount of amounts) {
    await control('POST', '/deposits', { user_reference: 'user_1', currency_id, amount, confirm: true })
  }
  await control('POST', '/deposits', { user_reference: 'user_2', currency_id, amount: '9' })
  const client = clientWith()
  const all = await client.listUserTransactions('user_1', { transaction_types: ['Deposit'], time_range: 'last_24hrs' })
  expect(all.total_count).toBe(3)
  expect(all.edges.map(({ node }) => node.amount).reverse()).toEqual(amounts)
  expect(all.edges[0]?.node).toMatchObject({ type: 'Deposit', user_ref_id: 'user_1', currency: { id: currency_id } })

  const first = await client.listUserTransactions('user_1', { first: 2 })
  expect(first.page_info).toMatchObject({ has_next_page: true, has_previous_page: false })
  const after = first.page_info.end_cursor ?? ''
  const second = await client.listUserTransactions('user_1', { first: 2, after })
  expect([...first.edges, ...second.edges].map(({ cursor }) => cursor)).toEqual(all.edges.map(({ cursor }) => cursor))
  const back = await client.listUserTransactions('user_1', { last: 2, before: second.page_info.start_cursor ?? '' })
  expect(back.edges).toEqual(first.edges)
  expect((await client.listUserTransactions('user_1', { transaction_types: ['Payout'] })).edges).toEqual([])

  expect((await client.listMerchantTransactions()).total_count).toBe(4)
})

test('a payment session, with metadata in any script, and the legacy address', async () => {
  const client = clientWith()
  const { currency_id } = await withdrawal('1')
  const session = await client.createPaymentSession({
    payment_type: 'ON_RAMP',
    country: 'DE',
    currency_id,
    amount: decimal('50.00'),
    fiat_currency: 'EUR',
    redirect_url: 'https://merchant.example/back?a=b c',
    user_reference_id: 'user_1',
    session_reference: 'session-1',
    metadata: { note: 'zwei Wörter\u00a0und\u2028mehr', '\t': ['😀'] },
    theme: 'light',
  })
  expect(session).toMatchObject({ link: expect.stringContaining(origin) as unknown, expires_at: null })
  expect(session.correlation_key).toContain('session-1')
  const legacy = { currency_id, user_reference_id: 'user_1', country: 'DE', site: 'merchant.example' }
  const given = await client.getOnrampUrl({ ...legacy, provider: 'provider', operation: 'deposit', theme: 'dark' })
  expect(given.link).toContain(origin)
})

test('a payment session that breaks a rule gets 422 with fields, 403 or 501', async () => {
  const client = clientWith()
  const { currency_id } = await withdrawal('1')
  const on = { payment_type: 'ON_RAMP', country: 'DE', currency_id } as const
  expect(await failure(client.createPaymentSession(on))).toMatchObject({
    kind: 'validation',
    status: 422,
    fields: { amount: [expect.any(String)], fiat_currency: [expect.any(String)], redirect_url: [expect.any(String)] },
  })
  const custom = {
    ...on,
    amount: decimal('5'),
    fiat_currency: 'EUR',
    redirect_url: 'https://m.example',
    custom_wallet_address: WALLET,
  }
  expect(await failure(client.createPaymentSession(custom))).toMatchObject({ kind: 'forbidden', status: 403 })
  const off = { ...on, payment_type: 'OFF_RAMP', user_reference_id: 'user_1' } as const
  expect(await failure(client.createPaymentSession(off))).toMatchObject({ kind: 'not_available', status: 501 })
})

test('a user reference that the gateway refuses is a validation error', async () => {
  expect(await failure(clientWith().listUserTransactions('user 1'))).toMatchObject({
    kind: 'validation',
    fields: { user_reference_id: [expect.any(String)] },
  })
})

const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
const nonce = randomUUID()

test.each<[string, Partial<GatewayClientOptions>]>([
  ['another API key', { apiKey: 'key-2' }],
  ['another private key', { privateKey: other }],
  ['a short nonce', { newNonce: () => 'short' }],
])('%s is an authentication failure', async (_name, options) => {
  expect((await failure(clientWith(options).listCurrencies())).kind).toBe('authentication')
})

test('a nonce used twice is an authentication failure', async () => {
  const client = clientWith({ newNonce: () => nonce })
  await client.listCurrencies()
  expect((await failure(client.listCurrencies())).kind).toBe('authentication')
})

test.each([
  ['bare', 'question-mark'],
  ['question-mark', 'bare'],
] as const)('a query is signed %s if the gateway wants that, and not %s', async (signQuery, wrong) => {
  await control('PATCH', '/modes', { query_form: signQuery })
  const query = '?tenant=a%20b'
  expect(await clientWith({ signQuery, query }).listCurrencies()).not.toEqual([])
  expect((await failure(clientWith({ signQuery: wrong, query }).listCurrencies())).kind).toBe('authentication')
})

interface Sent {
  readonly kind: string
  readonly settings?: Record<string, unknown>
  readonly becomes: string
  readonly committed: boolean
}

test.each<Sent>([
  { kind: 'cut_before_commit', becomes: 'outcome_unknown', committed: false },
  { kind: 'cut_after_commit', becomes: 'outcome_unknown', committed: true },
  { kind: 'cut_mid_reply', becomes: 'outcome_unknown', committed: true },
  { kind: 'error_before_commit', becomes: 'outcome_unknown', committed: false },
  { kind: 'error_after_commit', becomes: 'outcome_unknown', committed: true },
  { kind: 'error_before_commit', settings: { status: 408 }, becomes: 'outcome_unknown', committed: false },
  { kind: 'garbage', becomes: 'unreadable', committed: true },
  { kind: 'wrong_shape', becomes: 'unreadable', committed: true },
  { kind: 'oversized', becomes: 'unreadable', committed: true },
  { kind: 'redirect', becomes: 'outcome_unknown', committed: false },
  { kind: 'silence', becomes: 'outcome_unknown', committed: true },
  { kind: 'rate_limited', becomes: 'rate_limited', committed: false },
  { kind: 'refuse', becomes: 'rejected', committed: false },
  { kind: 'refuse_with_transaction', becomes: 'rejected_with_transaction', committed: true },
  {
    kind: 'refuse_with_transaction',
    settings: { status: 500, failed: false },
    becomes: 'rejected_with_transaction',
    committed: true,
  },
])(
  'a withdrawal under the fault $kind $settings becomes $becomes, and is sent once',
  async ({ kind, settings, ...then }) => {
    const request = await withdrawal('1.5')
    await fault('withdraw', kind, settings)
    // Only one of these faults sends no answer.
    const error = await failure(clientWith({ timeoutMs: kind === 'silence' ? 2_000 : 60_000 }).withdraw(request))
    const calls = await callsOf('withdraw')
    expect({ becomes: error.kind, committed: calls.map(({ committed }) => committed) }).toEqual({
      becomes: then.becomes,
      committed: [then.committed],
    })
  },
)

test('the transaction that an error names is in the list', async () => {
  const request = await withdrawal('1.5')
  const client = clientWith()
  await fault('withdraw', 'refuse_with_transaction')
  const error = await failure(client.withdraw(request))
  const { edges } = await client.listUserTransactions('user_1')
  expect(error).toMatchObject({ transactionUuid: edges[0]?.node.transaction_uuid })
})

test("two replies reveal the gateway's clock, ahead of ours or behind", async () => {
  for (const offset_ms of [7_200_000, -7_200_000]) {
    const client = clientWith()
    await control('POST', '/clock', { offset_ms })
    await client.listCurrencies()
    expect(client.clockOffsetMs()).toBeNull()
    await client.listCurrencies()
    // The error is at most the duration of the reply, which is below the timeout.
    expect(Math.abs((client.clockOffsetMs() ?? 0) - offset_ms)).toBeLessThan(20_000)
  }
})

test.each(['cut_before_commit', 'error_before_commit'])('a read that fails once by %s is sent again', async (kind) => {
  const client = clientWith()
  await fault('user_transactions', kind)
  expect((await client.listUserTransactions('user_1')).edges).toEqual([])
  const calls = await callsOf('user_transactions')
  expect(new Set(calls.map((call) => call.nonce)).size).toBe(2)
})

test('when the gateway does not run, the client knows that nothing was sent', async () => {
  const request = await withdrawal('1')
  const client = clientWith({ baseUrl: 'http://127.0.0.1:1/gateway' })
  expect((await failure(client.withdraw(request))).kind).toBe('unreachable')
})
