import type { Store } from '../types.ts'

/** The store, but something else happens in each of its transactions between reading and writing. */
export const beforeSave = (store: Store, happens: () => Promise<unknown>): Store => ({
  ...store,
  transaction: (work) =>
    store.transaction((tx) =>
      work({
        ...tx,
        async save(unit) {
          await happens()
          await tx.save(unit)
        },
      }),
    ),
})
