import type { Store } from '../types.ts'

/** A store in which `happens` runs in each transaction between reading and writing. */
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
