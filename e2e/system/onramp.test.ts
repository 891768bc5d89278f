/** Buying through the sandbox: one credit, one row, links and countries that are not allowed, and the disabled flow. */
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { readMerchantFeed } from '../fixtures/merchant-feed.ts'
import type { PageClient } from './page.ts'
import { MERCHANT_REFERENCE } from '../fixtures/keys.ts'
import { startSystem, type System } from './start-system.ts'

const purchase = (system: System, more: object = {}) => ({
  currency_id: system.currency('ETH Ethereum'),
  amount: '150.00',
  fiat_currency: 'EUR',
  country: 'DE',
  ...more,
})

describe('with the provider on ONRAMP_ORIGINS', () => {
  let system: System
  let page: PageClient
  let user: string
  beforeAll(async () => {
    system = await startSystem({ cashier: { RATE_LIMIT: 'off' } })
  })
  afterAll(() => system.close())
  beforeEach(async () => {
    user = `user-${randomUUID()}`
    page = await system.page(user, { theme: 'light' })
  })

  const eth = () => system.currency('ETH Ethereum')
  const step = (id: string, status: string, details: object = {}) =>
    system.control.call('POST', `/onramp-sessions/${id}/${status}`, details)
  const buy = async () => (await page.post<{ id: string; link: string }>('/onramp-sessions', purchase(system))).body.id
  const rows = async () => {
    const { edges, total_count } = await page.history()
    expect(total_count).toBe(edges.length)
    return edges.map(({ node }) => [node.type, node.cashier_status, node.session_reference, node.from_amount])
  }
  const states = async () =>
    (await readMerchantFeed(system.merchant, user)).map(
      ({ data }) => `${data.kind} ${data.status} ${data.session_reference ?? ''}`,
    )

  test('the provider’s page is opened with our reference and return page', async () => {
    const { status, body } = await page.post('/onramp-sessions', purchase(system))
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(String) as unknown,
      link: expect.any(String) as unknown,
      status: 'pending',
      expires_at: null,
    })
    const { session } = z
      .object({ session: z.looseObject({ session_reference: z.string() }) })
      .parse(await system.control.call('GET', `/onramp-sessions/${String(body['id'])}`))
    expect(session).toMatchObject({
      session_reference: body['id'],
      user_reference: user,
      redirect_url: `${system.publicUrl}/onramp/return`,
      amount: '150.00',
      fiat_currency: 'EUR',
      country: 'DE',
      theme: 'light',
      link: body['link'],
    })
  })

  test.each([
    ['dark', 201, 'dark'],
    [undefined, 201, 'light'],
    ['auto', 422, null],
  ])('a page that shows %s gets a provider in its theme: %i', async (theme, expected, shown) => {
    const { status, body } = await page.post('/onramp-sessions', purchase(system, { theme }))
    expect(status).toBe(expected)
    if (shown === null) return
    const answer = await system.control.call('GET', `/onramp-sessions/${String(body['id'])}`)
    expect(answer).toMatchObject({ session: { theme: shown } })
  })

  test.each(['after', 'before'])(
    'pending, processing, succeeded; its deposit comes %s: one credit and one row',
    async (order) => {
      await system.control.call('PATCH', '/modes', { onramp_deposit: order })
      const stream = await page.stream()
      const id = await buy()
      expect(await rows()).toEqual([['Deposit', 'pending', id, '150.00']])
      for (const status of ['pending', 'processing']) {
        await step(id, status)
        await vi.waitFor(async () => expect(await rows()).toEqual([['Deposit', status, id, expect.any(String)]]))
      }
      expect(await page.balance(eth())).toEqual({ available: '0', held: '0' })
      await step(id, 'succeeded', { to_amount: '0.05', deposit_amount: '0.049' })
      await vi.waitFor(async () => {
        const rest = (await states()).filter((state) => state.includes('succeeded'))
        expect(rest.sort()).toEqual(['deposit succeeded ', `onramp succeeded ${id}`])
      })
      expect((await states()).filter((state) => state.startsWith('onramp'))).toEqual(
        ['pending', 'processing', 'succeeded'].map((status) => `onramp ${status} ${id}`),
      )
      expect(await page.balance(eth())).toEqual({ available: '0.049', held: '0' })
      const { edges } = await page.history()
      expect(edges.map(({ node }) => [node.type, node.amount, node.cashier_status, node.session_reference])).toEqual([
        ['Deposit', '0.049', 'succeeded', id],
      ])
      const published = stream.events.flatMap(({ type, data }) =>
        type === 'transaction' ? [JSON.parse(data) as { kind: string; session_reference?: string }] : [],
      )
      expect(published.filter(({ kind }) => kind === 'onramp').map((event) => event.session_reference)).toEqual([
        id,
        id,
        id,
      ])
      stream.cut()
      expect((await system.checkLedger()).faults).toEqual([])
    },
  )

  test('without a separate deposit, the delivered amount is credited', async () => {
    await system.control.call('PATCH', '/modes', { onramp_deposit: 'off' })
    const id = await buy()
    await step(id, 'succeeded', { to_amount: '0.123456789012345678' })
    await vi.waitFor(async () => expect((await page.balance(eth())).available).toBe('0.123456789012345678'))
    expect(await rows()).toEqual([['Deposit', 'succeeded', id, '150.00']])
  })

  test("the merchant's own data goes to the gateway and comes back in the feed, and nowhere else", async () => {
    const metadata = { order: 'A-17', items: [1, 2] }
    const shopper = await system.page(user, { metadata })
    const stream = await shopper.stream()
    const { body } = await shopper.post<{ id: string }>('/onramp-sessions', purchase(system))
    expect(await system.control.call('GET', `/onramp-sessions/${body.id}`)).toMatchObject({ session: { metadata } })
    await step(body.id, 'pending')
    await vi.waitFor(async () => {
      const [event] = await readMerchantFeed(system.merchant, user)
      expect(event?.data).toMatchObject({ kind: 'onramp', status: 'pending', metadata })
    })
    await vi.waitFor(() => expect(stream.events.length).toBeGreaterThan(0))
    expect(JSON.stringify(stream.events)).not.toContain('A-17')
    stream.cut()
  })

  test('to an own wallet: only in a session that allows it, sent to that address, and nobody is credited', async () => {
    const wallet_address = '0x52908400098527886E0F7030069857D2E4169EE7'
    const refused = await page.post('/onramp-sessions', purchase(system, { wallet_address }))
    expect([refused.status, Object.keys(refused.body['errors'] as object)]).toEqual([422, ['wallet_address']])

    await system.control.call('PATCH', `/merchants/${MERCHANT_REFERENCE}`, { allow_custom_external_wallet: true })
    const free = await system.page(user, { own_wallet: true })
    const wrong = await free.post('/onramp-sessions', purchase(system, { wallet_address: 'no-address' }))
    expect([wrong.status, Object.keys(wrong.body['errors'] as object)]).toEqual([422, ['wallet_address']])
    const { status, body } = await free.post<{ id: string }>('/onramp-sessions', purchase(system, { wallet_address }))
    expect(status).toBe(201)
    const { session } = z
      .object({ session: z.record(z.string(), z.unknown()) })
      .parse(await system.control.call('GET', `/onramp-sessions/${body.id}`))
    expect(session).toMatchObject({ custom_wallet_address: wallet_address, user_reference: null })
    await step(body.id, 'succeeded', { to_amount: '0.05' })
    await vi.waitFor(async () => {
      const { edges } = await free.history()
      expect(edges.map(({ node }) => node.cashier_status)).toEqual(['succeeded'])
    })
    expect(await free.balance(eth())).toEqual({ available: '0', held: '0' })
    expect((await free.history()).edges[0]?.node.to_address).toBe(wallet_address)
    expect((await free.get(`/onramp-sessions/${body.id}`)).body).toMatchObject({ wallet_address })
  })

  test('the same user can read a purchase and its page again, in a session of any flow', async () => {
    const { body: started } = await page.post<{ id: string }>('/onramp-sessions', purchase(system))
    await step(started.id, 'processing')
    await vi.waitFor(async () => {
      const { status, body } = await page.get(`/onramp-sessions/${started.id}`)
      expect([status, body]).toEqual([200, { ...started, status: 'processing', currency: 'ETH', wallet_address: null }])
    })
    const other = await system.page(`user-${randomUUID()}`)
    expect((await other.get(`/onramp-sessions/${started.id}`)).status).toBe(404)
    const narrow = await system.page(user, { flows: ['history'] })
    expect(await narrow.get(`/onramp-sessions/${started.id}`)).toMatchObject({ status: 200, body: { id: started.id } })
  })

  test('the payment method is in the history and in the feed', async () => {
    const id = await buy()
    await step(id, 'pending')
    await step(id, 'processing', { payment_method: 'BANK_TRANSFER' })
    await vi.waitFor(async () => {
      const feed = await readMerchantFeed(system.merchant, user)
      expect(feed.map(({ data }) => [data.status, data.payment_method])).toEqual([
        ['pending', undefined],
        ['processing', 'BANK_TRANSFER'],
      ])
    })
    const { edges } = await page.history()
    expect(edges.map(({ node }) => node.payment_method)).toEqual(['BANK_TRANSFER'])
  })

  test('a failed session credits nothing', async () => {
    const id = await buy()
    await step(id, 'processing')
    await step(id, 'failed')
    await vi.waitFor(async () => expect(await rows()).toEqual([['Deposit', 'failed', id, '150.00']]))
    expect(await page.balance(eth())).toEqual({ available: '0', held: '0' })
  })

  test.each([
    [{ amount: '0' }, 'amount'],
    [{ amount: '-5' }, 'amount'],
    [{ amount: '1e3' }, 'amount'],
    [{ fiat_currency: 'EURO' }, 'fiat_currency'],
    [{ country: 'Germany' }, 'country'],
    [{ country: 'XX' }, 'country'],
    [{ fiat_currency: 'QQQ' }, 'fiat_currency'],
    [{ currency_id: 'LINK' }, 'currency_id'],
  ])('%j is invalid_request and names the field', async (more, field) => {
    const order = purchase(system, 'currency_id' in more ? { currency_id: system.currency('LINK Ethereum') } : more)
    const { status, body } = await page.post('/onramp-sessions', order)
    expect([status, body['code'], Object.keys(body['errors'] as object)]).toEqual([422, 'invalid_request', [field]])
  })

  test("a session's country cannot be changed", async () => {
    const locked = await system.page(user, { country: 'FR' })
    const { status, body } = await locked.post('/onramp-sessions', purchase(system))
    expect([status, body['code'], Object.keys(body['errors'] as object)]).toEqual([422, 'invalid_request', ['country']])
    expect((await locked.post('/onramp-sessions', purchase(system, { country: 'FR' }))).status).toBe(201)
  })

  test.each([
    [403, 501, 'not_available'],
    [501, 501, 'not_available'],
    [401, 502, 'gateway_misconfigured'],
    [429, 503, 'gateway_unavailable'],
    [500, 503, 'gateway_unavailable'],
  ])('a gateway status %i becomes %i %s', async (status, answered, code) => {
    await system.control.fault({
      target: 'payments',
      kind: 'refuse',
      settings: { status },
      match: { user_reference: user },
    })
    const { status: given, body } = await page.post('/onramp-sessions', purchase(system))
    expect([given, body['code'], JSON.stringify(body).includes('hot wallet')]).toEqual([answered, code, false])
    expect(await rows()).toEqual([])
  })
})

test('a link to another origin is not returned', async () => {
  const system = await startSystem({ cashier: { ONRAMP_ORIGINS: 'https://*.provider.example' } })
  try {
    const page = await system.page('careful')
    const { status, body } = await page.post('/onramp-sessions', purchase(system))
    expect([status, body['code'], JSON.stringify(body).includes('/widget/')]).toEqual([502, 'unsafe_link', false])
  } finally {
    await system.close()
  }
})

test('without ONRAMP_ORIGINS the flow is off', async () => {
  const system = await startSystem({ cashier: { ONRAMP_ORIGINS: '' } })
  try {
    const page = await system.page('none')
    const { status, body } = await page.post('/onramp-sessions', purchase(system))
    expect([status, body['code']]).toEqual([501, 'not_available'])
  } finally {
    await system.close()
  }
})
