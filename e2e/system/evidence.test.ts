/**
 * Which evidence settles an uncertain withdrawal (docs/explanation/money.md, "Withdrawal steps"), and which does not.
 */
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { MERCHANT_REFERENCE } from '../fixtures/keys.ts'
import type { FaultKinds, GatewayOperation } from '../../packages/testing/src/index.ts'
import { gatewayCalls } from './gateway-calls.ts'
import { webhookHeaders } from './gateway-signature.ts'
import type { PageClient } from './page.ts'
import { startSystem, type System } from './start-system.ts'

const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7'
let system: System
let page: PageClient
let user: string

beforeAll(async () => {
  system = await startSystem({ cashier: { RATE_LIMIT: 'off', GATEWAY_TIMEOUT_MS: '2000', WITHDRAWAL_ABSENCE_S: '1' } })
})
afterAll(() => system.close())
beforeEach(async () => {
  user = `user-${randomUUID()}`
  page = await system.page(user)
  await system.merchant.adjust(user, system.currency('ETH Ethereum'), '10')
})

const order = (amount = '4') => ({ currency_id: system.currency('ETH Ethereum'), amount, wallet_address: WALLET })
const balance = () => page.balance(system.currency('ETH Ethereum'))
const fault = <Target extends GatewayOperation>(target: Target, kind: FaultKinds[Target], more: object = {}) =>
  system.control.fault({ target, kind, match: { user_reference: user }, ...more })
const becomes = (id: string, status: string) =>
  vi.waitFor(async () => expect(await page.withdrawal(id)).toMatchObject({ status }), { interval: 100 })
const payouts = z.object({ withdrawals: z.array(z.object({ transaction_uuid: z.string() })) })
const payoutOf = async () => {
  const listed = payouts.parse(await system.control.call('GET', `/withdrawals?user_reference=${user}`))
  return listed.withdrawals[0]?.transaction_uuid ?? ''
}
const complete = async () => system.control.call('POST', `/withdrawals/${await payoutOf()}/complete`)
const quarantined = async (): Promise<readonly { reason: string; event: unknown }[]> => {
  const { items } = (await (await system.merchant.call('GET', '/quarantine?limit=1000')).json()) as {
    items: { reason: string; event: { user_reference?: string; user_ref_id?: string } }[]
  }
  return items.filter(({ event }) => (event.user_reference ?? event.user_ref_id) === user)
}

test.each([
  [400, 'failed'],
  [401, 'failed'],
  [403, 'failed'],
  [404, 'failed'],
  [409, 'failed'],
  [422, 'failed'],
  [429, 'failed'],
  [408, 'unknown'],
  [500, 'unknown'],
  [501, 'unknown'],
  [503, 'unknown'],
])('a readable error of status %i leaves it %s', async (status, expected) => {
  await fault('withdraw', 'refuse', { settings: { status } })
  const { status: answered, body } = await page.withdraw(order())
  expect([answered, body.status, body.transaction_uuid]).toEqual([201, expected, null])
  expect(await balance()).toEqual(
    expected === 'failed' ? { available: '10', held: '0' } : { available: '6', held: '4' },
  )
})

test.each(['cut_after_commit', 'cut_mid_reply', 'garbage', 'wrong_shape', 'oversized', 'silence'] as const)(
  'after %s it is found in the list, and follows its payout',
  async (kind) => {
    await fault('withdraw', kind)
    const { body } = await page.withdraw(order())
    // The list may contain it while its call is still under way.
    expect(body.status).toBe(body.transaction_uuid === null ? 'unknown' : 'processing')
    await becomes(body.id, 'processing')
    expect(await page.withdrawal(body.id)).toMatchObject({ transaction_uuid: await payoutOf() })
    await complete()
    await becomes(body.id, 'succeeded')
    expect(await balance()).toEqual({ available: '6', held: '0' })
    expect(await gatewayCalls(system.control, user)).toHaveLength(1)
  },
)

test('an error reply with a transaction of a failed status is a failure with that uuid', async () => {
  await fault('withdraw', 'refuse_with_transaction', { settings: { status: 500 } })
  const { body } = await page.withdraw(order())
  expect(body).toMatchObject({ status: 'failed', transaction_uuid: await payoutOf() })
  expect(await balance()).toEqual({ available: '10', held: '0' })
})

test('an error reply with a transaction of another status keeps the hold and follows the transaction', async () => {
  await fault('withdraw', 'refuse_with_transaction', { settings: { status: 400, failed: false } })
  const { body } = await page.withdraw(order())
  expect(body).toMatchObject({ status: 'processing', transaction_uuid: await payoutOf() })
  expect(await balance()).toEqual({ available: '6', held: '4' })
  await complete()
  await becomes(body.id, 'succeeded')
  expect(await balance()).toEqual({ available: '6', held: '0' })
})

test('a later webhook overrides an error reply', async () => {
  await fault('withdraw', 'refuse_with_transaction')
  const { body } = await page.withdraw(order())
  expect(body.status).toBe('failed')
  const uuid = body.transaction_uuid ?? ''
  await sendPayout(uuid, '4')
  await becomes(body.id, 'succeeded')
  expect(await balance()).toEqual({ available: '6', held: '0' })
})

/** A webhook of a payout that the sandbox would not send. */
async function sendPayout(uuid: string, amount: string): Promise<void> {
  const event = JSON.stringify({
    event: 'User Payout',
    transaction: {
      id: uuid,
      status: 'succeeded',
      date: new Date().toISOString(),
      currency: {
        id: system.currency('ETH Ethereum'),
        name: 'Ether',
        symbol: 'Ξ',
        network: 'Ethereum',
        token_address: '',
        currency_code: 'ETH',
      },
      amount: Number(amount),
      provider_transaction_id: 'p',
      to_address: WALLET,
      from_address: WALLET,
      tx_hash: `0x${uuid.replaceAll('-', '').repeat(2)}`,
      transaction_type: 'Payout',
      amount_usd: 1,
    },
    transaction_uuid: uuid,
    user_reference: user,
    merchant_reference: MERCHANT_REFERENCE,
    payment_method: 'Payout',
  })
  const response = await fetch(`${system.publicUrl}/api/webhooks/gateway`, {
    method: 'POST',
    headers: webhookHeaders(system.gatewayKey, event),
    body: event,
  })
  expect([response.status, await response.json()]).toEqual([200, { received: true, duplicate: false }])
}

test('after two complete scans without it, it has failed; a payout that appears later is posted and reported', async () => {
  await fault('withdraw', 'cut_after_commit')
  await fault('user_transactions', 'lag', { times: 'always', settings: { lag_ms: 3_600_000 } })
  const { body } = await page.withdraw(order('10'))
  expect(body.status).toBe('unknown')
  expect(await balance()).toEqual({ available: '0', held: '10' })
  await becomes(body.id, 'failed')
  expect(await balance()).toEqual({ available: '10', held: '0' })
  expect(await quarantined()).toEqual([])

  expect((await page.withdraw(order('7'))).status).toBe(201)
  const stream = await page.stream()
  await system.control.call('POST', `/withdrawals/${(await gatewayPayout('10')) ?? ''}/complete`)
  await becomes(body.id, 'succeeded')
  expect(await balance()).toEqual({ available: '-7', held: '7' })
  expect((await quarantined()).map(({ reason }) => reason)).toEqual(['late_payout'])
  await vi.waitFor(() =>
    expect(stream.events.map(({ data }) => JSON.parse(data) as object)).toContainEqual({
      currency_id: system.currency('ETH Ethereum'),
      available: '-7',
      held: '7',
    }),
  )
  stream.cut()
  expect(await system.checkLedger()).toMatchObject({ ok: true, faults: [], allowedOverdrafts: { late_payout: 1 } })
  await system.merchant.adjust(user, system.currency('ETH Ethereum'), '7')
  expect(await system.checkLedger()).toMatchObject({ ok: true, allowedOverdrafts: {} })
})

async function gatewayPayout(amount: string): Promise<string | undefined> {
  const calls = await system.control.call('GET', `/withdrawals?user_reference=${user}`)
  const listed = z
    .object({ withdrawals: z.array(z.object({ transaction_uuid: z.string(), amount: z.string() })) })
    .parse(calls)
  return listed.withdrawals.find((payout) => payout.amount === amount)?.transaction_uuid
}

test('all short pages are read: a payout after newer records is found', async () => {
  await fault('withdraw', 'cut_after_commit')
  await fault('user_transactions', 'clamp_page', { times: 'always', settings: { rows: 2 } })
  const { body } = await page.withdraw(order())
  await system.control.call('POST', '/transactions/seed', {
    user_reference: user,
    count: 5,
    type: 'Deposit',
    every_ms: 0,
  })
  await becomes(body.id, 'processing')
  expect((await page.withdrawal(body.id)).transaction_uuid).toBe(await payoutOf())
})

const UNSOUND_LISTS = [
  ['repeat_cursor', {}],
  ['wrong_count', { by: 1 }],
  ['garbage', {}],
  ['error_before_commit', { status: 500 }],
] as const

test('lists that repeat a cursor, have a wrong count, fail or cannot be parsed never prove absence', async () => {
  const uncertain = UNSOUND_LISTS.map(async ([kind, settings]) => {
    const own = `${user}-${kind}`
    const match = { user_reference: own }
    await system.control.call('POST', '/transactions/seed', {
      user_reference: own,
      count: 120,
      type: 'Deposit',
      every_ms: 1000,
    })
    await system.control.fault({ target: 'withdraw', kind: 'cut_before_commit', match })
    await system.control.fault({ target: 'user_transactions', kind, times: 'always', match, settings })
    await system.merchant.adjust(own, system.currency('ETH Ethereum'), '4')
    const its = await system.page(own)
    const { body } = await its.withdraw(order())
    expect(body.status).toBe('unknown')
    await vi.waitFor(async () => expect(await checksOf(body.id)).toBeGreaterThan(3), { interval: 200 })
    expect(await its.withdrawal(body.id)).toMatchObject({ status: 'unknown' })
    expect((await its.balance(system.currency('ETH Ethereum'))).held).toBe('4')
    return { its, id: body.id }
  })
  const all = await Promise.all(uncertain)
  await system.control.clearFaults()
  for (const { its, id } of all) {
    await vi.waitFor(async () => expect(await its.withdrawal(id)).toMatchObject({ status: 'failed' }), {
      interval: 100,
    })
    expect((await its.balance(system.currency('ETH Ethereum'))).held).toBe('0')
  }
})

/** How often the cashier has searched for its evidence. */
const checksOf = (id: string): Promise<number> =>
  system.withStore(async (store) => (await store.withdrawals.find(id))?.checks ?? 0)

const seeded = z.object({ transactions: z.array(z.object({ to_address: z.string(), amount: z.string() })) })

/** A withdrawal whose call was cut, with a payout of its details in the list, made at this time before the call. */
async function withRecord(offsetMs: number): Promise<string> {
  const currency_id = system.currency('BTC Bitcoin')
  await system.control.call('POST', '/transactions/seed', {
    user_reference: user,
    count: 1,
    type: 'Payout',
    amount: '1.5',
    at: new Date(Date.now() + offsetMs).toISOString(),
  })
  const { transactions } = seeded.parse(await system.control.call('GET', `/transactions?user_reference=${user}`))
  await system.merchant.adjust(user, currency_id, '2')
  await fault('withdraw', 'cut_before_commit')
  const wallet_address = transactions[0]?.to_address ?? ''
  const { body } = await page.withdraw({ currency_id, amount: '1.5', wallet_address })
  expect(body.status).toBe('unknown')
  return body.id
}

test('a payout from five minutes before the call is its payout', async () => {
  await becomes(await withRecord(-290_000), 'succeeded')
})

test('an older payout keeps it unknown until a person says that it is not its', async () => {
  const id = await withRecord(-910_000)
  const merchantGet = async (path: string) =>
    (await (await system.merchant.call('GET', path)).json()) as Record<string, unknown>
  await vi.waitFor(async () =>
    expect(await merchantGet(`/withdrawals/${id}`)).toMatchObject({ attention: 'unmatched_payout' }),
  )
  const checks = await checksOf(id)
  await vi.waitFor(async () => expect(await checksOf(id)).toBeGreaterThan(checks + 2))
  const open = await merchantGet(`/payouts?owner=none&user_reference_id=${user}`)
  expect(open).toMatchObject({ payouts: [{ owner: null, amount: '1.5', status: 'succeeded' }] })
  expect(await page.withdrawal(id)).toMatchObject({ status: 'unknown' })
  const [{ transaction_uuid } = { transaction_uuid: '' }] = open['payouts'] as { transaction_uuid: string }[]
  const answer = await system.merchant.call('POST', `/payouts/${transaction_uuid}/owner`, {
    acknowledged: true,
    note: 'Paid by hand.',
  })
  expect([answer.status, await answer.json()]).toMatchObject([200, { owner: 'acknowledged', note: 'Paid by hand.' }])
  await becomes(id, 'failed')
})

test('a payout of another amount near the call: a person decides whose it is', async () => {
  const currency_id = system.currency('BTC Bitcoin')
  await system.merchant.adjust(user, currency_id, '2')
  const seed = { user_reference: user, count: 1, type: 'Payout', amount: '1.4' }
  await system.control.call('POST', '/transactions/seed', seed)
  const list = z.object({ transactions: z.array(z.object({ transaction_uuid: z.string(), to_address: z.string() })) })
  const { transactions } = list.parse(await system.control.call('GET', `/transactions?user_reference=${user}`))
  const [{ transaction_uuid, to_address: wallet_address } = { transaction_uuid: '', to_address: '' }] = transactions
  await fault('withdraw', 'cut_before_commit', { times: 2 })
  const first = await page.withdraw({ currency_id, amount: '1.5', wallet_address })
  const second = await page.withdraw({ currency_id, amount: '0.3', wallet_address })

  const waiting = { attention: 'unmatched_payout', status: 'unknown', user_reference_id: user }
  const listed = async () => {
    const response = await system.merchant.call('GET', `/withdrawals?status=unknown&user_reference_id=${user}`)
    return ((await response.json()) as { withdrawals: unknown[] }).withdrawals
  }
  await vi.waitFor(async () => expect(await listed()).toMatchObject([waiting, waiting]))
  expect((await quarantined()).map(({ reason }) => reason)).toEqual(['unmatched_payout'])
  const metrics = await (await fetch(`${system.publicUrl}/api/metrics`)).text()
  expect(metrics).toMatch(/^cashier_unmatched_payouts [1-9]/m)

  const resolve = async (id: string, body: object) => {
    const response = await system.merchant.call('POST', `/withdrawals/${id}/resolution`, body)
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  const unknownUuid = await resolve(first.body.id, { outcome: 'sent', transaction_uuid: randomUUID() })
  expect(unknownUuid).toMatchObject({
    status: 422,
    body: { errors: { transaction_uuid: [expect.any(String) as unknown] } },
  })
  const sent = { outcome: 'sent', transaction_uuid, note: 'net of the fee' }
  expect(await resolve(first.body.id, sent)).toMatchObject({ status: 200, body: { transaction_uuid, attention: null } })
  expect(await resolve(first.body.id, sent)).toMatchObject({ status: 409, body: { code: 'conflict' } })
  // No other payout can belong to the second withdrawal, so its absence is proved.
  await becomes(second.body.id, 'failed')
  expect(await resolve(second.body.id, { outcome: 'not_sent' })).toMatchObject({ status: 409 })
  const found = (await (await system.merchant.call('GET', `/withdrawals/${first.body.id}`)).json()) as {
    status: string
  }
  expect(found.status).not.toBe('unknown')
  expect(await quarantined()).toEqual([])
  expect((await system.checkLedger()).faults).toEqual([])
})
