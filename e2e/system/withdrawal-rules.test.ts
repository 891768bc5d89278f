/** Withdrawals that wait by the rules of WITHDRAWAL_RULES, with real processes that are killed meanwhile. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { gatewayCalls } from './gateway-calls.ts'
import type { PageClient } from './page.ts'
import { startSystem, type System } from './start-system.ts'

const WALLET = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'
const WAIT_S = 4
const RULES = { '*': { wait_for_new_address_s: WAIT_S }, 'USDT@Tron': { review_above: '10' } }

describe.each([
  ['sqlite', 1],
  ['postgres', 2],
] as const)('on %s, with %i instances', (database, instances) => {
  let system: System
  beforeAll(async () => {
    system = await startSystem({
      database,
      instances,
      cashier: { WITHDRAWAL_RULES: JSON.stringify(RULES), RATE_LIMIT: 'off' },
    })
  })
  afterAll(() => system.close())

  /** A user with a balance of both currencies. */
  const newUser = async (): Promise<{ readonly user: string; readonly page: PageClient }> => {
    const user = `user-${randomUUID()}`
    const page = await system.page(user)
    for (const name of ['USDT Tron', 'TRX Tron'])
      await system.merchant.call('POST', `/users/${user}/adjustments`, {
        currency_id: system.currency(name),
        amount: '100',
        reference: randomUUID(),
      })
    return { user, page }
  }
  const order = (name: string, amount: string) => ({
    currency_id: system.currency(name),
    amount,
    wallet_address: WALLET,
  })
  const sent = (user: string) => gatewayCalls(system.control, user)
  const decide = (id: string, decision: string) =>
    system.merchant.call('POST', `/withdrawals/${id}/authorization`, { decision })
  const cancel = (page: PageClient, id: string) =>
    page.post<{ code?: string; withdrawal_status?: string; status?: unknown }>(`/withdrawals/${id}/cancellation`, {})

  test('a wait goes on by itself, once, although every instance is killed before it ends', async () => {
    const { user, page } = await newUser()
    const { status, body } = await page.withdraw(order('TRX Tron', '5'))
    expect([status, body.status, body.review]).toEqual([201, 'pending_authorization', ['wait_for_new_address']])
    expect(Date.parse(body.wait_until ?? '') - Date.now()).toBeGreaterThan(0)
    expect(await page.balance(system.currency('TRX Tron'))).toEqual({ available: '95', held: '5' })
    await Promise.all(system.cashiers.map((cashier) => cashier.kill()))
    await sleep(WAIT_S * 1000)
    expect(await sent(user)).toEqual([])
    await Promise.all(system.cashiers.map((cashier) => cashier.start()))
    await vi.waitFor(async () => expect(await sent(user)).toHaveLength(1), { timeout: 30_000, interval: 200 })
    await sleep(6000)
    expect(await sent(user)).toHaveLength(1)
    expect((await page.withdrawal(body.id)).status).not.toBe('pending_authorization')
    expect(await system.checkLedger()).toMatchObject({ ok: true })
  })

  test('approved, declined or cancelled: once, and the hold fits', async () => {
    const { user, page } = await newUser()
    const ids: string[] = []
    for (const amount of ['11', '12', '13']) {
      const { body } = await page.withdraw(order('USDT Tron', amount))
      expect([body.status, body.review, body.awaits_decision]).toEqual([
        'pending_authorization',
        ['review_above'],
        true,
      ])
      ids.push(body.id)
    }
    const [approved = '', declined = '', cancelled = ''] = ids
    expect(await page.balance(system.currency('USDT Tron'))).toEqual({ available: '64', held: '36' })
    expect((await decide(approved, 'approve')).status).toBe(200)
    expect((await decide(declined, 'decline')).status).toBe(200)
    expect(await cancel(page, cancelled)).toMatchObject({
      status: 200,
      body: { status: 'failed', failure_reason: 'cancelled' },
    })
    for (const id of ids)
      expect(await cancel(page, id)).toMatchObject({
        status: 409,
        body: { code: 'conflict', withdrawal_status: id === approved ? 'processing' : 'failed' },
      })
    expect((await decide(cancelled, 'approve')).status).toBe(409)
    expect(await sent(user)).toHaveLength(1)
    expect(await page.balance(system.currency('USDT Tron'))).toEqual({ available: '89', held: '11' })
    const other = await newUser()
    expect((await cancel(other.page, cancelled)).status).toBe(404)
  })

  test('a cancellation and an approval at once: one of them counts', async () => {
    const { user, page } = await newUser()
    for (let round = 0; round < 10; round += 1) {
      const before = (await sent(user)).length
      const { body } = await page.withdraw(order('USDT Tron', `10.${String(round)}1`))
      const acts = [() => cancel(page, body.id), () => decide(body.id, 'approve')]
      if (round % 2 === 1) acts.reverse()
      const answers = await Promise.all(acts.map((act) => act()))
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
      const isSent = (await sent(user)).length - before
      expect(isSent).toBe((await page.withdrawal(body.id)).failure_reason === 'cancelled' ? 0 : 1)
      // Nine amounts of over 10 exceed the balance.
      await system.merchant.call('POST', `/users/${user}/adjustments`, {
        currency_id: system.currency('USDT Tron'),
        amount: '11',
        reference: randomUUID(),
      })
    }
    expect(await system.checkLedger()).toMatchObject({ ok: true, faults: [] })
  })
})

test('users cannot cancel with USER_CANCELLATION=off', async () => {
  const system = await startSystem({
    cashier: { WITHDRAWAL_RULES: '{"*": {"review_above": "0"}}', USER_CANCELLATION: 'off' },
  })
  try {
    const page = await system.page('user-1')
    const answer = await page.post<{ code: string }>('/withdrawals/w1/cancellation', {})
    expect([answer.status, answer.body.code]).toEqual([501, 'not_available'])
  } finally {
    await system.close()
  }
})
