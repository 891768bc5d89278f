/**
 * Withdrawals that the merchant authorizes (docs/reference/merchant-api.md, "May this be withdrawn?: authorization"):
 * the cashier sends one signed question, and calls the gateway only after the answer.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import { gatewayCalls } from './gateway-calls.ts'
import {
  cutConnection,
  json,
  type MerchantDouble,
  noResponse,
  type Responder,
  startMerchantDouble,
} from './merchant-double.ts'
import type { PageClient } from './page.ts'
import { startSystem, type System } from './start-system.ts'

const WALLET = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'
let merchant: MerchantDouble
let system: System
let page: PageClient
let user: string

const order = (amount = '12.5') => ({ currency_id: system.currency('USDT Tron'), amount, wallet_address: WALLET })
const decide = async (id: string, body: unknown) => {
  const response = await system.merchant.call('POST', `/withdrawals/${id}/authorization`, body)
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}
const sentToGateway = () => gatewayCalls(system.control, user)
const asked = () => merchant.requests.filter(({ body }) => body['user_reference_id'] === user)

beforeAll(async () => {
  merchant = await startMerchantDouble(() => system.webhookSecret)
  system = await startSystem({ cashier: { MERCHANT_AUTHORIZE_URL: merchant.url, RATE_LIMIT: 'off' } })
})
afterAll(async () => {
  await system.close()
  await merchant.close()
})
beforeEach(async () => {
  user = `user-${randomUUID()}`
  page = await system.page(user)
})

test('approved: one signed request as documented; no balances, no adjustments', async () => {
  merchant.respondWith(json({ decision: 'approve' }))
  const { status, body } = await page.withdraw(order())
  expect([status, body.status]).toEqual([201, 'processing'])
  expect(asked()).toEqual([
    {
      webhookId: body.id,
      authentic: true,
      body: {
        withdrawal_id: body.id,
        user_reference_id: user,
        amount: '12.5',
        currency: { id: system.currency('USDT Tron'), currency_code: 'USDT', network: 'Tron' },
        wallet_address: WALLET,
      },
    },
  ])
  expect(await sentToGateway()).toHaveLength(1)
  expect((await page.get('/balances')).body).toEqual({ balances: [] })
  expect(await (await system.merchant.call('GET', `/users/${user}/balances`)).json()).toEqual({ balances: [] })
  const adjusted = await system.merchant.call('POST', `/users/${user}/adjustments`, {
    currency_id: system.currency('USDT Tron'),
    amount: '1',
    reference: 'r1',
  })
  expect([adjusted.status, ((await adjusted.json()) as { code: string }).code]).toEqual([501, 'not_available'])
})

test("declined: 403 with the merchant's message and the id, the same answer to a repetition, and failed in the history", async () => {
  merchant.respondWith(json({ decision: 'decline', user_message: 'Please verify your identity first.' }))
  const key = randomUUID()
  const first = await page.withdraw(order(), key)
  const declined = {
    code: 'declined',
    status: 403,
    detail: 'Please verify your identity first.',
    withdrawal_id: expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown,
  }
  expect(first.body).toMatchObject(declined)
  expect(first.status).toBe(403)
  const again = await page.withdraw(order('12.50'), key)
  expect(again.status).toBe(403)
  expect({ ...again.body, request_id: '' }).toEqual({ ...first.body, request_id: '' })
  expect((await page.withdraw(order('13'), key)).body.code).toBe('idempotency_mismatch')
  expect(asked()).toHaveLength(1)
  expect(await sentToGateway()).toEqual([])
  const { edges } = await page.history()
  expect(edges.map(({ node }) => [node.cashier_status, node.user_message])).toEqual([
    ['failed', 'Please verify your identity first.'],
  ])
})

const unclear: Record<string, Responder> = {
  'no answer in five seconds': noResponse,
  'a cut connection': cutConnection,
  'another status': json({ decision: 'approve' }, 201),
  'an error of the merchant': json({ decision: 'approve' }, 500),
  'a redirect': (c) => c.redirect(merchant.url, 307),
  'no JSON': (c) => c.text('approve'),
  'another decision': json({ decision: 'approved' }),
  'an unknown field': json({ decision: 'approve', amount: '1' }),
  'a decision twice': (c) => c.body('{"decision":"decline","decision":"approve"}'),
}

test.each(Object.entries(unclear))(
  '%s counts as a decline, and the gateway is not called',
  async (_name, responder) => {
    merchant.respondWith(responder)
    const { status, body } = await page.withdraw(order())
    expect([status, body.code]).toEqual([403, 'declined'])
    expect(asked()).toHaveLength(1)
    expect(await sentToGateway()).toEqual([])
  },
)

test.each([
  ['approve', 201, 'processing', 1],
  ['decline', 403, 'failed', 0],
])(
  'a decision (%s) that arrives before the answer "postpone" is applied after it',
  async (decision, answered, status, sent) => {
    const early: unknown[] = []
    merchant.respondWith(async () => {
      const id = asked()[0]?.webhookId ?? ''
      early.push(await decide(id, { decision }), await decide(id, { decision }))
      return Response.json({ decision: 'postpone' })
    })
    const response = await page.withdraw(order())
    const waiting = { status: 200, body: { status: 'pending_authorization' } }
    expect(early).toMatchObject([waiting, waiting])
    expect(response.status).toBe(answered)
    const id = asked()[0]?.webhookId ?? ''
    expect(await page.withdrawal(id)).toMatchObject({ status })
    expect(await sentToGateway()).toHaveLength(sent)
    expect(await decide(id, { decision })).toMatchObject({ status: 409 })
  },
)

describe('postponed', () => {
  let id: string
  beforeEach(async () => {
    merchant.respondWith(json({ decision: 'postpone', user_message: 'We look into it.' }))
    const key = randomUUID()
    const { status, body } = await page.withdraw(order(), key)
    expect([status, body.status, body.user_message]).toEqual([201, 'pending_authorization', 'We look into it.'])
    expect((await page.withdraw(order(), key)).body).toEqual(body)
    ;({ id } = body)
  })

  test('waits on the first page of the history until it is approved, once', async () => {
    const history = await page.history()
    expect(history.edges.map(({ node }) => [node.withdrawal_id, node.cashier_status])).toEqual([[id, 'pending']])
    expect(history.total_count).toBe(1)
    expect(await sentToGateway()).toEqual([])

    expect(await decide(id, { decision: 'approve' })).toMatchObject({ status: 200, body: { id, status: 'processing' } })
    expect(await sentToGateway()).toHaveLength(1)
    for (const decision of ['approve', 'decline']) {
      const detail = expect.stringContaining('it is processing') as unknown
      expect(await decide(id, { decision })).toMatchObject({
        status: 409,
        body: { code: 'conflict', detail, withdrawal_status: 'processing' },
      })
    }
    expect(await sentToGateway()).toHaveLength(1)
  })

  test('is declined with a message for the user', async () => {
    const decided = await decide(id, { decision: 'decline', user_message: 'Not this time.' })
    expect(decided).toMatchObject({ status: 200, body: { status: 'failed', user_message: 'Not this time.' } })
    expect(await decide(id, { decision: 'approve' })).toMatchObject({ status: 409 })
    expect(await sentToGateway()).toEqual([])
    expect(await page.withdrawal(id)).toMatchObject({ status: 'failed', user_message: 'Not this time.' })
  })

  test('of twenty concurrent decisions one wins, and the gateway is called at most once', async () => {
    await system.control.fault({ target: 'withdraw', kind: 'delay', settings: { delay_ms: 300 } })
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_item, at) => decide(id, { decision: at % 2 === 0 ? 'approve' : 'decline' })),
    )
    await system.control.clearFaults()
    const [decided, ...others] = answers.filter(({ status }) => status === 200)
    expect(others).toEqual([])
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19)
    const approved = decided?.body['status'] === 'processing'
    expect(await sentToGateway()).toHaveLength(approved ? 1 : 0)
    // The gateway's list may contain the transaction meanwhile.
    const { transaction_uuid: _transaction_uuid, ...settled } = decided?.body ?? {}
    expect(await page.withdrawal(id)).toMatchObject(settled)
  })

  test.each([
    [{ decision: 'postpone' }, 422],
    [{}, 422],
  ])('%j is %i', async (body, status) => {
    expect((await decide(id, body)).status).toBe(status)
    expect((await page.withdrawal(id)).status).toBe('pending_authorization')
  })
})

test('an unknown withdrawal is 404, a call without the key 401', async () => {
  expect((await decide(randomUUID(), { decision: 'approve' })).status).toBe(404)
  const response = await fetch(`${system.publicUrl}/api/merchant/withdrawals/x/authorization`, { method: 'POST' })
  expect(response.status).toBe(401)
})

describe.each(['sqlite', 'postgres'] as const)('killed while the merchant is asked, on %s', (database) => {
  test('asks again with the same id, and calls the gateway once', async () => {
    expect(inject('postgresUrl')).toContain('postgres')
    const second = await startSystem({ database, cashier: { MERCHANT_AUTHORIZE_URL: merchant.url } })
    try {
      const victim = await second.page(user)
      merchant.respondWith(noResponse)
      const order = { currency_id: second.currency('USDT Tron'), amount: '7', wallet_address: WALLET }
      const cut = victim.withdraw(order, 'key-of-the-page').catch(() => null)
      await vi.waitFor(() => expect(asked()).toHaveLength(1))
      await second.cashiers[0].kill()
      expect(await cut).toBeNull()
      merchant.respondWith(json({ decision: 'approve' }))
      await second.cashiers[0].start()
      await vi.waitFor(() => expect(asked()).toHaveLength(2), { interval: 100 })
      const [first, again] = asked()
      expect(again?.webhookId).toBe(first?.webhookId)
      expect(again?.body).toEqual(first?.body)
      await vi.waitFor(async () => expect((await victim.withdraw(order, 'key-of-the-page')).status).toBe(201))
      expect(await gatewayCalls(second.control, user)).toHaveLength(1)
    } finally {
      await second.close()
    }
  })
})
