import { afterEach, beforeEach, inject } from 'vitest'
import { openStore, type Store, type StoreOptions } from '../store.ts'
import { newTestDatabase, type FLAVOURS, type TestDatabase } from './test-databases.ts'

export interface Stores {
  /** The store of this test. */
  readonly one: Store
  readonly url: string
  /** Another instance on the same database, closed after the test. */
  another(): Promise<Store>
}

/** Gives each test a new database and a store on it. */
export function useStores(
  flavour: (typeof FLAVOURS)[number],
  { partitioned = false, ...options }: Partial<StoreOptions> & { readonly partitioned?: boolean } = {},
): Stores {
  let database: TestDatabase | null = null
  const open: Store[] = []

  const another = async (): Promise<Store> => {
    const store = await openStore({ url: stores.url, clock: Date.now, deliver: false, ...options })
    open.push(store)
    return store
  }

  beforeEach(async () => {
    database = await newTestDatabase(flavour, inject('postgresUrl'), { partitioned })
    await another()
  })

  afterEach(async () => {
    for (const store of open.splice(0)) await store.close()
    await database?.remove()
  })

  const stores: Stores = {
    get one() {
      const [store] = open
      if (store === undefined) throw new Error('a store is open only inside a test')
      return store
    },
    get url() {
      return database?.url ?? ''
    },
    another,
  }
  return stores
}
