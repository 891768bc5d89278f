/** The cashier answers every call as docs/openapi.json says. `startSystem` validates each answer. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { checkAnswer } from './check-answer.ts'
import { startMerchantDouble, type MerchantDouble } from './merchant-double.ts'
import { startSystem, type System } from './start-system.ts'

let merchant: MerchantDouble
let system: System
beforeAll(async () => {
  merchant = await startMerchantDouble(() => system.webhookSecret)
  system = await startSystem({ cashier: { MERCHANT_WEBHOOK_URL: merchant.url } })
})
afterAll(async () => {
  await system.close()
  await merchant.close()
})

test('the document is served with cache headers, and revalidated by its ETag', async () => {
  const address = `${system.publicUrl}/api/openapi.json`
  const response = await fetch(address)
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(response.headers.get('cache-control')).toBe('public, max-age=300')
  expect(await response.json()).toMatchObject({ openapi: '3.1.1', paths: { '/api/merchant/sessions': {} } })
  const headers = { 'if-none-match': response.headers.get('etag') ?? '' }
  expect((await fetch(address, { headers })).status).toBe(304)
  expect((await fetch(address, { method: 'HEAD' })).status).toBe(200)
})

test('reading calls, and calls about unknown objects, answer as the document says', async () => {
  const user = `user-${randomUUID()}`
  const [eth, none] = [system.currency('ETH Ethereum'), randomUUID()]
  await system.merchant.adjust(user, eth, '10')
  await system.control.seedTransactions({ user_reference: user, count: 1, type: 'Payout', amount: '7' })
  const page = await system.page(user)
  await page.withdraw({ currency_id: eth, amount: '1', wallet_address: '0x52908400098527886E0F7030069857D2E4169EE7' })
  await system.control.detectDeposit({ user_reference: user, currency_id: eth, amount: '1.5', confirm: true })
  const { call } = system.merchant
  await vi.waitFor(async () => {
    const { events } = (await (await call('GET', '/events')).json()) as { events: { data: { kind: string } }[] }
    expect(new Set(events.map(({ data }) => data.kind))).toEqual(new Set(['payout', 'deposit']))
  })
  const { withdrawals } = (await (await call('GET', `/withdrawals?user_reference_id=${user}`)).json()) as {
    withdrawals: { id: string }[]
  }
  const [withdrawal] = withdrawals
  const open = await vi.waitFor(async () => {
    const answer = await call('GET', `/payouts?owner=none&user_reference_id=${user}`)
    const [payout] = ((await answer.json()) as { payouts: { transaction_uuid: string }[] }).payouts
    return payout?.transaction_uuid ?? Promise.reject(new Error('no open payout'))
  })
  // Only the list across all users may have shown it until now: the user's own list opens it once more.
  await vi.waitFor(async () => {
    const answer = await call('GET', '/quarantine?reason=unmatched_payout')
    expect(await answer.text()).toContain(open)
  })
  const acknowledged = { acknowledged: true, note: 'Paid by hand.' }
  const calls = [
    ['GET', `/users/${user}/balances`, undefined, 200],
    ['GET', `/users/${user}/entries`, undefined, 200],
    ['GET', `/statement.csv?user_reference_id=${user}`, undefined, 200],
    ['GET', '/statement.csv?from=yesterday', undefined, 422],
    ['GET', `/withdrawals/${withdrawal?.id ?? ''}`, undefined, 200],
    ['GET', `/transactions?user_reference_id=${user}`, undefined, 200],
    ['GET', '/quarantine?state=settled', undefined, 200],
    ['POST', `/payouts/${open}/owner`, { withdrawal_id: none }, 422],
    ['POST', `/payouts/${open}/owner`, acknowledged, 200],
    ['POST', `/payouts/${open}/owner`, acknowledged, 409],
    ['POST', `/payouts/${none}/owner`, acknowledged, 404],
    ['GET', `/payouts?user_reference_id=${user}`, undefined, 200],
    ['POST', '/redeliveries', { dead: true }, 202],
    ['POST', '/test-event', undefined, 202],
    ['GET', '/connection', undefined, 200],
    ['GET', `/withdrawals/${none}`, undefined, 404],
    ['DELETE', `/sessions/${none}`, undefined, 404],
    ['POST', `/withdrawals/${withdrawal?.id ?? ''}/authorization`, { decision: 'approve' }, 409],
    ['POST', `/withdrawals/${withdrawal?.id ?? ''}/resolution`, { outcome: 'not_sent' }, 409],
    ['POST', '/quarantine/999999/resolution', { action: 'dismiss' }, 404],
    ['POST', '/sessions', {}, 422],
    ['POST', '/sessions', undefined, 415],
  ] as const
  for (const [method, path, body, status] of calls)
    expect([path, (await call(method, path, body)).status]).toEqual([path, status])
})

test('an answer that does not match the document fails a test', async () => {
  await expect(checkAnswer('GET', '/events', Response.json({ events: [] }))).rejects.toThrow(/next_cursor/)
})
