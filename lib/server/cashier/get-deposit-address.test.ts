import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { Currency } from '#lib/contract/cashier.ts'
import { createCircuit } from '../gateway/circuit.ts'
import type { Gateway } from '../gateway/types.ts'
import type { CashierSession } from '../store/types.ts'
import { eraseUser } from '../store/commands/erase-user.ts'
import { FLAVOURS } from '../store/testing/test-databases.ts'
import { useStores } from '../store/testing/use-stores.ts'
import { createCurrencyCache } from './currency-cache.ts'
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
        ...stores.one,
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

  test('shares a commit with those that come at the same time, and a failing one affects no other', async () => {
    const { one } = stores
    const users = ['ann', 'bob', 'eve']
    for (const user of users) await one.users.ensure(user, 0)
    const groups: number[] = []
    const calls: (() => void)[] = []
    const getAddress = createGetDepositAddress({
      store: {
        ...one,
        transaction: (work) =>
          one.transaction((tx) =>
            work({
              ...tx,
              addresses: {
                ...tx.addresses,
                saveFirst(rows) {
                  groups.push(rows.length)
                  if (rows.some(({ user_reference_id }) => user_reference_id === 'eve')) throw new Error('eve')
                  return tx.addresses.saveFirst(rows)
                },
              },
            }),
          ),
      },
      gateway: {
        // The gateway answers all of them at once.
        async createDepositAddress({ user_reference }) {
          await new Promise<void>((resolve) => {
            calls.push(resolve)
            if (calls.length === users.length) for (const answer of calls) answer()
          })
          return { address: `of-${user_reference}`, currency: 'COIN', network: 'Unchecked' }
        },
      },
      currencies: {
        forSession: (_session, id) => Promise.resolve({ id, currency_code: 'COIN', network: 'Unchecked' } as never),
      },
      clock: () => 0,
    })
    const asked = await Promise.allSettled(
      users.map((user) => getAddress({ user_reference_id: user } as CashierSession, { currency_id: 'c2' })),
    )
    expect(groups).toEqual([3, 1, 1, 1])
    expect(asked.map((one) => (one.status === 'fulfilled' ? one.value.address : 'failed'))).toEqual([
      'of-ann',
      'of-bob',
      'failed',
    ])
    expect((await one.addresses.find('ann', 'c2'))?.address).toBe('of-ann')
    expect(await one.addresses.find('eve', 'c2')).toBeNull()
  })

  test('of a user who is erased while the gateway is asked is not stored: no backup would pass its check', async () => {
    const { one } = stores
    await one.users.ensure('ann', 0)
    const getAddress = createGetDepositAddress({
      store: one,
      gateway: {
        async createDepositAddress() {
          expect(await eraseUser(one, 'ann', 'erased_1', Date.now)).toMatchObject({ outcome: 'erased' })
          return { address: 'of-ann', currency: 'COIN', network: 'Unchecked' }
        },
      },
      currencies: {
        forSession: (_session, id) => Promise.resolve({ id, currency_code: 'COIN', network: 'Unchecked' } as never),
      },
      clock: () => 0,
    })
    await expect(getAddress(SESSION, { currency_id: 'c1' })).rejects.toMatchObject({ code: 'session_ended' })
    expect(await one.addresses.find('ann', 'c1')).toBeNull()
  })

  test('of a network that its currency loses while the address is stored is not kept', async () => {
    const { one } = stores
    const other = flavour === 'postgres' ? await stores.another() : one
    await one.users.ensure('ann', 0)
    const tron = { id: 'c1', currency_code: 'USDT', name: 'Tether', symbol: '₮', network: 'Tron' }
    const list = (currency: Currency) => {
      const gateway = { listCurrencies: () => Promise.resolve([currency]) } as Partial<Gateway> as Gateway
      const circuit = createCircuit(() => 0)
      return createCurrencyCache({ store: other, gateway, circuit, clock: () => 0 }).refresh()
    }
    await list(tron)
    let listed: Promise<unknown> = Promise.resolve()
    const getAddress = createGetDepositAddress({
      store: {
        ...one,
        transaction: (work) =>
          one.transaction((tx) => {
            const saveFirst: typeof tx.addresses.saveFirst = async (rows) => {
              // Another instance reads the list between the check of the address and its commit.
              listed = list({ ...tron, network: 'Ethereum' })
              if (flavour === 'postgres') await Promise.race([listed, sleep(500)])
              return tx.addresses.saveFirst(rows)
            }
            return work({ ...tx, addresses: { ...tx.addresses, saveFirst } })
          }),
      },
      gateway: {
        createDepositAddress: () =>
          Promise.resolve({ address: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8', currency: 'USDT', network: 'Tron' }),
      },
      currencies: { forSession: () => Promise.resolve(tron) },
      clock: () => 0,
    })
    await getAddress(SESSION, { currency_id: 'c1' })
    await listed
    expect(await one.addresses.find('ann', 'c1')).toBeNull()
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
