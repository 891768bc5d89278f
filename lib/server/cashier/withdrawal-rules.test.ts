/** What the rules catch is decided with the hold, and waits; on both databases. */
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, describe, expect, test } from 'vitest'
import { withdrawalRequest } from '#lib/contract/cashier-requests.ts'
import { decimal } from '#lib/contract/money.ts'
import { STATUSES } from '../gateway/testing/sample-record.ts'
import type { Gateway } from '../gateway/types.ts'
import type { WithdrawalRules } from '../ledger/withdrawal-rules.ts'
import { merchantWithdrawalView } from '../ledger/withdrawal-view.ts'
import { checkLedger } from '../store/commands/check-ledger.ts'
import type { Store } from '../store/store.ts'
import { sampleCurrency, sampleWithdrawal } from '../store/testing/sample-rows.ts'
import { changeWithdrawal, seed } from '../store/testing/seed.ts'
import { FLAVOURS } from '../store/testing/test-databases.ts'
import { useStores } from '../store/testing/use-stores.ts'
import type { CashierSession, WithdrawalRow } from '../store/types.ts'
import type { CurrencyCache } from './currency-cache.ts'
import { createRequestWithdrawal } from './request-withdrawal.ts'
import { createWithdrawalSteps, type DriveOptions } from './withdrawal-steps.ts'

const HOUR = 3_600_000
const START = Date.UTC(2026, 10, 20)
const CURRENCY = { ...sampleCurrency, network: 'Ethereum' }
const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7'
const OTHER = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'

describe.each(FLAVOURS)('on %s', (flavour) => {
  let now = START
  /** The database's clock is a minute behind. */
  const stores = useStores(flavour, { clock: () => now, databaseClock: () => now - 60_000 })
  const calls: string[] = []

  beforeEach(async () => {
    now = START
    calls.length = 0
    await stores.one.users.ensure('u', now)
    const booking = { booking: 'adjustment', posting_key: 'funds', user_reference_id: 'u' } as const
    await seed(stores.one, { bookings: [{ ...booking, currency_id: CURRENCY.id, amount: decimal('100') }] })
  })

  const gateway = {
    clockOffsetMs: () => 0,
    statuses: STATUSES,
    withdraw: ({ wallet_address }: { readonly wallet_address: string }) => {
      calls.push(wallet_address)
      return Promise.resolve({
        ...{ amount: '1', currency: 'USDT', requires_approval: false, status: 'Processing', transaction_uuid: null },
        wallet_address,
      })
    },
  } as unknown as Gateway
  const driverOf = (store: Store, askMerchant: DriveOptions['askMerchant']) =>
    createWithdrawalSteps({
      ...{ store, instance: 'one', gateway, askMerchant },
      uptimeMs: () => 0,
      onFault: () => undefined,
    })

  let keys = 0
  /** Requests of an instance with these rules. */
  const asking = (
    rules: WithdrawalRules,
    store: Store = stores.one,
    ledgerMode: 'embedded' | 'merchant' = 'embedded',
  ) => {
    const parts = { store, instance: 'one' }
    const driver = driverOf(store, () => Promise.resolve({ decision: 'approve', user_message: null }))
    const request = createRequestWithdrawal({
      ...parts,
      driver,
      ledgerMode,
      rules: new Map([['*', rules]]),
      currencies: { forSession: () => Promise.resolve(CURRENCY) } as unknown as CurrencyCache,
      newId: () => crypto.randomUUID(),
      mostAMinute: Infinity,
      waitMs: 5000,
      sleep,
    })
    return async ({ amount = '1', address = ADDRESS, key = `key-${String((keys += 1))}` } = {}) => {
      const input = withdrawalRequest.parse({ currency_id: CURRENCY.id, amount, wallet_address: address })
      const answer = await request({ user_reference_id: 'u' } as CashierSession, input, key)
      if (answer.outcome !== 'recorded') throw new Error('it is declined')
      return answer.withdrawal
    }
  }

  /** An earlier withdrawal of the user to this address. */
  const before = (status: 'succeeded' | 'failed' | 'processing', wallet_address: string, network = 'Ethereum') => {
    const id = `before-${String((keys += 1))}`
    return seed(stores.one, {
      withdrawals: [
        sampleWithdrawal({
          ...{ id, idempotency_key: id, user_reference_id: 'u', currency_id: 'c2', network, wallet_address, status },
          ...{ step: 'ended', funds: 'none', postings: 0, created_ms: now - 100 * HOUR, transaction_uuid: null },
          ...(status === 'succeeded' && { transaction_uuid: id }),
        }),
      ],
    })
  }

  test('what a rule catches is held and told, and is not sent; the first answer is repeated', async () => {
    const ask = asking({ review_above: decimal('5') })
    const held = await ask({ amount: '5.1', key: 'key-above' })
    expect(held).toMatchObject({
      status: 'pending_authorization',
      review: ['review_above'],
      wait_until: null,
      awaits_decision: true,
    })
    expect(await ask({ amount: '5' })).toMatchObject({ status: 'processing', review: [], awaits_decision: false })
    expect(calls).toHaveLength(1)
    expect(await stores.one.ledger.balance('u', CURRENCY.id)).toMatchObject({ available: '89.9', held: '10.1' })
    const row = await stores.one.withdrawals.find(held.id)
    if (row === null) throw new Error('it is gone')
    expect(merchantWithdrawalView(row, [], now)).toMatchObject({ review: ['review_above'], status: held.status })
    const told = await stores.one.events.after('u', 0, 99)
    const events = told.map(({ data }) => JSON.parse(data) as { withdrawal_id?: string; status?: string })
    expect(events.filter(({ withdrawal_id }) => withdrawal_id === held.id).map(({ status }) => status)).toEqual([
      'pending_authorization',
    ])
    await changeWithdrawal(stores.one, held.id, { status: 'failed', step: 'ended', failure: 'cancelled' })
    expect(await ask({ amount: '5.10', key: 'key-above' })).toEqual(held)
  })

  test('an address is new until a withdrawal of this user to it has succeeded, in whatever spelling', async () => {
    const ask = asking({ review_new_address: true })
    await before('failed', ADDRESS)
    await before('processing', ADDRESS)
    await before('succeeded', ADDRESS, 'BNB Smart Chain')
    await before('succeeded', OTHER)
    expect(await ask()).toMatchObject({ status: 'pending_authorization', review: ['review_new_address'] })
    await before('succeeded', ADDRESS.toLowerCase())
    expect(await ask()).toMatchObject({ status: 'processing', review: [] })
  })

  test('a new address waits by the clock of the database; the wait is told, and nobody needs to decide', async () => {
    const ask = asking({ wait_for_new_address_s: 3600 })
    const waiting = await ask()
    expect(waiting).toMatchObject({
      status: 'pending_authorization',
      review: ['wait_for_new_address'],
      wait_until: new Date(START - 60_000 + HOUR).toISOString(),
      awaits_decision: false,
    })
    now = START + HOUR - 1
    expect(await stores.one.withdrawals.waitedLongEnough(9)).toEqual([])
    now = START + HOUR
    expect((await stores.one.withdrawals.waitedLongEnough(9)).map(({ id }) => id)).toEqual([waiting.id])
  })

  test('with a review too, both must be over', async () => {
    const ask = asking({ wait_for_new_address_s: 3600, review_above: decimal('5') })
    expect(await ask({ amount: '6' })).toMatchObject({
      review: ['review_above', 'wait_for_new_address'],
      awaits_decision: true,
    })
    now += 2 * HOUR
    expect(await stores.one.withdrawals.waitedLongEnough(9)).toEqual([])
  })

  test('the count has withdrawals of all currencies within the hours, without those that failed', async () => {
    const ask = asking({ review_more_than: { count: 2, hours: 24 } })
    await before('processing', OTHER)
    const [first, second] = [await ask(), await ask({ amount: '2' })]
    expect([first.status, second.status]).toEqual(['processing', 'processing'])
    expect((await ask({ amount: '3' })).review).toEqual(['review_more_than'])
    now += 24 * HOUR
    expect((await ask({ amount: '4' })).review).toEqual([])
    const [fifth, held] = [await ask({ amount: '5' }), await ask({ amount: '6' })]
    expect([fifth.review, held.review]).toEqual([[], ['review_more_than']])
    for (const { id } of [fifth, held])
      await changeWithdrawal(stores.one, id, { status: 'failed', step: 'ended', failure: 'cancelled' })
    expect((await ask({ amount: '7' })).review).toEqual([])
  })

  test('many at once are counted one after the other: no more than the rule allows are sent', async () => {
    const rules = { review_more_than: { count: 3, hours: 1 } } as const
    const [one, other] = [asking(rules), asking(rules, flavour === 'postgres' ? await stores.another() : stores.one)]
    const amounts = Array.from({ length: 12 }, (_item, at) => String(at + 1))
    const answers = await Promise.all(amounts.map((amount, at) => (at % 2 === 0 ? one : other)({ amount })))
    expect(answers.filter(({ status }) => status === 'processing')).toHaveLength(3)
    expect(answers.filter(({ status }) => status === 'pending_authorization')).toHaveLength(9)
    expect(calls).toHaveLength(3)
    expect((await stores.one.snapshot(checkLedger)).faults).toEqual([])
  })

  test('two at once to a new address both wait', async () => {
    const rules = { wait_for_new_address_s: 60 } as const
    const one = asking(rules)
    const other = asking(rules, flavour === 'postgres' ? await stores.another() : stores.one)
    const answers = await Promise.all([one({ amount: '1' }), other({ amount: '2' })])
    expect(answers.map(({ status }) => status)).toEqual(['pending_authorization', 'pending_authorization'])
    expect(calls).toEqual([])
  })

  /** Ends the waits that are over, of an instance with this merchant. Returns what the merchant was asked about. */
  const endWaits = async (decision: 'approve' | 'decline' | 'postpone' | null): Promise<readonly string[]> => {
    const asked: string[] = []
    const answer = (row: WithdrawalRow) => {
      asked.push(row.id)
      return Promise.resolve({ decision: decision ?? 'decline', user_message: null })
    }
    const driver = driverOf(stores.one, decision === null ? null : answer)
    for (const row of await stores.one.withdrawals.waitedLongEnough(9)) await driver.resume(row)
    return asked
  }

  test.each([
    ['approve', 'processing', { available: '99', held: '1' }],
    ['postpone', 'pending_authorization', { available: '99', held: '1' }],
    ['decline', 'failed', { available: '100', held: '0' }],
  ] as const)(
    'a merchant who keeps the books since is asked at the end of the wait, and %ss',
    async (decision, status, balance) => {
      const { id } = await asking({ wait_for_new_address_s: 60 })()
      now += 60_000
      expect(await endWaits(decision)).toEqual([id])
      expect(calls).toHaveLength(decision === 'approve' ? 1 : 0)
      expect(await stores.one.withdrawals.find(id)).toMatchObject({ status, declined_at_request: 0 })
      expect(await stores.one.ledger.balance('u', CURRENCY.id)).toMatchObject(balance)
      expect(await stores.one.withdrawals.waitedLongEnough(9)).toEqual([])
      expect((await stores.one.snapshot(checkLedger)).faults).toEqual([])
    },
  )

  test('at the end of the wait the ledger sends it, and what a person approved is sent without a question', async () => {
    const { id } = await asking({ wait_for_new_address_s: 60 })()
    now += 60_000
    expect([await endWaits(null), calls]).toEqual([[], [ADDRESS]])
    expect(await stores.one.withdrawals.find(id)).toMatchObject({ status: 'processing' })
    const held = await asking({ wait_for_new_address_s: 60, review_above: decimal('5') })({ amount: '6' })
    const row = await stores.one.withdrawals.find(held.id)
    if (row === null) throw new Error('it is gone')
    await driverOf(stores.one, null).approve(row, null, 'operator:Mira')
    now += 60_000
    expect([await endWaits('decline'), calls]).toEqual([[], [ADDRESS, ADDRESS]])
  })

  test('where the merchant decides, no rule is asked', async () => {
    const ask = asking({ review_above: decimal('0') }, stores.one, 'merchant')
    expect(await ask()).toMatchObject({ status: 'processing', review: [] })
  })
})
