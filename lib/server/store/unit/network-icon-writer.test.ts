import { describe, expect, test } from 'vitest'
import { sampleCurrency } from '../testing/sample-rows.ts'
import { seed } from '../testing/seed.ts'
import type { Store } from '../store.ts'
import { FLAVOURS } from '../testing/test-databases.ts'
import { useStores } from '../testing/use-stores.ts'

const MINUTE = 60_000

describe.each(FLAVOURS)('%s', (flavour) => {
  let now = 1_000_000
  const stores = useStores(flavour, { clock: () => now })

  const learn = async (store: Store, network_icon: string): Promise<string | undefined> => {
    await seed(store, { currencies: [{ ...sampleCurrency, network_icon }] })
    return (await store.currencies.byId(sampleCurrency.id))?.network_icon
  }

  test('the last icon counts, even if it was stored before', async () => {
    const icons = ['a', 'a', 'b', 'a', 'a', 'b', 'b', 'a']
    const stored = []
    for (const icon of icons) stored.push(await learn(stores.one, icon))
    expect(stored).toEqual(icons)
  })

  test('an icon that another instance has changed is written again after a minute', async () => {
    const { one } = stores
    const other = await stores.another()
    for (const icon of ['a', 'a']) await learn(one, icon)
    expect(await learn(other, 'b')).toBe('b')
    now += MINUTE
    expect(await learn(one, 'a')).toBe('a')
  })

  test("the gateway's list, which has no network icons, removes none", async () => {
    const { one } = stores
    await learn(one, 'a')
    await one.currencies.replaceListed([sampleCurrency], now)
    expect(await one.currencies.byId(sampleCurrency.id)).toMatchObject({ network_icon: 'a', listed: true })
  })
})
