import { describe, expect, test } from 'vitest'
import type { CashierSession } from '../store/types.ts'
import { FLAVOURS } from '../store/testing/test-databases.ts'
import { useStores } from '../store/testing/use-stores.ts'
import { createGetDepositAddress } from './get-deposit-address.ts'

const SESSION = { user_reference_id: 'ann' } as CashierSession

describe.each(FLAVOURS)('a deposit address on %s', (flavour) => {
  const stores = useStores(flavour)

  test('is asked for once, also if a request reads the store before another has stored the address', async () => {
    const { addresses } = stores.one
    await stores.one.users.ensure('ann', 0)
    let reads = 0
    let calls = 0
    let stored = (): void => undefined
    const firstIsStored = new Promise<void>((resolve) => {
      stored = resolve
    })
    const getAddress = createGetDepositAddress({
      store: {
        addresses: {
          ...addresses,
          async find(user, currencyId) {
            const found = await addresses.find(user, currencyId)
            // The second request continues with an outdated read.
            if ((reads += 1) === 2) await firstIsStored
            return found
          },
        },
      },
      gateway: {
        createDepositAddress: () => {
          calls += 1
          return Promise.resolve({ address: `address-${String(calls)}`, currency: 'COIN', network: 'Unchecked' })
        },
      },
      currencies: {
        forSession: (_session, id) => Promise.resolve({ id, currency_code: 'COIN', network: 'Unchecked' } as never),
      },
      clock: () => 0,
    })
    const ask = () => getAddress(SESSION, { currency_id: 'c1' })
    const first = ask()
    const second = ask()
    await first
    stored()
    expect([await second, await ask()]).toEqual([await first, await first])
    expect(calls).toBe(1)
  })

  test('is shown apart from its tag, also if both were stored as one text', async () => {
    await stores.one.users.ensure('ann', 0)
    const address = 'rEb8TK3gBgk5auZkwc6sHnwrGVJH8DuaLh?dt=7'
    const xrp = { currency: 'XRP', network: 'XRP Ledger' }
    const getAddress = createGetDepositAddress({
      store: stores.one,
      gateway: { createDepositAddress: () => Promise.resolve({ address, ...xrp }) },
      currencies: {
        forSession: (_session, id) => Promise.resolve({ id, currency_code: 'XRP', network: 'XRP Ledger' } as never),
      },
      clock: () => 0,
    })
    const apart = { address: 'rEb8TK3gBgk5auZkwc6sHnwrGVJH8DuaLh', tag: '7', ...xrp }
    expect(await getAddress(SESSION, { currency_id: 'xrp' })).toEqual(apart)
    expect(await getAddress(SESSION, { currency_id: 'xrp' })).toEqual(apart)
    expect((await stores.one.addresses.find('ann', 'xrp'))?.address).toBe(address)
  })
})
