/**
 * Operations that the gateway specifies incompletely or calls legacy: deposit links, the list of all users, the older
 * on-ramp.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { MerchantTransactionsPage } from '#lib/contract/merchant-requests.ts'
import { startSystem, type System } from './start-system.ts'

const newUser = (): string => `user-${randomUUID()}`

describe('with DEPOSIT_LINKS=on', () => {
  let system: System
  beforeAll(async () => {
    system = await startSystem({ cashier: { RATE_LIMIT: 'off', DEPOSIT_LINKS: 'on' } })
  })
  afterAll(() => system.close())

  const all = async (query = ''): Promise<MerchantTransactionsPage> => {
    const response = await system.merchant.call('GET', `/transactions${query}`)
    expect(response.status).toBe(200)
    return (await response.json()) as MerchantTransactionsPage
  }

  test("a link leads to the user's own address", async () => {
    const page = await system.page(newUser())
    const currency_id = system.currency('USDT Tron')
    const address = await page.post<{ address: string }>('/deposit-addresses', { currency_id })
    const { status, body } = await page.post<{ link: string }>('/deposit-links', { currency_id })
    expect(status).toBe(201)
    expect(Object.keys(body)).toEqual(['link'])
    expect(body.link).toContain(encodeURIComponent(address.body.address))
  })

  test('a link needs the deposit flow, an offered currency, and our own origin', async () => {
    const currency_id = system.currency('USDT Tron')
    const page = await system.page(newUser(), { flows: ['history'] })
    expect(await page.post('/deposit-links', { currency_id })).toMatchObject({
      status: 403,
      body: { code: 'flow_not_allowed' },
    })
    const other = await system.page(newUser())
    expect(await other.post('/deposit-links', { currency_id: randomUUID() })).toMatchObject({ status: 404 })
    expect(await other.post('/deposit-links', { currency_id }, { origin: 'https://evil.example' })).toMatchObject({
      status: 403,
      body: { code: 'forbidden_origin' },
    })
  })

  test('the lists of all users and of one user have our status of each transaction', async () => {
    const [one, other] = [newUser(), newUser()]
    const currency_id = system.currency('USDT Tron')
    for (const user of [one, other]) await system.page(user)
    const uuid = await system.control.detectDeposit({ user_reference: one, currency_id, amount: '12.5' })
    await system.control.detectDeposit({ user_reference: other, currency_id, amount: '1' })
    await system.control.confirmDeposit(uuid)
    await vi.waitFor(async () => {
      const { edges } = await all()
      expect(
        edges.map(({ node }) => [node.user_reference_id, node.transaction_uuid === uuid, node.cashier_status]),
      ).toEqual([
        [other, false, 'processing'],
        [one, true, 'succeeded'],
      ])
    })
    const node = { transaction_uuid: uuid, user_ref_id: one, merchant_reference: expect.stringMatching(/./) as string }
    // The reference comes with the webhook, which may come after the list.
    await vi.waitFor(async () => {
      const ofOne = await all(`?user_reference_id=${one}&transaction_types=Deposit&transaction_types=Payout&first=5`)
      expect(ofOne).toMatchObject({ total_count: 1, edges: [{ node }] })
    })
    const first = await all('?first=1')
    expect(first).toMatchObject({ total_count: 2, page_info: { has_next_page: true } })
    const next = await all(`?first=1&after=${encodeURIComponent(first.page_info.end_cursor ?? '')}`)
    expect(next.edges.map(({ node }) => node.transaction_uuid)).toEqual([uuid])
  })

  test.each(['first=0', 'first=101', 'first=1&last=1', 'time_range=soon', 'user_reference_id=a%20b'])(
    'the query %s is refused',
    async (query) => {
      const response = await system.merchant.call('GET', `/transactions?${query}`)
      expect(response.status).toBe(422)
      expect(await response.json()).toMatchObject({ code: 'invalid_request' })
    },
  )

  test('the list needs the gateway', async () => {
    // A sweep may also read the list.
    await system.control.fault({ target: 'merchant_transactions', kind: 'error_before_commit', times: 'always' })
    const response = await system.merchant.call('GET', '/transactions')
    await system.control.clearFaults()
    expect([response.status, await response.json()]).toMatchObject([503, { code: 'gateway_unavailable' }])
  })
})

test('without DEPOSIT_LINKS there are no links', async () => {
  const system = await startSystem()
  try {
    const page = await system.page(newUser())
    expect(await page.post('/deposit-links', { currency_id: system.currency('USDT Tron') })).toMatchObject({
      status: 501,
      body: { code: 'not_available' },
    })
  } finally {
    await system.close()
  }
})

describe('with ONRAMP_LEGACY=on', () => {
  let system: System
  beforeAll(async () => {
    system = await startSystem({ cashier: { RATE_LIMIT: 'off', ONRAMP_LEGACY: 'on' } })
  })
  afterAll(() => system.close())

  test('if the gateway has no payment sessions, the older operation gives the link', async () => {
    const page = await system.page(newUser())
    const order = {
      currency_id: system.currency('ETH Ethereum'),
      amount: '150.00',
      fiat_currency: 'EUR',
      country: 'DE',
    }
    await system.control.fault({ target: 'payments', kind: 'refuse', settings: { status: 501 } })
    const { status, body } = await page.post<{ id: string; link: string }>('/onramp-sessions', order)
    expect([status, body]).toEqual([
      201,
      {
        id: expect.any(String) as unknown,
        link: expect.stringContaining('/widget/') as unknown,
        status: 'pending',
        expires_at: null,
        reported: false,
      },
    ])
    // After a reload the user continues with it.
    expect((await page.get<object>(`/onramp-sessions/${body.id}`)).body).toMatchObject({
      link: body.link,
      reported: false,
    })
    // No event will ever name it, so the history does not wait for an event.
    expect((await page.history()).edges).toEqual([])
    expect((await page.post('/onramp-sessions', order)).status).toBe(201)
    expect((await page.history()).edges).toHaveLength(1)
  })
})
