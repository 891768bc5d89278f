/**
 * One value that all tabs of a browser share, in IndexedDB. What a tab puts into `localStorage` reaches another tab late,
 * and of two tabs that write at once one loses what it wrote. Here a change reads, decides and writes in one transaction,
 * and the next one, of whichever tab, begins after it.
 */
export interface WithdrawalKeyStore {
  /**
   * Stores what `change` makes of the value; null leaves it as it is. `change` runs once, or not at all.
   * @throws where the browser denies storage, or it fails
   */
  readonly update: (change: (stored: unknown) => unknown) => Promise<void>
}

const DATABASE = 'cashier'
const OBJECTS = 'withdrawal-keys'
const RECORD = 'all'

/** `factory` is called late: a browser that denies storage may throw at the mere access. */
export function createWithdrawalKeyStore(factory: () => IDBFactory): WithdrawalKeyStore {
  let opened: Promise<IDBDatabase> | null = null

  const open = (): Promise<IDBDatabase> =>
    new Promise((resolve, reject) => {
      const request = factory().open(DATABASE, 1)
      request.onupgradeneeded = () => request.result.createObjectStore(OBJECTS)
      request.onerror = () => reject(reasonOf(request.error))
      request.onsuccess = () => {
        const database = request.result
        // The user had the browser delete what sites store.
        database.onclose = () => {
          opened = null
        }
        database.onversionchange = () => {
          database.close()
          opened = null
        }
        resolve(database)
      }
    })

  return {
    update: async (change) => {
      opened ??= open()
      const database = await opened.catch((error: unknown) => {
        opened = null
        throw error
      })
      await new Promise<void>((resolve, reject) => {
        const transaction = database.transaction(OBJECTS, 'readwrite', { durability: 'strict' })
        const objects = transaction.objectStore(OBJECTS)
        const read = objects.get(RECORD)
        read.onsuccess = () => {
          const next = change(read.result)
          if (next !== null) objects.put(next, RECORD)
        }
        transaction.oncomplete = () => resolve()
        transaction.onabort = () => reject(reasonOf(transaction.error))
      })
    },
  }
}

const reasonOf = (error: DOMException | null): Error => error ?? new Error('the browser gave no reason')
