import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { FAULT_KINDS } from '../faults/fault-kinds.ts'
import type { FaultTarget } from '../faults/fault-kinds.ts'
import { OPERATION_FAULTS } from '../faults/operation-faults.ts'
import { WEBHOOK_FAULTS } from '../faults/webhook-faults.ts'
import { TRON_WALLET, USDT_ON_TRON, currencyId, eventually, signedFetch, testSandbox } from '../testing/test-sandbox.ts'
import type { TestResponse, TestSandbox } from '../testing/test-sandbox.ts'

const TARGETS = Object.keys(FAULT_KINDS) as readonly FaultTarget[]
const ALL_KINDS = [...new Set([...Object.keys(OPERATION_FAULTS), ...Object.keys(WEBHOOK_FAULTS)])]

let sandbox: TestSandbox
let usdt: string

beforeAll(async () => {
  sandbox = await testSandbox()
})
beforeEach(async () => {
  await sandbox.control('POST', '/reset')
  usdt = await currencyId(sandbox, 'USDT', 'Tron')
  await sandbox.control('DELETE', '/calls')
})
afterAll(() => sandbox.close())

const withdraw = (amount = '10', more: Record<string, unknown> = {}): Promise<TestResponse> =>
  sandbox.call('POST', '/v1/user/withdraw', {
    currency_id: usdt,
    amount,
    wallet_address: TRON_WALLET,
    user_reference_id: 'user_1',
    ...more,
  })

const fault = (target: string, kind: string, more: Record<string, unknown> = {}): Promise<TestResponse> =>
  sandbox.control('POST', '/faults', { target, kind, ...more })

const payouts = async (): Promise<readonly Record<string, unknown>[]> =>
  (await sandbox.control('GET', '/withdrawals')).body['withdrawals'] as Record<string, unknown>[]

const lastCall = async (): Promise<Record<string, unknown>> => {
  const { body } = await sandbox.control('GET', '/calls')
  return (body['calls'] as Record<string, unknown>[]).at(-1)!
}

/** How a withdrawal ends with a fault, and whether it was committed. */
const ENDINGS: readonly (readonly [string, Record<string, unknown>, number | 'cut', boolean])[] = [
  ['cut_before_commit', {}, 'cut', false],
  ['cut_after_commit', {}, 'cut', true],
  ['cut_mid_reply', {}, 'cut', true],
  ['error_before_commit', {}, 503, false],
  ['error_before_commit', { status: 500 }, 500, false],
  ['error_after_commit', {}, 500, true],
  ['garbage', {}, 200, true],
  ['wrong_shape', {}, 200, true],
  ['oversized', { bytes: 3_000_000 }, 200, true],
  ['rate_limited', {}, 429, false],
  ['refuse', {}, 400, false],
  ['refuse', { status: 403 }, 403, false],
  ['refuse_with_transaction', {}, 400, true],
  ['refuse_with_transaction', { status: 500, failed: false }, 500, true],
  ['too_small', {}, 422, false],
  ['needs_approval', {}, 200, true],
]

describe('faults of a withdrawal', () => {
  test.each(ENDINGS)('%s %o ends with %s, committed: %s', async (kind, settings, ending, committed) => {
    await fault('withdraw', kind, { settings })
    const status = await withdraw().then(
      (reply) => reply.status,
      () => 'cut' as const,
    )
    expect(status).toBe(ending)
    expect(await payouts()).toHaveLength(committed ? 1 : 0)
    expect(await lastCall()).toMatchObject({ operation: 'withdraw', authentic: true, committed, fault: kind })
    expect((await withdraw()).status).toBe(200)
  })

  test('a redirect has its location, and commits nothing', async () => {
    await fault('withdraw', 'redirect', {
      settings: { status: 302, location: `${sandbox.url}/v1/merchant/currencies` },
    })
    const reply = await withdraw()
    expect(reply.status).toBe(302)
    expect(await payouts()).toHaveLength(0)
  })

  test('the connection stays open without a response', async () => {
    await fault('withdraw', 'silence')
    const ended = await Promise.race([
      withdraw().then(
        () => 'ended',
        () => 'cut',
      ),
      sleep(500, 'open'),
    ])
    expect(ended).toBe('open')
    await eventually(async () => (await payouts()).length).toBe(1)
  })

  test('a redirect without a body can have any status', async () => {
    await fault('withdraw', 'redirect', { settings: { status: 304 } })
    expect((await withdraw()).status).toBe(304)
  })

  test('a delay happens before or after the commit', async () => {
    await fault('withdraw', 'delay', { settings: { delay_ms: 2000, when: 'after' } })
    const answered: number[] = []
    const reply = withdraw().then(({ status }) => answered.push(status))
    await eventually(async () => (await payouts()).length).toBe(1)
    expect(answered).toEqual([])
    await reply
    expect(answered).toEqual([200])
    await fault('withdraw', 'delay', { settings: { delay_ms: 2000 } })
    const second = withdraw()
    expect(await payouts()).toHaveLength(1)
    expect((await second).status).toBe(200)
  })

  test('an error with a transaction has the uuid of the listed transaction', async () => {
    await fault('withdraw', 'refuse_with_transaction')
    const { body } = await withdraw()
    expect(body).toMatchObject({
      error: true,
      status: 'TXN_FAILED',
      transaction_uuid: (await payouts())[0]!['transaction_uuid'],
    })
    expect((await payouts())[0]).toMatchObject({ status: 'TXN_FAILED', failure_reason: body['message'] })
  })
})

describe('how often a fault happens', () => {
  test('once by default', async () => {
    await fault('withdraw', 'refuse')
    expect([(await withdraw()).status, (await withdraw()).status]).toEqual([400, 200])
  })

  test('as often as set, then the next fault in the queue', async () => {
    await fault('withdraw', 'refuse', { times: 2 })
    await fault('withdraw', 'rate_limited', { times: 1 })
    const statuses: number[] = []
    for (let turn = 0; turn < 4; turn += 1) statuses.push((await withdraw()).status)
    expect(statuses).toEqual([400, 400, 429, 200])
  })

  test('always, until the fault is removed', async () => {
    const { body } = await fault('*', 'error_before_commit', { times: 'always' })
    expect((await withdraw()).status).toBe(503)
    expect((await sandbox.call('GET', '/v1/merchant/currencies')).status).toBe(503)
    await sandbox.control('DELETE', `/faults/${(body['fault'] as { id: number }).id}`)
    expect((await withdraw()).status).toBe(200)
  })

  test('only for the user of its match', async () => {
    await fault('withdraw', 'refuse', { match: { user_reference: 'user_2' } })
    expect((await withdraw()).status).toBe(200)
    expect((await withdraw('10', { user_reference_id: 'user_2' })).status).toBe(400)
  })

  test('neither a call that is not authentic nor a webhook uses a fault', async () => {
    await fault('*', 'refuse')
    await fetch(`${sandbox.url}/v1/user/withdraw`, { method: 'POST', body: '{}' })
    await sandbox.control('POST', '/deposits', { ...USDT_ON_TRON, amount: '1' })
    expect((await withdraw()).status).toBe(400)
  })

  test.each(TARGETS)('%s accepts its own kinds, and refuses other kinds with a list of its own', async (target) => {
    const taken: string[] = []
    for (const kind of ALL_KINDS) {
      const { status, body } = await fault(target, kind)
      if (status === 200) taken.push(kind)
      else
        expect([status, body['errors']]).toEqual([
          422,
          { kind: [`must be one that ${target} can have: ${FAULT_KINDS[target].join(', ')}`] },
        ])
    }
    expect(taken.sort()).toEqual([...FAULT_KINDS[target]].sort())
    const { body } = await sandbox.control('GET', '/faults')
    expect(body['kinds']).toHaveProperty([target], FAULT_KINDS[target])
    expect(body['faults']).toHaveLength(taken.length)
  })

  test('each kind has a target', () => {
    expect(new Set(TARGETS.flatMap((target) => FAULT_KINDS[target]))).toEqual(new Set(ALL_KINDS))
  })

  test('a match by a field that the target does not have is refused with a list of its fields', async () => {
    const errors = async (target: string, kind: string, match: object): Promise<unknown> =>
      (await fault(target, kind, { match })).body['errors']
    expect(await errors('withdraw', 'refuse', { user_reference: 'u', event: 'User Payout' })).toEqual({
      match: ['withdraw has no event; it can have: user_reference'],
    })
    expect(await errors('currencies', 'garbage', { user_reference: 'u' })).toEqual({
      match: ['currencies has no user_reference; it can have: nothing'],
    })
    expect(await errors('currencies', 'lag', { status: 'failed' })).toEqual({
      kind: [expect.any(String)],
      match: [expect.any(String)],
    })
    const event = { event: 'User Payout', status: 'succeeded', user_reference: 'u', transaction_uuid: 't' }
    expect((await fault('webhooks', 'drop', { match: event })).status).toBe(200)
    expect((await fault('*', 'refuse', { match: { user_reference: 'u' } })).status).toBe(200)
  })

  test('an unknown kind and invalid settings are refused with the wrong fields', async () => {
    expect((await fault('withdraw', 'toString')).status).toBe(422)
    expect((await fault('webhooks', 'cut_after_commit')).status).toBe(422)
    expect((await fault('withdraw', 'delay', { settings: { delay_ms: 'long' } })).body['errors']).toHaveProperty(
      'delay_ms',
    )
  })
})

describe("a reply's Date shows a moved clock", () => {
  const OFFSETS = [-7_200_000, 86_400_000]

  async function expectDate(offset: number, ask: () => Promise<Response>): Promise<void> {
    const before = Date.now()
    const response = await ask()
    const text = response.headers.get('date') ?? ''
    await response.body?.cancel()
    expect(text).toBe(new Date(text).toUTCString())
    // `Date` has whole seconds.
    expect(Date.parse(text) - offset).toBeGreaterThan(before - 1000)
    expect(Date.parse(text) - offset).toBeLessThanOrEqual(Date.now())
  }

  test.each([
    'nothing',
    'error_before_commit',
    'error_after_commit',
    'garbage',
    'redirect',
    'rate_limited',
    'cut_mid_reply',
  ])('of a call that meets %s', async (kind) => {
    for (const offset_ms of OFFSETS) {
      await sandbox.control('POST', '/clock', { offset_ms })
      if (kind !== 'nothing') await fault('currencies', kind)
      await expectDate(offset_ms, () => signedFetch(sandbox.url, 'GET', '/v1/merchant/currencies'))
    }
  })

  test.each(['/v1/merchant/currencies', '/v1/nothing', '/nothing', '/control', '/control/state', '/control/nothing'])(
    'of %s, asked by anyone',
    async (path) => {
      for (const offset_ms of OFFSETS) {
        await sandbox.control('POST', '/clock', { offset_ms })
        await expectDate(offset_ms, () => fetch(sandbox.origin + path))
      }
    },
  )

  test('until the clock is moved back', async () => {
    await sandbox.control('POST', '/clock', { offset_ms: -7_200_000 })
    await sandbox.control('POST', '/clock', { advance_ms: 7_200_000 })
    await expectDate(0, () => fetch(sandbox.url))
  })
})

describe('faults of a list', () => {
  const list = async (more: Record<string, unknown> = {}): Promise<Record<string, unknown>> =>
    (await sandbox.call('POST', '/v1/user/transactions', { user_reference_id: 'user_1', ...more })).body
  const info = (body: Record<string, unknown>) => body['page_info'] as Record<string, unknown>

  beforeEach(() => sandbox.control('POST', '/transactions/seed', { user_reference: 'user_1', count: 9 }))

  test('a clamped page is shorter than requested, and announces a next page', async () => {
    await fault('user_transactions', 'clamp_page', { settings: { rows: 3 } })
    const page = await list({ first: 8 })
    expect(page['edges']).toHaveLength(3)
    expect(info(page)['has_next_page']).toBe(true)
  })

  test('a repeated cursor always leads to the same page', async () => {
    await fault('user_transactions', 'repeat_cursor', { times: 'always' })
    const first = await list({ first: 4 })
    const second = await list({ first: 4, after: info(first)['end_cursor'] })
    const third = await list({ first: 4, after: info(second)['end_cursor'] })
    expect(third['edges']).toEqual(second['edges'])
    expect(info(third)).toMatchObject({ end_cursor: info(second)['end_cursor'], has_next_page: true })
  })

  test('a lagging list does not show the newest rows', async () => {
    await fault('user_transactions', 'lag', { settings: { lag_ms: 150_000 } })
    expect((await list())['edges']).toHaveLength(6)
  })

  test('the count is wrong', async () => {
    await fault('user_transactions', 'wrong_count', { settings: { by: -2 } })
    expect((await list())['total_count']).toBe(7)
  })

  test('a page over the limit is clamped, or refused with the field', async () => {
    await sandbox.control('PATCH', '/modes', { page_limit: 5 })
    expect((await list({ first: 6 }))['edges']).toHaveLength(5)
    await sandbox.control('PATCH', '/modes', { page_over_limit: 'refuse' })
    expect((await list({ last: 6 }))['errors']).toEqual({ last: ['must be at most 5'] })
  })

  test('the statuses are in other words', async () => {
    const statuses = async () => (await list())['edges'] as { node: { status: string } }[]
    const usual = (await statuses()).map(({ node }) => node.status)
    await sandbox.control('PATCH', '/modes', { status_words: 'others' })
    const others = (await statuses()).map(({ node }) => node.status)
    expect(new Set(usual)).toEqual(new Set(['TXN_PROVIDER_SUCCEEDED']))
    expect(new Set(others)).toEqual(new Set(['TXN_COMPLETED']))
    expect(others).toHaveLength(usual.length)
  })

  test('first together with last is 422', async () => {
    expect((await list({ first: 1, last: 1 }))['errors']).toHaveProperty('last')
  })
})

describe('magic values', () => {
  const AMOUNTS: readonly (readonly [string, number | 'cut', number])[] = [
    ['5.0701', 200, 1],
    ['0.0702', 400, 0],
    ['1.07030', 400, 1],
    ['2.0704', 'cut', 0],
    ['2.0705', 'cut', 1],
    ['2.0706', 500, 1],
    ['2.0707', 200, 1],
    ['2.0712', 429, 0],
    ['2.0713', 422, 0],
    ['2.0714', 500, 1],
    ['2.07145', 200, 1],
    ['2.70', 200, 1],
  ]

  test.each(AMOUNTS)('an amount of %s ends with %s and %i payouts', async (amount, ending, made) => {
    expect(
      await withdraw(amount).then(
        (reply) => reply.status,
        () => 'cut',
      ),
    ).toBe(ending)
    expect(await payouts()).toHaveLength(made)
  })

  test('an address has the same effect with any amount', async () => {
    const { body } = await sandbox.control('GET', '/magic')
    const tron = (body['addresses'] as Record<string, Record<string, string>>)['Tron']!
    expect((await withdraw('3', { wallet_address: tron['refuse'] })).status).toBe(400)
    expect((await withdraw('3', { wallet_address: tron['needs_approval'] })).body['requires_approval']).toBe(true)
  })

  test('payouts succeed or fail by themselves', async () => {
    await withdraw('2.0708')
    await withdraw('2.0709')
    await eventually(async () => (await payouts()).map(({ status }) => status)).toEqual([
      'TXN_PROVIDER_SUCCEEDED',
      'TXN_FAILED',
    ])
  })

  test('some users cause faults in their lists', async () => {
    const list = (user: string) => sandbox.call('POST', '/v1/user/transactions', { user_reference_id: user })
    expect((await list('qa-broken')).status).toBe(500)
    expect((await list('qa-broken-7')).status).toBe(500)
    expect((await list('qa-garbage')).text).toContain('<html>')
    expect((await list('qa-brokenness')).status).toBe(200)
    await expect(list('qa-cut')).rejects.toThrow()
  })

  test('a mode turns the magic values off', async () => {
    await sandbox.control('PATCH', '/modes', { magic_values: false })
    expect((await withdraw('0.0702')).status).toBe(200)
  })
})

describe('what an operation accepts', () => {
  test.each([
    ['text/plain', '{}', 415],
    ['application/json', '{"a":', 400],
    ['application/json', '[]', 400],
    ['application/json; charset=utf-8', '{}', 422],
  ])('%s with %s is %i', async (type, body, status) => {
    const { createPrivateKey, sign } = await import('node:crypto')
    const { merchantPrivateKey, API_KEY } = await import('../testing/test-sandbox.ts')
    const nonce = crypto.randomUUID()
    const key = createPrivateKey(merchantPrivateKey.export({ type: 'pkcs8', format: 'pem' }))
    const signature = sign('sha256', Buffer.from(`POST/v1/user/withdraw${nonce}${body}`), key).toString('base64')
    const headers = { 'content-type': type, 'x-api-key': API_KEY, 'x-api-nonce': nonce, 'x-api-signature': signature }
    const response = await fetch(`${sandbox.url}/v1/user/withdraw`, { method: 'POST', body, headers })
    expect(response.status).toBe(status)
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('an unknown path is 404, a wrong method 405, a body over 1 MiB 413', async () => {
    expect((await fetch(`${sandbox.url}/v1/nothing`)).status).toBe(404)
    const withdrawal = await fetch(`${sandbox.url}/v1/user/withdraw`)
    expect([withdrawal.status, withdrawal.headers.get('allow')]).toEqual([405, 'POST'])
    const currencies = await fetch(`${sandbox.url}/v1/merchant/currencies`, { method: 'HEAD' })
    expect([currencies.status, currencies.headers.get('allow')]).toEqual([405, 'GET'])
    const large = await fetch(`${sandbox.url}/v1/user/withdraw`, { method: 'POST', body: 'x'.repeat(1_100_000) })
    expect(large.status).toBe(413)
  })

  test('an address of another network is 422 if addresses are checked', async () => {
    const elsewhere = { wallet_address: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa' }
    expect((await withdraw('1', elsewhere)).body['errors']).toEqual({ wallet_address: ['is not a valid Tron address'] })
    await sandbox.control('PATCH', '/modes', { check_wallet_addresses: false })
    expect((await withdraw('1', elsewhere)).status).toBe(200)
  })

  test('approval starts above the amount of the mode', async () => {
    expect((await withdraw('1000')).body).toMatchObject({ requires_approval: false, status: 'Processing' })
    expect((await withdraw('1000.000000000000000001')).body).toMatchObject({ requires_approval: true })
    await sandbox.control('PATCH', '/modes', { approval_above: null })
    expect((await withdraw('5000000')).body).toMatchObject({ requires_approval: false })
  })
})
