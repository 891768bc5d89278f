/**
 * Concurrent requests: a balance is never spent twice, a key is one withdrawal, and a repetition of an uncertain
 * withdrawal waits.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { gatewayCalls } from './gateway-calls.ts'
import type { PageClient } from './page.ts'
import { startSystem, type System } from './start-system.ts'

const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7'
/** Another address for each number: the same withdrawal is not sent again while the first is under way. */
const walletOf = (n: number): string => `0x529084${String(n).padStart(34, '0')}`

/** An answer without the fields that the gateway's list may change between two answers. */
const asked = (body: object = {}): object => ({ ...body, transaction_uuid: null })

const tally = (values: readonly unknown[]): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const value of values) counts[String(value)] = (counts[String(value)] ?? 0) + 1
  return counts
}

describe.each(['sqlite', 'postgres'] as const)('on %s', (database) => {
  let system: System
  let page: PageClient
  let user: string
  const order = (amount: string, wallet_address = WALLET) => ({
    currency_id: system.currency('ETH Ethereum'),
    amount,
    wallet_address,
  })
  const fund = (amount: string) => system.merchant.adjust(user, system.currency('ETH Ethereum'), amount)
  const balance = () => page.balance(system.currency('ETH Ethereum'))

  beforeAll(async () => {
    system = await startSystem({ database, cashier: { RATE_LIMIT: 'off' } })
  })
  afterAll(() => system.close())
  beforeEach(async () => {
    user = `user-${randomUUID()}`
    page = await system.page(user)
  })

  test('of 50 concurrent withdrawals with a balance for 10, exactly 10 are recorded', async () => {
    await fund('10')
    const answers = await Promise.all(Array.from({ length: 50 }, (_item, n) => page.withdraw(order('1', walletOf(n)))))
    const refused = answers.filter(({ status }) => status !== 201)
    expect(tally(refused.map(({ status, body }) => `${status} ${body.code}`))).toEqual({
      '409 insufficient_balance': 40,
    })
    expect(tally(answers.map(({ body }) => body.status))).toMatchObject({ processing: 10 })
    expect(await gatewayCalls(system.control, user)).toHaveLength(10)
    expect(await balance()).toEqual({ available: '0', held: '10' })
    expect((await page.history('?first=100')).total_count).toBe(10)
  })

  test('a key that was refused for insufficient balance can be used again', async () => {
    const key = randomUUID()
    expect((await page.withdraw(order('3'), key)).body.code).toBe('insufficient_balance')
    await fund('5')
    expect((await page.withdraw(order('4'), key)).status).toBe(201)
    expect(await balance()).toEqual({ available: '1', held: '4' })
  })

  test('of 20 with one key, one reaches the gateway, and the others get its result or 409', async () => {
    await fund('100')
    await system.control.fault({
      target: 'withdraw',
      kind: 'delay',
      settings: { delay_ms: 300 },
      match: { user_reference: user },
    })
    const key = randomUUID()
    const answers = await Promise.all(Array.from({ length: 20 }, () => page.withdraw(order('2.50'), key)))
    const recorded = answers.filter(({ status }) => status === 201)
    expect(recorded.length).toBeGreaterThan(0)
    for (const { body } of recorded) expect(asked(body)).toEqual(asked(recorded[0]?.body))
    for (const { status, body } of answers.filter((answer) => answer.status !== 201))
      expect([status, body.code]).toEqual([409, 'conflict'])
    expect(await gatewayCalls(system.control, user)).toHaveLength(1)
    expect(await balance()).toEqual({ available: '97.5', held: '2.5' })

    const other = await system.page(user)
    expect(asked((await other.withdraw(order('2.5'), key)).body)).toEqual(asked(recorded[0]?.body))
    for (const changed of [order('2.51'), { ...order('2.5'), wallet_address: WALLET.toLowerCase() }]) {
      const { status, body } = await page.withdraw(changed, key)
      expect([status, body.code]).toEqual([422, 'idempotency_mismatch'])
    }
    expect(await gatewayCalls(system.control, user)).toHaveLength(1)
  })

  test('an idempotency key belongs to its user', async () => {
    const other = await system.page(`${user}-other`)
    await fund('5')
    await system.merchant.adjust(`${user}-other`, system.currency('ETH Ethereum'), '5')
    const key = randomUUID()
    const [mine, theirs] = [await page.withdraw(order('1'), key), await other.withdraw(order('2'), key)]
    expect([mine.status, theirs.status]).toEqual([201, 201])
    expect(mine.body.id).not.toBe(theirs.body.id)
    expect((await other.get(`/withdrawals/${mine.body.id}`)).status).toBe(404)
  })

  test.each([
    ['2', WALLET],
    ['2.000', WALLET.toLowerCase()],
  ])(
    'while a withdrawal is unknown, the same one again (%s to %s) is 409 in a new session too, a different one is not',
    async (amount, wallet_address) => {
      await fund('100')
      await system.control.fault({ target: 'withdraw', kind: 'cut_before_commit', match: { user_reference: user } })
      const first = await page.withdraw(order('2'))
      expect([first.status, first.body.status]).toEqual([201, 'unknown'])
      // A page that lost the answer and is launched again has no longer the key of the first.
      for (const session of [page, await system.page(user)]) {
        const twin = await session.withdraw({ ...order(amount), wallet_address })
        expect([twin.status, twin.body.code]).toEqual([409, 'outcome_unknown'])
      }
      expect((await page.withdraw(order('2.1'))).status).toBe(201)
      expect(await gatewayCalls(system.control, user)).toHaveLength(2)
      expect(await balance()).toEqual({ available: '95.9', held: '4.1' })
    },
  )

  test('of concurrent adjustments with one reference, one is posted', async () => {
    const adjustment = { currency_id: system.currency('ETH Ethereum'), amount: '3.10', reference: 'prize-1' }
    const adjust = (more: object = {}) =>
      system.merchant.call('POST', `/users/${user}/adjustments`, { ...adjustment, ...more })
    const answers = await Promise.all(Array.from({ length: 20 }, () => adjust()))
    expect(tally(answers.map(({ status }) => status))).toEqual({ 201: 1, 200: 19 })
    const bodies = await Promise.all(answers.map((answer) => answer.text()))
    expect(new Set(bodies).size).toBe(1)
    expect(await balance()).toEqual({ available: '3.1', held: '0' })
    expect((await adjust({ amount: '3.1' })).status).toBe(200)
    const other = await adjust({ amount: '3.11' })
    expect([other.status, Object.keys(((await other.json()) as { errors: object }).errors)]).toEqual([
      422,
      ['reference'],
    ])
    const below = await Promise.all(
      Array.from({ length: 10 }, (_item, at) => adjust({ amount: '-1', reference: `bet-${at}` })),
    )
    expect(tally(below.map(({ status }) => status))).toEqual({ 201: 3, 409: 7 })
    expect((await balance()).available).toBe('0.1')
  })

  test('concurrent requests of a deposit address make one gateway call', async () => {
    const currency_id = system.currency('BTC Bitcoin')
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => page.post('/deposit-addresses', { currency_id })),
    )
    expect(tally(answers.map(({ status, body }) => `${status} ${String(body['address'])}`))).toEqual({
      [`200 ${String(answers[0]?.body['address'])}`]: 20,
    })
    expect(answers[0]?.body).toEqual({
      address: expect.stringMatching(/^bc1/) as unknown,
      currency: 'BTC',
      network: 'Bitcoin',
    })
    expect(await gatewayCalls(system.control, user, 'deposit_address')).toHaveLength(1)
    expect((await (await system.page(user)).post('/deposit-addresses', { currency_id })).body).toEqual(answers[0]?.body)
    expect(await gatewayCalls(system.control, user, 'deposit_address')).toHaveLength(1)
  })

  test('the ledger is consistent', async () => {
    expect((await system.checkLedger()).faults).toEqual([])
  })
})

describe('limits', () => {
  let system: System
  beforeAll(async () => {
    system = await startSystem()
  })
  afterAll(() => system.close())

  test('ten withdrawals a minute; replays do not count', async () => {
    const page = await system.page('eager')
    const currency_id = system.currency('ETH Ethereum')
    await system.merchant.adjust('eager', currency_id, '100')
    const order = { currency_id, amount: '1', wallet_address: WALLET }
    const first = await page.withdraw(order, 'the-first-key')
    for (let at = 0; at < 15; at += 1) expect((await page.withdraw(order, 'the-first-key')).body).toEqual(first.body)
    for (let at = 1; at < 10; at += 1) expect((await page.withdraw(order)).status).toBe(201)
    const tooMany = await page.withdraw(order)
    expect([tooMany.status, tooMany.body.code]).toEqual([429, 'rate_limited'])
    expect(Number(tooMany.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(Number(tooMany.headers.get('retry-after'))).toBeLessThanOrEqual(60)
    expect((await page.withdraw(order, 'the-first-key')).status).toBe(201)
    expect((await (await system.page('another')).withdraw(order)).body.code).toBe('insufficient_balance')
    expect((await page.get('/balances')).status).toBe(200)
  })

  test('ten on-ramp sessions and sixty addresses a minute', async () => {
    const page = await system.page('collector')
    const currency_id = system.currency('ETH Ethereum')
    const purchase = { currency_id, amount: '50', fiat_currency: 'EUR', country: 'DE' }
    const bought: number[] = []
    for (let at = 0; at < 11; at += 1) bought.push((await page.post('/onramp-sessions', purchase)).status)
    expect(tally(bought)).toEqual({ 201: 10, 429: 1 })
    const addresses: number[] = []
    for (let at = 0; at < 61; at += 1) addresses.push((await page.post('/deposit-addresses', { currency_id })).status)
    expect(tally(addresses)).toEqual({ 200: 60, 429: 1 })
  })

  test('ten streams a session', async () => {
    const page = await system.page('watcher')
    const streams = await Promise.all(Array.from({ length: 10 }, () => page.stream()))
    expect(streams.map(({ status }) => status)).toEqual(Array(10).fill(200))
    const eleventh = await page.get(`/events?session=${page.session.session_id}`)
    expect([eleventh.status, eleventh.body['code'], eleventh.headers.has('retry-after')]).toEqual([
      429,
      'rate_limited',
      true,
    ])
    for (const stream of streams) stream.cut()
  })
})

describe('with the limits on', () => {
  let system: System
  beforeAll(async () => {
    system = await startSystem()
  })
  afterAll(() => system.close())

  test('only recorded withdrawals count: not copies of a request, and not requests without enough balance', async () => {
    const user = `user-${randomUUID()}`
    const page = await system.page(user)
    const currency_id = system.currency('ETH Ethereum')
    const order = (amount: string, wallet_address: string) => ({ currency_id, amount, wallet_address })
    const codes = async (count: number, amount: string, key?: string) => {
      const answers = await Promise.all(
        Array.from({ length: count }, (_item, n) =>
          page.withdraw(order(amount, key === undefined ? walletOf(n) : WALLET), key),
        ),
      )
      return tally(answers.map(({ status, body }) => (status === 201 ? status : body.code)))
    }
    await system.merchant.adjust(user, currency_id, '50')
    expect(await codes(20, '60')).toEqual({ insufficient_balance: 10, rate_limited: 10 })
    expect(await codes(20, '1', randomUUID())).toEqual({ 201: 20 })
    expect(await codes(20, '2')).toEqual({ 201: 9, rate_limited: 11 })
    expect(await page.balance(currency_id)).toEqual({ available: '31', held: '19' })
  })
})
