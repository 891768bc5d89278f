/** Withdrawals while the answer to a COMMIT is lost, on connections that are really cut. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest'
import { withdrawalRequest } from '#lib/contract/cashier-requests.ts'
import { decimal } from '#lib/contract/money.ts'
import { isProblem } from '#lib/contract/problems.ts'
import { STATUSES } from '../gateway/testing/sample-record.ts'
import type { Gateway } from '../gateway/types.ts'
import { openStore, type Store } from '../store/store.ts'
import { sampleCurrency } from '../store/testing/sample-rows.ts'
import { seed } from '../store/testing/seed.ts'
import { startTcpProxy, type Cut, type TcpProxy } from '../store/testing/tcp-proxy.ts'
import { newTestDatabase, type TestDatabase } from '../store/testing/test-databases.ts'
import type { CashierSession } from '../store/types.ts'
import type { CurrencyCache } from './currency-cache.ts'
import { createRequestWithdrawal } from './request-withdrawal.ts'
import { createWithdrawalSteps, type AuthorizationDecision } from './withdrawal-steps.ts'

const CURRENCY = { ...sampleCurrency, id: '3f1c2c6e-8a5f-4a51-9a0b-4f3f3a3a7a11', network: 'Other' }
const SESSION = { user_reference_id: 'ann' } as CashierSession

let database: TestDatabase
let proxy: TcpProxy
/** Not through the proxy. */
let direct: Store
let store: Store
let calls = 0
/** The gateway answers when this is done. */
let answering: Promise<unknown> = Promise.resolve()
let afterCall: () => void = () => undefined

beforeEach(async () => {
  calls = 0
  answering = Promise.resolve()
  afterCall = () => undefined
  database = await newTestDatabase('postgres', inject('postgresUrl'))
  proxy = await startTcpProxy(database.url)
  const open = (url: string) => openStore({ url, clock: Date.now, deliver: false })
  direct = await open(database.url)
  // This lane waits for an outcome for the shortest time.
  store = (await open(proxy.url)).lane('webhooks')
  await store.users.ensure('ann', 1)
  const owner = { user_reference_id: 'ann', currency_id: CURRENCY.id, amount: decimal('10') }
  await seed(direct, { bookings: [{ booking: 'adjustment', posting_key: 'funds', ...owner }] })
  // The connection that is cut exists already, with its mark.
  await store.transaction((tx) => tx.users.markSeen('ann', 2))
})
afterEach(async () => {
  await store.close()
  await direct.close()
  await proxy.stop()
  await database.remove()
})

/** The gateway refuses, so that a known reply differs from an unknown outcome. */
const gateway = {
  clockOffsetMs: () => null,
  statuses: STATUSES,
  withdraw: () => {
    calls += 1
    afterCall()
    return answering.then(() => ({
      amount: '4',
      currency: 'USDT',
      requires_approval: true,
      status: 'Processing',
      wallet_address: 'a',
      transaction_uuid: null,
    }))
  },
} as unknown as Gateway

function requester(askMerchant: (() => Promise<AuthorizationDecision>) | null = null, of: Store = store) {
  const parts = { store: of, gateway, instance: 'one', askMerchant, uptimeMs: () => performance.now() }
  const driver = createWithdrawalSteps({ ...parts, onFault: () => undefined })
  const request = createRequestWithdrawal({
    store,
    driver,
    currencies: { forSession: () => Promise.resolve(CURRENCY) } as unknown as CurrencyCache,
    ...({ instance: 'one', ledgerMode: askMerchant === null ? 'embedded' : 'merchant', mostAMinute: 99 } as const),
    ...{ newId: () => crypto.randomUUID(), waitMs: 0, sleep: () => Promise.resolve() },
  })
  const input = withdrawalRequest.parse({ currency_id: CURRENCY.id, amount: '4', wallet_address: 'T1' })
  const send = async (key: string): Promise<unknown> => {
    try {
      const answer = await request(SESSION, input, key)
      return answer.outcome === 'recorded' ? answer.withdrawal.status : answer.outcome
    } catch (error) {
      return isProblem(error) ? error.code : store.faultOf(error)
    }
  }
  return { send, driver }
}

const rows = () => direct.withdrawals.ofUser('ann', 0, 9)
const balance = async (): Promise<string> => {
  const { available, held } = await direct.ledger.balance('ann', CURRENCY.id)
  return `${available} + ${held}`
}

test.each(['before', 'after'] as const)(
  'cut %s the commit that records it, it is sent once and answered',
  async (cut) => {
    const { send } = requester()
    proxy.cutCommit(cut)
    expect(await send('key-1')).toBe('awaiting_approval')
    expect([proxy.cuts, calls, (await rows()).length, await balance()]).toEqual([1, 1, 1, '6 + 4'])
    expect(await send('key-1')).toBe('awaiting_approval')
    expect(calls).toBe(1)
  },
)

test.each(['before', 'after'] as const)('cut %s the commit of the reply, the reply counts', async (cut) => {
  afterCall = () => proxy.cutCommit(cut)
  expect(await requester().send('key-1')).toBe('awaiting_approval')
  expect([proxy.cuts, calls, (await rows()).length]).toEqual([1, 1, 1])
})

const ended = async (cut: Cut): Promise<void> => {
  if (cut === 'before') return
  await vi.waitFor(
    async () => expect(await rows()).toMatchObject([{ status: 'failed', failure_reason: 'not_sent', step: 'ended' }]),
    { interval: 100 },
  )
}

test.each(['before', 'after'] as const)(
  'cut %s the commit that records it, and the database stays away: nothing is sent, and nothing stays held',
  async (cut) => {
    const { send } = requester()
    proxy.cutCommit(cut, { away: true })
    expect(await send('key-1')).toBe('away')
    expect([proxy.cuts, calls]).toEqual([1, 0])
    proxy.comeBack()
    await ended(cut)
    expect([calls, await balance()]).toEqual([0, '10 + 0'])
    // Another key is another withdrawal; the first is not sent any more.
    expect(await send('key-2')).toBe('awaiting_approval')
    expect(calls).toBe(1)
    if (cut === 'after') expect(await send('key-1')).toBe('failed')
    expect(calls).toBe(1)
  },
)

test('the merchant is not asked after an outcome that stays unknown', async () => {
  let asked = 0
  const { send } = requester(() => {
    asked += 1
    return Promise.resolve({ decision: 'approve', user_message: null })
  })
  proxy.cutCommit('after', { away: true })
  expect(await send('key-1')).toBe('away')
  proxy.comeBack()
  await ended('after')
  expect([asked, calls]).toEqual([0, 0])
})

test('the reply of a call is stored once the database is back', async () => {
  afterCall = () => proxy.cutCommit('before', { away: true })
  expect(await requester().send('key-1')).toBe('away')
  expect(await rows()).toMatchObject([{ status: 'processing', step: 'calling' }])
  proxy.comeBack()
  await vi.waitFor(async () => expect(await rows()).toMatchObject([{ status: 'awaiting_approval', step: 'ended' }]), {
    interval: 100,
  })
  expect(calls).toBe(1)
})

test('a postponement whose outcome is unknown does not end the approval that follows it', async () => {
  const postponed = { decision: 'postpone', user_message: null } as const
  const { send } = requester(() => {
    proxy.cutCommit('after', { away: true })
    return Promise.resolve(postponed)
  })
  expect(await send('key-1')).toBe('away')
  const [row] = await rows()
  if (row === undefined) throw new Error('not recorded')
  expect(row).toMatchObject({ status: 'pending_authorization', step: 'pending' })
  // The gateway is being called when the first attempt learns that the store is back.
  answering = sleep(2500)
  const approved = requester(() => Promise.resolve(postponed), direct).driver.approve(row, null)
  proxy.comeBack()
  expect((await approved)?.status).toBe('awaiting_approval')
  const told = (await direct.events.feedAfter(0, 99)).map(({ data }) => (JSON.parse(data) as { status: string }).status)
  expect(told).not.toContain('failed')
  expect(calls).toBe(1)
})

test('an approval that is repeated after an unknown outcome is not ended by the first attempt', async () => {
  const postpone = () => Promise.resolve({ decision: 'postpone', user_message: null } as const)
  const { send, driver } = requester(postpone)
  expect(await send('key-1')).toBe('pending_authorization')
  const [row] = await rows()
  if (row === undefined) throw new Error('not recorded')
  // Its event is numbered by a commit of its own, which is not the one to cut.
  const numbered = () => direct.database.db.selectFrom('merchant_events').select('cursor').execute()
  await vi.waitFor(async () => expect(await numbered()).toHaveLength(1))
  proxy.cutCommit('before', { away: true })
  await expect(driver.approve(row, null)).rejects.toMatchObject({ code: '08007' })
  // The second attempt calls the gateway when the first one learns that it has to give up.
  answering = sleep(2500)
  const second = requester(postpone, direct).driver.approve(row, null)
  proxy.comeBack()
  expect((await second)?.status).toBe('awaiting_approval')
  const told = (await direct.events.feedAfter(0, 99)).map(({ data }) => (JSON.parse(data) as { status: string }).status)
  expect(told).toEqual(['pending_authorization', 'awaiting_approval'])
  expect(calls).toBe(1)
})
