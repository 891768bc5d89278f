/**
 * Traces (docs/guides/operate.md, "Traces") of real processes: their content, the data that they never have, and their
 * cost.
 */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startTraceReceiver, type ReceivedSpan, type TraceReceiver } from '../fixtures/trace-receiver.ts'
import { json, startMerchantDouble, type MerchantDouble } from './merchant-double.ts'
import { requestLaunch } from './page.ts'
import { startSystem, type System } from './start-system.ts'

const WALLET = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'
const RECEIVER_KEY = `a-key-of-the-receiver-${randomUUID()}`
const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736'
const folder = mkdtempSync(join(tmpdir(), 'cashier-tracing-'))
const LIST_MODULES = `--import=${resolve(import.meta.dirname, 'loaded-modules.ts')}`
const loadedBy = (name: string): string => readFileSync(join(folder, name), 'utf8')
/** Packages of OpenTelemetry that a process loaded. prom-client loads `api`, which does nothing by itself. */
const openTelemetryIn = (name: string): readonly string[] => {
  const found = loadedBy(name).matchAll(/\/node_modules\/@opentelemetry\/([\w-]+)\//g)
  return [...new Set(Array.from(found, ([, module = '']) => module))].filter((module) => module !== 'api')
}

let receiver: TraceReceiver
let merchant: MerchantDouble
let system: System

async function durationOf(act: () => Promise<void>): Promise<number> {
  const began = performance.now()
  await act()
  return performance.now() - began
}

beforeAll(async () => {
  receiver = await startTraceReceiver()
  merchant = await startMerchantDouble(() => system.webhookSecret)
  system = await startSystem({
    cashier: {
      MERCHANT_AUTHORIZE_URL: merchant.url,
      MERCHANT_WEBHOOK_URL: merchant.url,
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_EXPORTER_OTLP_HEADERS: `x-receiver-key=${RECEIVER_KEY}`,
      OTEL_EXPORTER_OTLP_TIMEOUT: '300',
      OTEL_BSP_SCHEDULE_DELAY: '50',
      OTEL_SERVICE_NAME: 'cashier-of-the-test',
      NODE_OPTIONS: LIST_MODULES,
      LOADED_MODULES: join(folder, 'with'),
    },
  })
})
afterAll(async () => {
  await system.close()
  await merchant.close()
  rmSync(folder, { recursive: true })
})

const named = (name: string): readonly ReceivedSpan[] => receiver.spans().filter((span) => span.name === name)
const received = async (name: string): Promise<ReceivedSpan> => {
  await vi.waitFor(() => expect(named(name)).not.toEqual([]))
  return named(name)[0] as ReceivedSpan
}
const asMerchant = (headers: Readonly<Record<string, string>>) =>
  fetch(`${system.publicUrl}/api/merchant/events?after=`, { headers })

test('a withdrawal and a deposit can be followed; the traces have no data of the user; a dead receiver does no harm', async () => {
  merchant.respondWith(json({ decision: 'approve' }))
  const user = `user-${randomUUID()}`
  const page = await system.page(user)
  const order = { currency_id: system.currency('USDT Tron'), amount: '12.345678', wallet_address: WALLET }
  const withdrawal = await page.withdraw(order)
  expect(withdrawal.status).toBe(201)

  const request = await received('POST /api/cashier/withdrawals')
  expect(request.attributes).toMatchObject({
    'http.route': '/api/cashier/withdrawals',
    'http.response.status_code': 201,
  })
  const asked = await received('merchant authorize')
  const sent = await received('gateway withdraw')
  expect([asked.traceId, sent.traceId]).toEqual([request.traceId, request.traceId])
  expect(sent.parentSpanId).toBe(request.spanId)
  expect(merchant.requests.map(({ traceparent }) => traceparent)).toContain(`00-${asked.traceId}-${asked.spanId}-01`)

  const deposit = { user_reference: user, currency_id: order.currency_id, amount: '98.7654321' }
  const address = await page.post('/deposit-addresses', { currency_id: order.currency_id })
  const uuid = await system.control.detectDeposit(deposit)
  const webhook = await received('webhook')
  const webhookRequest = await received('POST /api/webhooks/gateway')
  expect(webhook).toMatchObject({ traceId: webhookRequest.traceId, parentSpanId: webhookRequest.spanId })
  expect(webhook.attributes).toEqual({ 'cashier.webhook.status': 200, 'cashier.webhook.duplicate': false })
  await received('merchant webhook')
  await vi.waitFor(() => expect(receiver.spans().some(({ name }) => name.startsWith('job '))).toBe(true))

  // Only the merchant's own trace is continued.
  const traceparent = `00-${TRACE_ID}-00f067aa0ba902b7-01`
  await asMerchant({ traceparent })
  expect((await received('GET /api/merchant/events')).traceId).not.toBe(TRACE_ID)
  await asMerchant({ traceparent, authorization: `Bearer ${system.merchantApiKey}` })
  await vi.waitFor(() => expect(named('GET /api/merchant/events').map(({ traceId }) => traceId)).toContain(TRACE_ID))

  const unused = await system.merchant.createSession({ user_reference_id: user })
  await fetch(`${system.publicUrl}/launch?token=${unused.launch_token}`)
  await requestLaunch(system.publicUrl, unused.launch_token)
  await received('POST /launch')
  expect(receiver.requests[0]).toMatchObject({ path: '/v1/traces', headers: { 'x-receiver-key': RECEIVER_KEY } })
  expect(receiver.resources()[0]).toMatchObject({ 'service.name': 'cashier-of-the-test' })
  const secrets = {
    user,
    wallet: WALLET,
    address: String(address.body['address']),
    amount: '12.345678',
    depositAmount: '98.7654321',
    withdrawal: withdrawal.body.id,
    deposit: uuid,
    session: page.session.session_id,
    token: page.session.launch_token,
    unusedToken: unused.launch_token,
    cookie: page.headers['cookie'] ?? '',
    merchantKey: system.merchantApiKey,
    webhookSecret: system.webhookSecret,
    receiverKey: RECEIVER_KEY,
    merchantHost: new URL(merchant.url).host,
    client: '127.0.0.1',
    query: 'after=',
  }
  const everything = receiver.requests.map(({ body }) => body).join('\n')
  expect(Object.entries(secrets).filter(([, secret]) => secret === '' || everything.includes(secret))).toEqual([])

  await receiver.close()
  expect((await page.get('/balances')).status).toBe(200)
  await vi.waitFor(() => expect(system.cashiers[0].output()).toContain('traces could not be sent'))
  expect((await page.get('/balances')).status).toBe(200)
  expect(system.cashiers[0].output()).not.toContain(RECEIVER_KEY)
  const stopMs = await durationOf(() => system.cashiers[0].stop())
  expect(openTelemetryIn('with')).toContain('sdk-trace-base')
  // A slow machine needs a long time for both.
  const startMs = await durationOf(() => system.cashiers[0].start())
  expect(stopMs).toBeLessThan(8000 + startMs)
})

test('without an endpoint OpenTelemetry is not loaded', async () => {
  const plain = await startSystem({
    cashier: {
      OTEL_SERVICE_NAME: 'cashier-of-the-test',
      NODE_OPTIONS: LIST_MODULES,
      LOADED_MODULES: join(folder, 'without'),
    },
  })
  try {
    const page = await plain.page(`user-${randomUUID()}`)
    expect((await page.get('/balances')).status).toBe(200)
  } finally {
    await plain.close()
  }
  expect(loadedBy('without')).toContain('/node_modules/kysely/')
  expect(openTelemetryIn('without')).toEqual([])
})
