import { describe, expect, test } from 'vitest'
import type { LedgerMode } from '../ledger/accounts.ts'
import { FLAVOURS } from '../store/testing/test-databases.ts'
import { useStores } from '../store/testing/use-stores.ts'
import type { Store } from '../store/types.ts'
import { BooksError, checkBooks, keepBooks } from './keep-books.ts'

const LONG_MS = 100_000

describe.each(FLAVOURS)('%s', (flavour) => {
  const stores = useStores(flavour)

  /** Starts an instance; returns its warnings. */
  const start = async (
    store: Store,
    mode: LedgerMode,
    instance: string,
    sleep: () => Promise<unknown> = () => Promise.resolve(),
  ): Promise<readonly string[]> => {
    const warnings: string[] = []
    await keepBooks({ store, mode, instance, sleep, log: { warn: (_fields, message) => void warnings.push(message) } })
    return warnings
  }

  test('the first start stores who keeps the books, and a later one may change it', async () => {
    const { one } = stores
    expect(await one.reconciliation.books()).toBeNull()
    expect(await start(one, 'merchant', 'a')).toEqual([])
    expect(await start(one, 'merchant', 'a')).toEqual([])
    expect(await one.reconciliation.books()).toBe('merchant')
    await one.leases.releaseAll('a')
    expect(await start(one, 'embedded', 'b')).toEqual(['the cashier keeps the ledger from now on'])
    expect(await one.reconciliation.books()).toBe('embedded')
  })

  test('an instance ends after others have changed it', async () => {
    const { one } = stores
    await start(one, 'merchant', 'a')
    await checkBooks(one, 'merchant')
    await one.leases.releaseAll('a')
    await start(one, 'embedded', 'b')
    await expect(checkBooks(one, 'merchant')).rejects.toThrow(BooksError)
  })
})

describe('beside others', () => {
  const stores = useStores('postgres')
  const waits: string[] = []
  const log = { warn: (_fields: object, message: string) => void waits.push(message) }
  const start = (store: Store, mode: LedgerMode, instance: string, sleep: () => Promise<unknown>): Promise<void> =>
    keepBooks({ store, mode, instance, sleep, log })
  const noWait = (): Promise<void> => Promise.resolve()

  test('an instance with another setting does not start, and leaves nothing', async () => {
    const { one } = stores
    await start(one, 'merchant', 'a', noWait)
    await one.leases.keepAlive('a', LONG_MS)
    const other = start(await stores.another(), 'embedded', 'b', noWait)
    await expect(other).rejects.toThrow(
      'MERCHANT_AUTHORIZE_URL is not set here, but with the instances of this database the merchant keeps the ledger: stop all of them before a change',
    )
    expect([await one.reconciliation.books(), await one.leases.liveInstances()]).toEqual(['merchant', ['a']])
    await start(await stores.another(), 'merchant', 'c', noWait)
  })

  test('one that wakes up after a change writes nothing, even before it ends', async () => {
    const woken = await stores.another()
    await start(woken, 'merchant', 'frozen', noWait)
    await stores.one.leases.releaseAll('frozen')
    await start(stores.one, 'embedded', 'b', noWait)
    const late = woken.transaction((tx) => tx.users.insertIfMissing('u', tx.now))
    await expect(late).rejects.toThrow('have changed who keeps the ledger')
    await stores.one.transaction((tx) => tx.users.insertIfMissing('u', tx.now))
    await stores.one.leases.releaseAll('b')
    // The same setting again.
    await start(await stores.another(), 'merchant', 'c', noWait)
    await woken.transaction((tx) => tx.users.insertIfMissing('u', tx.now))
  })

  test('one that was killed is waited for', async () => {
    const { one } = stores
    await start(one, 'merchant', 'killed', noWait)
    await one.leases.keepAlive('killed', LONG_MS)
    waits.length = 0
    // Its lease ends during the wait.
    await start(await stores.another(), 'embedded', 'b', () => one.leases.releaseAll('killed'))
    expect(waits).toEqual([
      'other instances have another keeper of the ledger: the start waits until they have ended',
      'the cashier keeps the ledger from now on',
    ])
    expect(await one.reconciliation.books()).toBe('embedded')
  })

  test('of two that start at once with different settings, one starts', async () => {
    const both = [stores.one, await stores.another()].map((store, at) =>
      start(store, at === 0 ? 'merchant' : 'embedded', `i${at}`, noWait),
    )
    const ends = await Promise.allSettled(both)
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  test('several that start at once with a new setting all start, also after a wait for one that was killed', async () => {
    const { one } = stores
    await start(one, 'merchant', 'killed', noWait)
    const several = async (mode: LedgerMode): Promise<void> => {
      let waiting = 0
      const all = [one, await stores.another(), await stores.another()]
      const ended = Promise.withResolvers<undefined>()
      const allWait = async (): Promise<void> => {
        waiting += 1
        if (waiting < all.length) return ended.promise
        await one.leases.releaseAll('killed')
        ended.resolve(undefined)
      }
      await one.leases.keepAlive('killed', LONG_MS)
      await Promise.all(all.map((store, at) => start(store, mode, `${mode}${at}`, allWait)))
      expect(await one.reconciliation.books()).toBe(mode)
      for (const at of all.keys()) await one.leases.releaseAll(`${mode}${at}`)
    }
    await several('embedded')
    await several('merchant')
  })
})

describe('a SQLite file', () => {
  const stores = useStores('sqlite')

  test('has one instance, so the one before it has ended', async () => {
    const { one } = stores
    await one.leases.keepAlive('killed', LONG_MS)
    await one.reconciliation.keepBooks('merchant', 'killed')
    const sleep = (): Promise<never> => Promise.reject(new Error('waited'))
    await keepBooks({ store: one, mode: 'embedded', instance: 'b', sleep, log: { warn: () => undefined } })
    expect(await one.reconciliation.books()).toBe('embedded')
  })
})
