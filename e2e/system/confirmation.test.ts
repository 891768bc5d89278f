/** Without GATEWAY_MERCHANT_REFERENCE the gateway's list confirms webhooks, a second or two after their arrival. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { depositEvent, DEPOSIT_CURRENCY } from './deposit-event.ts'
import { webhookHeaders } from './gateway-signature.ts'
import { readMerchantFeed } from '../fixtures/merchant-feed.ts'
import { startSystem, type System } from './start-system.ts'

const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7'

describe.each(['sqlite', 'postgres'] as const)('on %s', (database) => {
  let system: System
  beforeAll(async () => {
    system = await startSystem({ database, cashier: { GATEWAY_MERCHANT_REFERENCE: '' } })
  })
  afterAll(() => system.close())

  test('a deposit and a withdrawal succeed', async () => {
    const user = `user-${randomUUID()}`
    const currency_id = system.currency('ETH Ethereum')
    const page = await system.page(user)
    await system.control.detectDeposit({ user_reference: user, currency_id, amount: '9.5', confirm: true })
    await vi.waitFor(async () => expect((await page.balance(currency_id)).available).toBe('9.5'), { interval: 100 })
    const { body } = await page.withdraw({ currency_id, amount: '2.0709', wallet_address: WALLET })
    await vi.waitFor(async () => expect((await page.withdrawal(body.id)).status).toBe('succeeded'), { interval: 100 })
    expect(await page.balance(currency_id)).toEqual({ available: '7.4291', held: '0' })
    const published = (await readMerchantFeed(system.merchant, user)).map(({ data }) => `${data.kind} ${data.status}`)
    expect(published.filter((event) => event === 'deposit succeeded')).toHaveLength(1)
    expect(published.filter((event) => event === 'payout succeeded')).toHaveLength(1)
    expect(await system.checkLedger()).toMatchObject({ ok: true, faults: [] })
  })

  test('a deposit that the list lacks is published and credits nobody', async () => {
    const user = `user-${randomUUID()}`
    const page = await system.page(user)
    const event = depositEvent({ uuid: randomUUID(), user, amount: '1000000', status: 'succeeded' })
    const answer = await fetch(`${system.publicUrl}/api/webhooks/gateway`, {
      method: 'POST',
      headers: webhookHeaders(system.gatewayKey, event),
      body: event,
    })
    expect([answer.status, await answer.json()]).toEqual([200, { received: true, duplicate: false }])
    expect((await readMerchantFeed(system.merchant, user)).map(({ data }) => data.status)).toEqual(['succeeded'])
    await new Promise((resolve) => setTimeout(resolve, 3000))
    expect((await page.balance(DEPOSIT_CURRENCY)).available).toBe('0')
  })
})
