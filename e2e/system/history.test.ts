/** The history from the gateway's list: our additional rows, filters, pages, and a gateway that does not answer. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { TransactionsPage } from '#lib/contract/cashier.ts'
import type { FaultKinds, GatewayOperation } from '../../packages/testing/src/index.ts'
import { gatewayCalls } from './gateway-calls.ts'
import type { PageClient } from './page.ts'
import { startSystem, type System } from './start-system.ts'

const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7'
let system: System
let page: PageClient
let user: string

beforeAll(async () => {
  system = await startSystem({ cashier: { RATE_LIMIT: 'off', GATEWAY_TIMEOUT_MS: '2000' } })
})
afterAll(() => system.close())
beforeEach(async () => {
  user = `user-${randomUUID()}`
  page = await system.page(user)
  await system.merchant.adjust(user, system.currency('ETH Ethereum'), '100')
})

const withdraw = async (amount: string): Promise<string> => {
  const order = { currency_id: system.currency('ETH Ethereum'), amount, wallet_address: WALLET }
  const { status, body } = await page.withdraw(order)
  expect(status).toBe(201)
  return body.id
}
const deposit = (amount: string) =>
  system.control.detectDeposit({
    user_reference: user,
    currency_id: system.currency('ETH Ethereum'),
    amount,
    confirm: true,
  })
const seed = (count: number, every_ms = 60_000) =>
  system.control.call('POST', '/transactions/seed', { user_reference: user, count, every_ms, type: 'Deposit' })
/** How often the page has read the list; the comparison with the ledger reads more rows at once. */
const pageReads = async (): Promise<number> =>
  (await gatewayCalls(system.control, user, 'user_transactions')).filter(({ body }) => body['first'] === 20).length
const shown = ({ edges }: TransactionsPage) =>
  edges.map(({ node }) => `${node.type} ${node.amount} ${node.cashier_status}`)
const fault = <Target extends GatewayOperation>(target: Target, kind: FaultKinds[Target], more: object = {}) =>
  system.control.fault({ target, kind, match: { user_reference: user }, ...more })

test('withdrawals that the list lacks are on the first page, in order of time, and are counted', async () => {
  await deposit('7')
  await withdraw('1.0702')
  await deposit('8')
  await withdraw('2.0704')
  await withdraw('3.5')
  const all = await page.history()
  expect(shown(all)).toEqual([
    'Payout 3.5 processing',
    'Payout 2.0704 unknown',
    'Deposit 8 succeeded',
    'Payout 1.0702 failed',
    'Deposit 7 succeeded',
  ])
  expect([all.total_count, all.stale]).toEqual([5, undefined])
  expect(all.edges.map(({ node }) => node.transaction_uuid === null)).toEqual([false, true, false, true, false])
  expect(new Set(all.edges.map(({ cursor }) => cursor)).size).toBe(5)

  const filtered = async (query: string) => {
    const found = await page.history(query)
    return [shown(found), found.total_count]
  }
  expect(await filtered('?transaction_types=Deposit')).toEqual([['Deposit 8 succeeded', 'Deposit 7 succeeded'], 2])
  expect(await filtered('?transaction_types=Payout')).toEqual([
    ['Payout 3.5 processing', 'Payout 2.0704 unknown', 'Payout 1.0702 failed'],
    3,
  ])
  expect((await filtered('?transaction_types=Payout&transaction_types=Deposit'))[1]).toBe(5)
  expect((await filtered('?time_range=last_24hrs'))[1]).toBe(5)
  for (const range of ['yesterday', 'last_month']) expect(await filtered(`?time_range=${range}`)).toEqual([[], 0])
})

test('local rows do not count for `first`, and paging continues after any row', async () => {
  await seed(45)
  await withdraw('1.0704')
  await deposit('3')
  const pages: TransactionsPage[] = []
  for (let after: string | null = ''; after !== null;) {
    const next: TransactionsPage = await page.history(
      `?first=20${after === '' ? '' : `&after=${encodeURIComponent(after)}`}`,
    )
    pages.push(next)
    after = next.page_info.has_next_page ? next.page_info.end_cursor : null
  }
  expect(pages.map(({ edges }) => edges.length)).toEqual([21, 20, 6])
  expect(pages.map(({ total_count }) => total_count)).toEqual([47, 47, 47])
  const uuids = pages.flatMap(({ edges }) => edges.map(({ node }) => node.transaction_uuid))
  expect(new Set(uuids).size).toBe(47)

  const [first] = pages
  const ours = first?.edges.find(({ node }) => node.transaction_uuid === null)
  const behind = await page.history(`?first=2&after=${encodeURIComponent(ours?.cursor ?? '')}`)
  const at = first?.edges.indexOf(ours!) ?? 0
  expect(behind.edges.map(({ node }) => node.transaction_uuid)).toEqual(
    first?.edges.slice(at + 1, at + 3).map(({ node }) => node.transaction_uuid),
  )
  const oldest = await page.history('?last=3')
  expect(oldest.edges.map(({ node }) => node.transaction_uuid)).toEqual(uuids.slice(-3))
  expect((await page.history()).edges.length).toBe(21)
})

test('a withdrawal that appears late in the list is one row before and after that', async () => {
  await fault('user_transactions', 'lag', { times: 'always' })
  const id = await withdraw('4')
  const before = await page.history()
  expect(before.edges.map(({ node }) => [node.withdrawal_id, node.transaction_uuid])).toEqual([[id, null]])
  await system.control.clearFaults()
  const after = await page.history()
  expect(after.edges.map(({ node }) => [node.withdrawal_id, typeof node.transaction_uuid])).toEqual([[id, 'string']])
  expect(after.total_count).toBe(1)
})

test("another user's rows are not shown", async () => {
  await withdraw('1.0704')
  await deposit('2')
  expect(await (await system.page(`${user}-other`)).history()).toMatchObject({ edges: [], total_count: 0 })
})

test.each([
  ['first=0', 'first'],
  ['first=101', 'first'],
  ['first=1e1', 'first'],
  ['last=101', 'last'],
  ['first=1&last=1', 'last'],
  ['first=1&first=2', 'first'],
  ['time_range=tomorrow', 'time_range'],
  ['transaction_types=%3Cscript%3E', 'transaction_types.0'],
])('?%s is invalid_request and names %s', async (query, field) => {
  const { status, body } = await page.get(`/transactions?${query}`)
  expect([status, body['code'], Object.keys(body['errors'] as object)]).toEqual([422, 'invalid_request', [field]])
})

describe('a gateway that cannot be reached', () => {
  test.each([
    ['silent', 'silence', {}],
    ['failing', 'error_before_commit', { status: 500 }],
    ['garbled', 'garbage', {}],
    ['cut', 'cut_before_commit', {}],
  ] as const)(
    '%s: the stored history is shown as stale, the next time without a wait; later the list is shown again',
    async (_name, kind, settings) => {
      await deposit('7')
      await withdraw('1.0704')
      const live = await page.history()
      await deposit('8')
      await vi.waitFor(async () =>
        expect((await page.balance(system.currency('ETH Ethereum'))).available).toBe('113.9296'),
      )

      await system.control.fault({ target: 'user_transactions', kind, times: 'always', settings })
      const first = await page.history()
      expect([first.stale, shown(first)]).toEqual([true, ['Deposit 8 succeeded', ...shown(live)]])
      expect(first.total_count).toBe(3)
      expect(first.edges.slice(1).map(({ node }) => node.transaction_uuid)).toEqual(
        live.edges.map(({ node }) => node.transaction_uuid),
      )
      expect((await page.history('?first=1')).edges).toHaveLength(1)
      const asked = await pageReads()
      await Promise.all(Array.from({ length: 10 }, () => page.history()))
      // One read after the pause, with its retries.
      expect(await pageReads()).toBeLessThanOrEqual(asked + 3)
      expect((await page.get('/currencies')).status).toBe(200)
      await withdraw('2.5')

      await system.control.clearFaults()
      await vi.waitFor(async () => expect((await page.history()).stale).toBeUndefined(), { interval: 250 })
      expect((await page.history()).total_count).toBe(4)
    },
  )

  test('unreachable: a withdrawal fails immediately and holds nothing; a new address and a purchase are 503', async () => {
    await page.history()
    await system.killSandbox()
    try {
      const gone = await page.withdraw({
        currency_id: system.currency('ETH Ethereum'),
        amount: '5',
        wallet_address: WALLET,
      })
      expect(gone.status).toBe(201)
      expect(gone.body).toMatchObject({ status: 'failed', failure_reason: 'gateway_unreachable' })
      expect(await page.balance(system.currency('ETH Ethereum'))).toEqual({ available: '100', held: '0' })
      expect((await page.history()).stale).toBe(true)
      const calls = [
        page.post('/deposit-addresses', { currency_id: system.currency('BTC Bitcoin') }),
        page.post('/onramp-sessions', {
          currency_id: system.currency('ETH Ethereum'),
          amount: '50',
          fiat_currency: 'EUR',
          country: 'DE',
        }),
      ]
      for (const { status, body, headers } of await Promise.all(calls)) {
        expect([status, body['code'], headers.has('retry-after')]).toEqual([503, 'gateway_unavailable', true])
      }
      expect((await page.get('/currencies')).body['currencies']).toHaveLength(14)
    } finally {
      await system.restartSandbox()
    }
    await vi.waitFor(async () => expect((await page.history()).stale).toBeUndefined(), { interval: 250 })
  })

  test.each([
    [401, 502, 'gateway_misconfigured'],
    [429, 503, 'gateway_unavailable'],
  ])('a gateway that returns %i is reachable: %i %s', async (status, answered, code) => {
    await fault('user_transactions', 'refuse', { settings: { status }, times: 'always' })
    const { status: given, body } = await page.get('/transactions')
    await system.control.clearFaults()
    expect([given, body['code']]).toEqual([answered, code])
  })
})
