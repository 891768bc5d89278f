import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Currency } from '#lib/contract/cashier.ts'
import type { Gateway } from '../gateway/types.ts'
import { openStore, type Store } from '../store/store.ts'
import { sampleCurrency } from '../store/testing/sample-rows.ts'
import { seed } from '../store/testing/seed.ts'
import { createCurrencyCache } from './currency-cache.ts'

let store: Store
beforeEach(async () => {
  store = await openStore({ url: 'file::memory:', clock: () => 1, deliver: false })
})
afterEach(() => store.close())

const OLD = 'https://i.example/old.svg'
const NEW = 'https://i.example/new.svg'
const TRX: Currency = { ...sampleCurrency, id: 'c2', currency_code: 'TRX' }

test('a currency’s own icon replaces an icon lent by another currency, also while the gateway is down', async () => {
  let isDown = false
  const gateway = { listCurrencies: () => Promise.resolve([sampleCurrency, TRX]) } as Partial<Gateway> as Gateway
  const circuit = { run: <T>(work: () => Promise<T>) => work(), isDown: () => isDown }
  const iconsAfter = async (network_icon: string) => {
    await seed(store, { currencies: [{ ...sampleCurrency, network_icon }] })
    await createCurrencyCache({ store, gateway, circuit, clock: () => 1 }).refresh()
    isDown = true
    const list = await createCurrencyCache({ store, gateway, circuit, clock: () => 1 }).list()
    return list.map((currency) => currency.network_icon)
  }
  expect(await iconsAfter(OLD)).toEqual([OLD, OLD])
  expect(await iconsAfter(OLD)).toEqual([OLD, OLD])
  expect(await iconsAfter(NEW)).toEqual([NEW, NEW])
  expect(await iconsAfter(NEW)).toEqual([NEW, NEW])
})

test('`known` reads the list without asking the gateway', async () => {
  let now = 1_000_000
  let calls = 0
  const listCurrencies = () => {
    calls += 1
    return Promise.resolve([TRX])
  }
  const gateway = { listCurrencies } as Partial<Gateway> as Gateway
  const circuit = { run: <T>(work: () => Promise<T>) => work(), isDown: () => false }
  const cache = createCurrencyCache({ store, gateway, circuit, clock: () => now })
  expect(await cache.known()).toEqual([])
  expect(calls).toBe(0)
  await cache.refresh()
  for (const ms of [1_000_000, 9_000_000]) {
    now = ms
    expect(await cache.known()).toEqual([TRX])
  }
  expect(calls).toBe(1)
})

test('the gateway is asked for the list again after ten seconds, and after the clock was set back', async () => {
  let now = 1_000_000
  let calls = 0
  const listCurrencies = () => {
    calls += 1
    return Promise.resolve([TRX])
  }
  const gateway = { listCurrencies } as Partial<Gateway> as Gateway
  const circuit = { run: <T>(work: () => Promise<T>) => work(), isDown: () => false }
  const cache = createCurrencyCache({ store, gateway, circuit, clock: () => now })
  const callsAt = async (ms: number) => {
    now = ms
    await cache.list()
    return calls
  }
  expect(await callsAt(1_000_000)).toBe(1)
  expect(await callsAt(1_009_999)).toBe(1)
  expect(await callsAt(1_010_000)).toBe(2)
  expect(await callsAt(500_000)).toBe(3)
  expect(await callsAt(500_001)).toBe(3)
})
