/**
 * One value that all tabs of a browser share, in IndexedDB. With `localStorage`, other tabs would see a change late,
 * and if two tabs wrote at once, one change would be lost. Here a change reads, decides and writes in one transaction,
 * and the next transaction of any tab begins after it.
 */
export interface WithdrawalKeyStore {
  /**
   * Stores the result of `change`; null leaves the value unchanged. `change` runs at most once.
   * @throws if the browser denies storage, or the transaction fails
   */
  readonly update: (change: (stored: unknown) => unknown) => Promise<void>
}

const DATABASE = 'cashier'
const OBJECTS = 'withdrawal-keys'
const RECORD = 'all'

/** `factory` is called late, because even access may throw in a browser that denies storage. */
export function createWithdrawalKeyStore(factory: () => IDBFactory): WithdrawalKeyStore {
  let opened: Promise<IDBDatabase> | null = null

  const open = (): Promise<IDBDatabase> =>
    new Promise((resolve, reject) => {
      const request = factory().open(DATABASE, 1)
      request.onupgradeneeded = () => request.result.createObjectStore(OBJECTS)
      request.onerror = () => reject(reasonOf(request.error))
      request.onsuccess = () => {
        const database = request.result
        // The user deleted the browser's site data.
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
