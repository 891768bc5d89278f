import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Currency } from '#lib/contract/cashier.ts'
import type { Gateway } from '../gateway/port.ts'
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

test('an icon that is lent to other currencies of its network is replaced with the own one, also while the gateway is away', async () => {
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
