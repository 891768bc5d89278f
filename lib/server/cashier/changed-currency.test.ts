import { beforeEach, describe, expect, test } from 'vitest'
import type { Currency } from '#lib/contract/cashier.ts'
import { decimal } from '#lib/contract/money.ts'
import { createCircuit } from '../gateway/circuit.ts'
import type { Gateway } from '../gateway/types.ts'
import type { CashierSession, Store } from '../store/types.ts'
import { sampleCurrency, sampleFact, sampleWithdrawal } from '../store/testing/sample-rows.ts'
import { applyOneFact, seed } from '../store/testing/seed.ts'
import { FLAVOURS } from '../store/testing/test-databases.ts'
import { useStores } from '../store/testing/use-stores.ts'
import { createCurrencyCache } from './currency-cache.ts'
import { createGetDepositAddress, knownDepositAddress } from './get-deposit-address.ts'
import { listBalances } from './list-balances.ts'
import { listCurrencies } from './list-currencies.ts'
import { createRequestWithdrawal } from './request-withdrawal.ts'
import { createWithdrawalSteps, type WithdrawalSteps } from './withdrawal-steps.ts'

const USDT: Currency = sampleCurrency
const ETH: Currency = { id: USDT.id, name: 'Ether', currency_code: 'ETH', symbol: 'Ξ', network: 'Ethereum' }
const BTC: Currency = { id: USDT.id, name: 'Bitcoin', currency_code: 'BTC', symbol: '₿', network: 'Bitcoin' }
const OTHER: Currency = { ...USDT, id: 'c2', currency_code: 'TRX' }
const SESSION = { user_reference_id: 'u', currency_ids: null } as CashierSession
const USDT_ADDRESS = { address: 'TAddress', currency: 'USDT', network: 'Tron' }

describe.each(FLAVOURS)('an id that the gateway gives to another currency, on %s', (flavour) => {
  const stores = useStores(flavour)
  let now: number
  let list: readonly Currency[]

  const gateway = { listCurrencies: () => Promise.resolve(list) } as Partial<Gateway> as Gateway
  const cacheOn = (store: Store) =>
    createCurrencyCache({ store, gateway, circuit: createCircuit(() => now), clock: () => now })
  const open = () => stores.one.quarantine.list({ reason: 'contradiction', settled: false, after: 0, limit: 9 })
  const dismiss = async () => {
    for (const { id } of await open()) await stores.one.quarantine.settle(id, { by: 'merchant', now })
  }
  const balances = () => listBalances(stores.one, 'embedded', 'u')
  const offeredBy = async (store: Store) => (await listCurrencies(cacheOn(store), SESSION)).map((each) => each.id)

  beforeEach(async () => {
    now = 1_000_000
    list = [USDT, OTHER]
    await stores.one.users.ensure('u', 0)
    await cacheOn(stores.one).refresh()
    await seed(stores.one, {
      bookings: [
        {
          booking: 'credit',
          posting_key: 'credit:1',
          user_reference_id: 'u',
          currency_id: USDT.id,
          amount: decimal('100'),
        },
      ],
    })
    await stores.one.addresses.saveFirst([
      { user_reference_id: 'u', currency_id: USDT.id, ...USDT_ADDRESS, created_ms: now },
    ])
  })

  test('a currency under a new id is reported once, while a user has money under the old id', async () => {
    list = [{ ...USDT, id: 'c9' }, OTHER]
    await cacheOn(stores.one).refresh()
    await cacheOn(stores.one).refresh()
    expect((await open()).map(({ transaction_uuid }) => transaction_uuid)).toEqual([`currency ${USDT.id}`])
    list = [
      { ...USDT, id: 'c9' },
      { ...OTHER, id: 'c10' },
    ]
    await cacheOn(stores.one).refresh()
    expect(await open()).toHaveLength(1)
  })

  test('a deposit that is credited under the old id later is reported, again after a dismissal', async () => {
    list = [USDT, { ...OTHER, id: 'c10' }]
    const { refresh } = cacheOn(stores.one)
    await refresh()
    expect(await open()).toEqual([])
    const { id: currency_id, currency_code } = OTHER
    await applyOneFact(stores.one, sampleFact({ currency_id, currency_code, status: 'succeeded' }))
    for (let dismissed = 0; dismissed < 2; dismissed += 1) {
      await refresh()
      await refresh()
      expect((await open()).map(({ transaction_uuid }) => transaction_uuid)).toEqual([`currency ${OTHER.id}`])
      await dismiss()
    }
    await seed(stores.one, {
      bookings: [
        {
          booking: 'adjustment',
          posting_key: 'adjustment:moved',
          user_reference_id: 'u',
          currency_id,
          amount: decimal('-1'),
        },
      ],
    })
    await refresh()
    expect(await open()).toEqual([])
  })

  test('is not offered, by any instance, and keeps its names until a person dismisses the one report', async () => {
    const another = await stores.another()
    const caches = [cacheOn(stores.one), cacheOn(another)]
    const [first, second] = caches as [(typeof caches)[0], (typeof caches)[0]]
    for (const cache of caches) await cache.refresh()

    list = [ETH, OTHER]
    await first.refresh()
    // The second instance still has its list of a moment ago.
    for (const cache of caches)
      await expect(cache.forSession(SESSION, USDT.id)).rejects.toMatchObject({ code: 'not_found' })
    await Promise.all([first.refresh(), second.refresh(), cacheOn(stores.one).refresh(), cacheOn(another).refresh()])
    for (const cache of caches) {
      expect((await cache.list()).map(({ id }) => id)).toEqual([OTHER.id])
      await expect(cache.forSession(SESSION, USDT.id)).rejects.toMatchObject({ code: 'not_found' })
      expect(await cache.forSession(SESSION, OTHER.id)).toMatchObject(OTHER)
    }
    expect(await knownDepositAddress(another, SESSION, USDT.id)).toBeNull()
    expect(await balances()).toMatchObject([{ currency_id: USDT.id, currency_code: 'USDT', network: 'Tron' }])
    const reports = await open()
    expect(reports).toMatchObject([{ user_reference_id: null, event_name: null }])
    expect(JSON.parse(reports[0]!.event)).toEqual({ stored: USDT, listed: ETH })

    await dismiss()
    await second.refresh()
    expect(await second.forSession(SESSION, USDT.id)).toMatchObject(ETH)
    expect(await balances()).toMatchObject([{ currency_id: USDT.id, currency_code: 'ETH', network: 'Ethereum' }])
    for (const cache of [...caches, cacheOn(another)]) await cache.refresh()
    expect(await open()).toEqual([])
  })

  test('is not offered after a restart either, also while the gateway is down', async () => {
    list = [ETH, OTHER]
    await cacheOn(stores.one).refresh()
    const another = await stores.another()
    const down = createCurrencyCache({
      store: another,
      gateway: { listCurrencies: () => Promise.reject(new Error('down')) } as Partial<Gateway> as Gateway,
      circuit: createCircuit(() => now),
      clock: () => now,
    })
    expect((await down.list()).map(({ id }) => id)).toEqual([OTHER.id])
    expect((await down.known()).map(({ id }) => id)).toEqual([OTHER.id])
    await dismiss()
    // Nobody has heard yet what the id means now.
    expect((await down.list()).map(({ id }) => id)).toEqual([OTHER.id])
  })

  test('gets a new deposit address with its new meaning', async () => {
    const cache = cacheOn(stores.one)
    const getAddress = createGetDepositAddress({
      store: stores.one,
      gateway: {
        createDepositAddress: () =>
          Promise.resolve({
            address: '0x52908400098527886E0F7030069857D2E4169EE7',
            currency: 'ETH',
            network: 'Ethereum',
          }),
      },
      currencies: cache,
      clock: () => now,
    })
    const ask = () => getAddress(SESSION, { currency_id: USDT.id })
    expect(await ask()).toMatchObject(USDT_ADDRESS)
    list = [ETH, OTHER]
    await cache.refresh()
    await expect(ask()).rejects.toMatchObject({ code: 'not_found' })
    await dismiss()
    await cache.refresh()
    expect(await ask()).toMatchObject({ currency: 'ETH', network: 'Ethereum' })
  })

  test('gets a new deposit address with another network: a transfer to the old one would be lost', async () => {
    const cache = cacheOn(stores.one)
    const createDepositAddress = () =>
      Promise.resolve({
        address: '0x52908400098527886E0F7030069857D2E4169EE7',
        currency: 'USDT',
        network: 'Ethereum',
      })
    const getAddress = createGetDepositAddress({
      ...{ store: stores.one, gateway: { createDepositAddress }, currencies: cache, clock: () => now },
    })
    list = [{ ...USDT, network: 'Ethereum' }, OTHER]
    await cache.refresh()
    const known = await knownDepositAddress(stores.one, SESSION, USDT.id)
    expect([known, await getAddress(SESSION, { currency_id: USDT.id })]).toMatchObject([null, { network: 'Ethereum' }])
  })

  test('keeps no deposit address that was asked for before its network changed', async () => {
    await stores.one.transaction((tx) => tx.addresses.deleteOf([USDT.id]))
    const ETHEREUM = { address: '0x52908400098527886E0F7030069857D2E4169EE7', currency: 'USDT', network: 'Ethereum' }
    const cache = cacheOn(stores.one)
    const createDepositAddress = async () => {
      if (list[0]?.network === 'Ethereum') return ETHEREUM
      list = [{ ...USDT, network: 'Ethereum' }, OTHER]
      await cache.refresh()
      return { ...USDT_ADDRESS, address: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8' }
    }
    const getAddress = createGetDepositAddress({
      ...{ store: stores.one, gateway: { createDepositAddress }, currencies: cache, clock: () => now },
    })
    const ask = () => getAddress(SESSION, { currency_id: USDT.id })
    await expect(ask()).rejects.toMatchObject({ code: 'gateway_unavailable' })
    expect(await ask()).toEqual(ETHEREUM)
  })

  test('waits for the person also when the list goes back to the old meaning, which then holds', async () => {
    list = [ETH, OTHER]
    await cacheOn(stores.one).refresh()
    list = [USDT, OTHER]
    expect(await offeredBy(stores.one)).toEqual([OTHER.id])
    await dismiss()
    expect(await offeredBy(stores.one)).toEqual([USDT.id, OTHER.id])
    expect(await balances()).toMatchObject([{ currency_code: 'USDT' }])
    expect(await open()).toEqual([])
    expect(await stores.one.addresses.find('u', USDT.id)).toEqual(USDT_ADDRESS)
  })

  test('has one open report, about its newest meaning; a dismissal holds for the reported meaning alone', async () => {
    for (list of [[ETH], [BTC], [BTC]]) await cacheOn(stores.one).refresh()
    const reports = await open()
    expect(reports.map(({ event }) => JSON.parse(event) as unknown)).toEqual([{ stored: USDT, listed: BTC }])
    await dismiss()
    list = [ETH]
    expect(await offeredBy(stores.one)).toEqual([])
    expect((await open()).map(({ event }) => JSON.parse(event) as unknown)).toEqual([{ stored: USDT, listed: ETH }])
  })

  test('is not taken while money is held for a withdrawal of the old currency: it may come back', async () => {
    const owner = { user_reference_id: 'u', currency_id: USDT.id, amount: decimal('40') }
    const withdrawal = sampleWithdrawal({ amount: owner.amount, called_ms: now, transaction_uuid: 'p' })
    await seed(stores.one, {
      bookings: [{ ...owner, booking: 'hold', posting_key: 'hold:w1' }],
      withdrawals: [withdrawal],
    })
    list = [ETH, OTHER]
    for (let at = 0; at < 2; at += 1) {
      await cacheOn(stores.one).refresh()
      expect(await open()).toHaveLength(1)
      await dismiss()
    }
    expect(await offeredBy(stores.one)).toEqual([OTHER.id])
    await applyOneFact(stores.one, sampleFact({ ...owner, kind: 'payout', transaction_uuid: 'p', status: 'failed' }))
    expect(await balances()).toMatchObject([{ currency_code: 'USDT', available: '100', held: '0' }])
    await dismiss()
    expect(await offeredBy(stores.one)).toEqual([USDT.id, OTHER.id])
    expect(await open()).toEqual([])
  })

  test('is not paid out by a withdrawal that was recorded before', async () => {
    let calls = 0
    const withdraw = () => Promise.reject(new Error(`call ${String((calls += 1))}`))
    const steps = createWithdrawalSteps({
      store: stores.one,
      gateway: { withdraw, clockOffsetMs: () => null } as Partial<Gateway> as Gateway,
      instance: 'one',
      askMerchant: () => Promise.resolve({ decision: 'approve', user_message: null }),
      uptimeMs: () => 0,
      onFault: () => undefined,
    })
    const asking = sampleWithdrawal({ id: 'w1', step: 'authorizing', status: 'pending_authorization', funds: 'none' })
    const pending = sampleWithdrawal({ ...asking, id: 'w2', idempotency_key: 'key-2', step: 'pending', driver: null })
    const untouched = { ...pending, id: 'w3', idempotency_key: 'key-3', wallet_address: 'b', address_key: 'b' } as const
    await seed(stores.one, { withdrawals: [asking, pending, untouched] })
    list = [ETH, OTHER]
    await cacheOn(stores.one).refresh()
    expect(await steps.authorize(asking, true)).toMatchObject({ status: 'failed', failure: 'declined' })
    await expect(steps.approve(pending, null)).rejects.toMatchObject({ code: 'conflict' })
    await dismiss()
    await cacheOn(stores.one).refresh()
    await expect(steps.approve(pending, null)).rejects.toMatchObject({ code: 'conflict' })
    expect(await steps.decline(pending, null, false)).toMatchObject({ status: 'failed' })
    expect(calls).toBe(0)
    // On another network the address may be nobody's.
    list = [{ ...USDT, network: 'Ethereum' }]
    await cacheOn(stores.one).refresh()
    await expect(steps.approve(untouched, null)).rejects.toMatchObject({ code: 'conflict' })
    expect(calls).toBe(0)
    list = [{ ...USDT, network: 'TRC20' }]
    await cacheOn(stores.one).refresh()
    expect(await steps.approve(untouched, null)).toMatchObject({ status: 'unknown' })
    expect(calls).toBe(1)
  })

  test('is not withdrawn by a request that found it before another instance read the new list', async () => {
    const cache = cacheOn(stores.one)
    const found = async (session: CashierSession, id: string): Promise<Currency> => {
      const currency = await cache.forSession(session, id)
      list = [ETH, OTHER]
      await cacheOn(stores.one).refresh()
      return currency
    }
    const steps = { uptimeMs: () => 0, call: () => Promise.reject(new Error('called')) }
    const request = createRequestWithdrawal({
      ...{ store: stores.one, instance: 'one', ledgerMode: 'embedded', newId: () => 'w1', mostAMinute: Infinity },
      ...{ waitMs: 0, sleep: () => Promise.resolve() },
      currencies: { ...cache, forSession: found },
      driver: steps as Partial<WithdrawalSteps> as WithdrawalSteps,
    })
    const input = { currency_id: USDT.id, amount: decimal('40'), wallet_address: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8' }
    await expect(request(SESSION, input, 'key')).rejects.toMatchObject({ code: 'not_found' })
    expect(await balances()).toMatchObject([{ available: '100', held: '0' }])
  })

  test('of two exchanged ids neither is offered, and what waits for the merchant can only be declined', async () => {
    const pending = sampleWithdrawal({ id: 'w1', step: 'pending', status: 'pending_authorization', funds: 'none' })
    await seed(stores.one, { withdrawals: [pending] })
    list = [
      { ...OTHER, id: USDT.id },
      { ...USDT, id: OTHER.id },
    ]
    await cacheOn(stores.one).refresh()
    expect(await open()).toHaveLength(2)
    expect([await offeredBy(stores.one), await balances()]).toMatchObject([[], [{ currency_code: 'USDT' }]])
    await dismiss()
    await cacheOn(stores.one).refresh()
    expect(await offeredBy(stores.one)).toEqual([USDT.id, OTHER.id])
    const steps = createWithdrawalSteps({
      store: stores.one,
      gateway: { withdraw: () => Promise.reject(new Error('called')) } as Partial<Gateway> as Gateway,
      instance: 'one',
      askMerchant: () => Promise.resolve({ decision: 'approve', user_message: null }),
      uptimeMs: () => 0,
      onFault: () => undefined,
    })
    await expect(steps.approve(pending, null)).rejects.toMatchObject({ code: 'conflict' })
  })

  test('that is only renamed, in part or by case, is offered under its new names', async () => {
    for (const renamed of [
      { ...USDT, currency_code: 'USDT0' },
      { ...USDT, currency_code: 'usdt0', network: 'TRC20' },
      { ...USDT, currency_code: 'USDT', network: 'trc20' },
    ]) {
      list = [renamed, OTHER]
      await cacheOn(stores.one).refresh()
      expect(await stores.one.currencies.byId(USDT.id)).toEqual({ ...renamed, listed: true })
    }
    expect(await open()).toEqual([])
  })
})
