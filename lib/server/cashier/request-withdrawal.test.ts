import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { STATUSES } from '../gateway/testing/sample-record.ts'
import { withdrawalRequest } from '#lib/contract/cashier-requests.ts'
import { decimal } from '#lib/contract/money.ts'
import { isProblem } from '#lib/contract/problems.ts'
import type { Gateway } from '../gateway/types.ts'
import type { CashierSession } from '../store/types.ts'
import { eraseUser } from '../store/commands/erase-user.ts'
import { openStore, type Store } from '../store/store.ts'
import { sampleCurrency, sampleWithdrawal } from '../store/testing/sample-rows.ts'
import { seed } from '../store/testing/seed.ts'
import { FLAVOURS, newTestDatabase, type TestDatabase } from '../store/testing/test-databases.ts'
import type { CurrencyCache } from './currency-cache.ts'
import { createWithdrawalSteps } from './withdrawal-steps.ts'
import { createRequestWithdrawal } from './request-withdrawal.ts'

const uptimeMs = () => 0

/** Its network has no known form of address. */
const CURRENCY = { ...sampleCurrency, id: '3f1c2c6e-8a5f-4a51-9a0b-4f3f3a3a7a11', network: 'Other' }
const MOST = 10
/** How late the second process takes the time of its transactions: its clock is wrong, or it waits for the user's lock. */
const BEHIND_MS = 3000

describe.each(FLAVOURS)('withdrawals per minute on %s', (flavour) => {
  let database: TestDatabase
  /** One per process. */
  let stores: Store[]
  let store: Store
  let nowMs: number

  beforeEach(async () => {
    database = await newTestDatabase(flavour, inject('postgresUrl'))
    nowMs = Date.now()
    const open = (behindMs: number) => openStore({ url: database.url, clock: () => nowMs - behindMs, deliver: false })
    store = await open(0)
    stores = flavour === 'postgres' ? [store, await open(BEHIND_MS)] : [store]
    for (const user of ['user_1', 'user_2']) await fund(user, '1000')
  })
  afterEach(async () => {
    for (const one of stores) await one.close()
    await database.remove()
  })

  const fund = async (user: string, amount: string): Promise<void> => {
    await store.users.ensure(user, nowMs)
    const booking = { booking: 'adjustment', posting_key: `fund:${user}`, user_reference_id: user } as const
    await seed(store, { bookings: [{ ...booking, currency_id: CURRENCY.id, amount: decimal(amount) }] })
  }

  /** A user's requests, sent to the processes in turn. */
  const requester = (mostAMinute = MOST) => {
    const gateway = {
      clockOffsetMs: () => null,
      statuses: STATUSES,
      withdraw: async () => {
        await sleep(20)
        return {
          amount: '1',
          currency: 'USDT',
          requires_approval: false,
          status: 'Processing',
          wallet_address: 'a',
          transaction_uuid: null,
        }
      },
    } as unknown as Gateway
    const request = stores.map((one, at) => {
      const instance = `instance-${at}`
      const askMerchant = () => Promise.reject(new Error('not asked'))
      const driver = createWithdrawalSteps({
        store: one,
        gateway,
        instance,
        askMerchant,
        uptimeMs,
        onFault: () => undefined,
      })
      const currencies = { forSession: () => Promise.resolve(CURRENCY) } as unknown as CurrencyCache
      const newId = () => crypto.randomUUID()
      const rest = { ledgerMode: 'embedded', mostAMinute, waitMs: 10_000, newId, sleep } as const
      return createRequestWithdrawal({ store: one, currencies, driver, instance, ...rest })
    })
    let turn = 0
    return async (
      key: string,
      { amount = '1', user = 'user_1', address = `T${key}`, requestId = 'request' } = {},
    ): Promise<string> => {
      const input = withdrawalRequest.parse({ currency_id: CURRENCY.id, amount, wallet_address: address })
      const session = { user_reference_id: user } as CashierSession
      turn += 1
      try {
        const answer = await request[turn % request.length]?.(session, input, key, requestId)
        return answer?.outcome ?? 'none'
      } catch (error) {
        if (!isProblem(error)) throw error
        return error.code
      }
    }
  }
  const keys = (count: number, name = 'key'): string[] => Array.from({ length: count }, (_item, at) => `${name}-${at}`)

  test('20 concurrent requests with one key are one withdrawal, and count once', async () => {
    const request = requester()
    const answers = await Promise.all(keys(20).map(() => request('one-key')))
    expect(new Set(answers)).toEqual(new Set(['recorded']))
    for (const key of keys(MOST - 1)) expect(await request(key)).toBe('recorded')
    expect(await request('another')).toBe('rate_limited')
    expect(await request('one-key')).toBe('recorded')
  })

  test('a request leads to the withdrawal that it made, and a repeated or refused one to nothing', async () => {
    const request = requester()
    await request('key-1', { requestId: 'request-1' })
    await request('key-1', { requestId: 'request-2' })
    await request('key-2', { requestId: 'request-3', amount: '5000' })
    const [made] = await store.withdrawals.ofUser('user_1', 0, 1)
    const effects = await Promise.all(['request-1', 'request-2', 'request-3'].map((id) => store.requestEffects.of(id)))
    expect(effects).toMatchObject([[{ kind: 'withdrawal', name: made?.id, user_reference_id: 'user_1' }], [], []])
  })

  test.each([
    ['is unknown', { status: 'unknown' }],
    ['has a call that hangs, or whose process died', { status: 'processing', step: 'calling' }],
    [
      'has a call under way, and the list has its payout',
      { status: 'succeeded', step: 'calling', transaction_uuid: 'p', record_status: 'succeeded' },
    ],
  ] as const)('a request is refused, and does not count, while the same withdrawal %s', async (_name, state) => {
    const request = requester()
    for (const key of keys(MOST + 5)) expect(await request(key, { amount: '5000' })).toBe('insufficient_balance')
    const twin = sampleWithdrawal({
      ...{ id: 'w0', user_reference_id: 'user_1', currency_id: CURRENCY.id, ...state },
      ...{ currency_code: CURRENCY.currency_code, network: CURRENCY.network },
      ...{ idempotency_key: 'twin-key', wallet_address: 'Ttwin', created_ms: nowMs - 3_600_000 },
      ...{ amount: decimal('3'), called_ms: nowMs - 3_600_000 },
    })
    await seed(store, { withdrawals: [twin] })
    const again = { amount: '3', address: 'Ttwin' }
    for (const key of keys(MOST + 5)) expect(await request(key, again)).toBe('outcome_unknown')
    for (const key of keys(MOST)) expect(await request(key)).toBe('recorded')
  })

  test('a burst with different keys is recorded up to the limit; each user has a separate limit', async () => {
    const request = requester()
    const answers = await Promise.all(keys(25).map((key) => request(key)))
    expect(answers.filter((answer) => answer === 'recorded')).toHaveLength(MOST)
    expect(answers.filter((answer) => answer === 'rate_limited')).toHaveLength(15)
    expect(await store.ledger.balance('user_1', CURRENCY.id)).toMatchObject({ available: '990' })
    expect(await request('theirs', { user: 'user_2' })).toBe('recorded')
  })

  test('with the limits off all requests are recorded', async () => {
    const request = requester(Infinity)
    const answers = await Promise.all(keys(25).map((key) => request(key)))
    expect(new Set(answers)).toEqual(new Set(['recorded']))
  })
})

test('another withdrawal is allowed a minute after the first of ten, and the refusal says when', async () => {
  let nowMs = 1_000_000
  const store = await openStore({ url: 'file::memory:', clock: () => nowMs, deliver: false })
  try {
    await store.users.ensure('user_1', nowMs)
    const rows = Array.from({ length: MOST }, (_item, at) =>
      sampleWithdrawal({
        id: `w${at}`,
        user_reference_id: 'user_1',
        idempotency_key: `k${at}`,
        created_ms: nowMs + at * 1000,
      }),
    )
    await seed(store, { withdrawals: rows })
    const request = createRequestWithdrawal({
      store,
      currencies: { forSession: () => Promise.resolve(CURRENCY) } as unknown as CurrencyCache,
      driver: { uptimeMs, authorize: (row: unknown) => Promise.resolve(row) } as never,
      instance: 'one',
      ledgerMode: 'merchant',
      newId: () => crypto.randomUUID(),
      mostAMinute: MOST,
      waitMs: 0,
      sleep,
    })
    const session = { user_reference_id: 'user_1' } as CashierSession
    const input = withdrawalRequest.parse({ currency_id: CURRENCY.id, amount: '1', wallet_address: 'T1' })
    nowMs += 59_000
    await expect(request(session, input, 'new-key-1')).rejects.toMatchObject({
      code: 'rate_limited',
      extras: { retryAfterS: 1 },
    })
    nowMs += 1000
    expect(await request(session, input, 'new-key-1')).toMatchObject({ outcome: 'recorded' })
    await expect(request(session, input, 'new-key-2')).rejects.toMatchObject({ extras: { retryAfterS: 1 } })

    nowMs -= 3_600_000
    expect(await request(session, input, 'after-the-clock-was-set-back')).toMatchObject({ outcome: 'recorded' })
  } finally {
    await store.close()
  }
})

test.each(['embedded', 'merchant'] as const)(
  'a user who is erased during the request has no withdrawal, with %s books',
  async (ledgerMode) => {
    const store = await openStore({ url: 'file::memory:', clock: () => 1000, deliver: false })
    try {
      await store.users.ensure('user_1', 0)
      const asked: unknown[] = []
      const erased = eraseUser(store, 'user_1', 'erased_1', () => 1000)
      const request = createRequestWithdrawal({
        store,
        currencies: { forSession: () => erased.then(() => CURRENCY) } as unknown as CurrencyCache,
        driver: { uptimeMs, authorize: (row: unknown) => asked.push(row) } as never,
        ...({ instance: 'one', ledgerMode, mostAMinute: MOST, waitMs: 0, sleep } as const),
        newId: () => 'w1',
      })
      const session = { user_reference_id: 'user_1' } as CashierSession
      const input = withdrawalRequest.parse({ currency_id: CURRENCY.id, amount: '5', wallet_address: 'T1' })
      await expect(request(session, input, 'key-1')).rejects.toMatchObject({ code: 'session_ended' })
      expect(asked).toEqual([])
      expect(await store.withdrawals.find('w1')).toBeNull()
    } finally {
      await store.close()
    }
  },
)

test('a process that sleeps for over 10 s after recording a withdrawal does not call the gateway for it', async () => {
  const store = await openStore({ url: 'file::memory:', clock: () => 1000, deliver: false })
  try {
    await store.users.ensure('user_1', 0)
    const owner = { user_reference_id: 'user_1', currency_id: CURRENCY.id, amount: decimal('5') }
    await seed(store, { bookings: [{ booking: 'adjustment', posting_key: 'funds', ...owner }] })
    let upMs = 0
    const sleepy: Store = {
      ...store,
      async transaction(work) {
        const result = await store.transaction(work)
        upMs += 10_001
        return result
      },
    }
    const calls: unknown[] = []
    const gateway = {
      clockOffsetMs: () => null,
      statuses: STATUSES,
      withdraw: (asked: unknown) => {
        calls.push(asked)
        return Promise.reject(new Error('called'))
      },
    } as unknown as Gateway
    const parts = { instance: 'one', onFault: () => undefined, uptimeMs: () => upMs }
    const request = createRequestWithdrawal({
      store: sleepy,
      currencies: { forSession: () => Promise.resolve(CURRENCY) } as unknown as CurrencyCache,
      driver: createWithdrawalSteps({ store, gateway, askMerchant: null, ...parts }),
      ...({ instance: 'one', ledgerMode: 'embedded', mostAMinute: MOST, waitMs: 0, sleep } as const),
      newId: () => 'w1',
    })
    const session = { user_reference_id: 'user_1' } as CashierSession
    const input = withdrawalRequest.parse({ currency_id: CURRENCY.id, amount: '5', wallet_address: 'T1' })
    expect(await request(session, input, 'key-1')).toMatchObject({
      withdrawal: { status: 'failed', failure_reason: 'gateway_unreachable' },
    })
    expect(calls).toEqual([])
    expect(await store.ledger.balance('user_1', CURRENCY.id)).toMatchObject({ available: '5', held: '0' })
  } finally {
    await store.close()
  }
})
