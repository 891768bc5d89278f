import { verify } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { USDT_ON_TRON, currencyId, testReceiver, testSandbox, eventually } from '../testing/test-sandbox.ts'
import type { TestReceiver, TestSandbox } from '../testing/test-sandbox.ts'

let sandbox: TestSandbox
let receiver: TestReceiver

beforeEach(async () => {
  receiver = await testReceiver()
  sandbox = await testSandbox({ modes: { webhook_retries_ms: [30, 30] } })
  await pointAt(receiver.url)
})
afterEach(async () => {
  await sandbox.close()
  receiver.close()
})

const pointAt = (url: string | null) => sandbox.control('PATCH', '/merchants/test-merchant', { webhook_url: url })
const fault = (kind: string, more: Record<string, unknown> = {}) =>
  sandbox.control('POST', '/faults', { target: 'webhooks', kind, ...more })

async function deposit(confirm = false): Promise<string> {
  const { body } = await sandbox.control('POST', '/deposits', { ...USDT_ON_TRON, amount: '1', confirm })
  return (body['transaction'] as { transaction_uuid: string }).transaction_uuid
}

interface Logged {
  readonly id: number
  readonly state: string
  readonly attempts: number
  readonly log: readonly { response_status: number | null; error: string | null; x_timestamp: string }[]
}

const log = async (): Promise<readonly Logged[]> =>
  (await sandbox.control('GET', '/webhooks')).body['webhooks'] as Logged[]

const arrived = () => receiver.deliveries.map(({ event }) => `${event.transaction_uuid} ${event.transaction.status}`)
const settle = () => new Promise((resolve) => setTimeout(resolve, 80))

describe('retries', () => {
  test('a refused event is sent again until it is accepted', async () => {
    receiver.statuses.push(500, 302)
    await deposit()
    await eventually(async () => (await log())[0]).toMatchObject({ state: 'delivered', attempts: 3 })
    expect((await log())[0]!.log.map(({ response_status }) => response_status)).toEqual([500, 302, 200])
  })

  test('after the last wait the event is given up, and the record shows this', async () => {
    receiver.statuses.push(500, 500, 500, 500)
    await deposit()
    await eventually(async () => (await log())[0]).toMatchObject({ state: 'given_up', attempts: 3 })
    const { body } = await sandbox.control('GET', '/transactions')
    expect((body['transactions'] as { merchant_status: string }[])[0]!.merchant_status).toBe('CALLBACK_FAILED')
  })

  test('a missing answer is logged with its reason', async () => {
    await pointAt('http://127.0.0.1:9/')
    await deposit()
    await eventually(async () => (await log())[0]?.log[0]?.error ?? '').not.toBe('')
    expect((await log())[0]!.log[0]!.response_status).toBeNull()
  })

  test('a failed event does not delay the next event of its transaction', async () => {
    await sandbox.control('PATCH', '/modes', { webhook_retries_ms: [60_000] })
    receiver.statuses.push(500)
    const uuid = await deposit(true)
    await eventually(arrived).toEqual([`${uuid} processing`, `${uuid} succeeded`])
    await sandbox.control('POST', '/webhooks/flush')
    await eventually(arrived).toEqual([`${uuid} processing`, `${uuid} succeeded`, `${uuid} processing`])
  })

  test('an event without a webhook URL is stored, and sent on request', async () => {
    await pointAt(null)
    const uuid = await deposit()
    expect((await log())[0]).toMatchObject({ state: 'unsent', attempts: 0 })
    await pointAt(receiver.url)
    await sandbox.control('POST', `/webhooks/${(await log())[0]!.id}/redeliver`)
    await eventually(arrived).toEqual([`${uuid} processing`])
  })

  test('a delivered event can be sent again', async () => {
    await deposit()
    await eventually(arrived).toHaveLength(1)
    await sandbox.control('POST', `/webhooks/${(await log())[0]!.id}/redeliver`)
    await eventually(arrived).toHaveLength(2)
    expect(receiver.deliveries[0]!.raw.equals(receiver.deliveries[1]!.raw)).toBe(true)
  })
})

test('the deposit of an on-ramp comes after the events of its session', async () => {
  const { body } = await sandbox.call('POST', '/v1/user/payments', {
    payment_type: 'ON_RAMP',
    country: 'DE',
    currency_id: await currencyId(sandbox, 'BTC', 'Bitcoin'),
    amount: '10',
    fiat_currency: 'EUR',
    redirect_url: 'https://merchant.example/',
    user_reference_id: 'ada',
  })
  await sandbox.control('POST', `/onramp-sessions/${encodeURIComponent(String(body['correlation_key']))}/succeeded`)
  await eventually(() => receiver.deliveries.map(({ event }) => `${event.event} ${event.transaction.status}`)).toEqual([
    'User Onramp pending',
    'User Onramp processing',
    'User Onramp succeeded',
    'User Deposit processing',
    'User Deposit succeeded',
  ])
})

test("a record's merchant_status follows its latest event", async () => {
  const merchantStatus = async () =>
    ((await sandbox.control('GET', '/transactions')).body['transactions'] as { merchant_status: string }[])[0]
      ?.merchant_status
  const uuid = await deposit()
  await eventually(merchantStatus).toBe('CALLBACK_SUCCEEDED')
  await sandbox.control('PATCH', '/modes', { webhook_retries_ms: [60_000] })
  receiver.statuses.push(500)
  await sandbox.control('POST', `/deposits/${uuid}/confirm`)
  expect(await merchantStatus()).toBe('CALLBACK_PENDING')
})

describe('faults', () => {
  test('drop: nothing is sent, and the record advances', async () => {
    await fault('drop', { match: { status: 'processing' } })
    const uuid = await deposit(true)
    await eventually(arrived).toEqual([`${uuid} succeeded`])
    expect((await log()).map(({ state }) => state)).toEqual(['delivered', 'dropped'])
  })

  test('duplicate: the same bytes arrive as often as set', async () => {
    await fault('duplicate', { settings: { copies: 3 } })
    await deposit()
    await eventually(arrived).toHaveLength(3)
    expect(new Set(receiver.deliveries.map(({ raw }) => raw.toString('utf8'))).size).toBe(1)
  })

  test('reorder: the event arrives after the next event', async () => {
    await fault('reorder', { match: { event: 'User Deposit', status: 'processing' } })
    const uuid = await deposit()
    await settle()
    expect(arrived()).toEqual([])
    await sandbox.control('POST', `/deposits/${uuid}/confirm`)
    await eventually(arrived).toEqual([`${uuid} succeeded`, `${uuid} processing`])
  })

  test('delay: the event arrives later', async () => {
    await fault('delay', { settings: { delay_ms: 2000 } })
    const uuid = await deposit()
    await settle()
    expect(arrived()).toEqual([])
    await eventually(arrived).toEqual([`${uuid} processing`])
  })

  test.each(['wrong_signature', 'other_key', 'stale_timestamp'])(
    '%s: affects only that event, and not a repeated delivery',
    async (kind) => {
      await fault(kind)
      await deposit()
      await eventually(arrived).toHaveLength(1)
      await deposit()
      await eventually(arrived).toHaveLength(2)
      await sandbox.control('POST', '/webhooks/1/redeliver')
      await eventually(arrived).toHaveLength(3)
      expect(receiver.deliveries.map(isGood)).toEqual([false, true, true])
    },
  )
})

test('round_amounts: the amount has passed through a double, and the list keeps every digit', async () => {
  await fault('round_amounts')
  const amount = '0.123456789012345678'
  await sandbox.control('POST', '/deposits', { user_reference: 'ada', currency: 'ETH', network: 'Ethereum', amount })
  await eventually(arrived).toHaveLength(1)
  const { raw } = receiver.deliveries[0]!
  expect(raw.toString('utf8')).toContain('"amount":0.12345678901234568,')
  expect(isGood(receiver.deliveries[0]!)).toBe(true)
  const { body } = await sandbox.control('GET', '/transactions')
  expect(body['transactions']).toMatchObject([{ amount }])
})

function isGood({ raw, headers }: TestReceiver['deliveries'][number]): boolean {
  const { 'x-timestamp': timestamp = '', 'x-signature': signature = '' } = headers
  const signed = verifies(Buffer.concat([raw, Buffer.from(timestamp)]), signature)
  return signed && Math.abs(Number(timestamp) - Date.now() / 1000) < 60
}

const verifies = (signed: Buffer, signature: string): boolean =>
  verify('sha256', signed, sandbox.gatewayPublicKey, Buffer.from(signature, 'base64'))

describe('any webhook', () => {
  test('is signed as requested, and the answer is returned', async () => {
    receiver.statuses.push(418)
    const { body } = await sandbox.control('POST', '/webhooks/send', { raw: '{"event": "Odd"}' })
    expect(body).toMatchObject({ status: 418 })
    expect(isGood(receiver.deliveries[0]!)).toBe(true)
  })

  test('accepts bytes, any text as timestamp, and changed or removed headers', async () => {
    await sandbox.control('POST', '/webhooks/send', {
      raw_base64: Buffer.from('{"a":1}').toString('base64'),
      timestamp: '0123',
      headers: { 'X-Algorithm': null, 'x-extra': 'yes' },
    })
    const [delivery] = receiver.deliveries
    expect(delivery!.headers).toMatchObject({ 'x-timestamp': '0123', 'x-extra': 'yes' })
    expect(delivery!.headers).not.toHaveProperty('x-algorithm')
    expect(verifies(Buffer.from('{"a":1}0123'), delivery!.headers['x-signature']!)).toBe(true)
  })
})

test("X-Timestamp and records include the clock's offset", async () => {
  await sandbox.control('POST', '/clock', { offset_ms: -86_400_000 })
  await deposit()
  await eventually(arrived).toHaveLength(1)
  const sent = Number(receiver.deliveries[0]!.headers['x-timestamp'])
  expect(Math.abs(sent - (Date.now() / 1000 - 86_400))).toBeLessThan(60)
  const { body } = await sandbox.control('GET', '/transactions')
  const inserted = Date.parse((body['transactions'] as { inserted_at: string }[])[0]!.inserted_at)
  expect(Math.abs(inserted - (Date.now() - 86_400_000))).toBeLessThan(60_000)
})
