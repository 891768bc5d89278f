/**
 * One value that all tabs of a browser share, in IndexedDB. With `localStorage`, other tabs would see a change late,
 * and if two tabs wrote at once, one change would be lost. Here a change reads, decides and writes in one transaction,
 * and the next transaction of any tab begins after it.
 */
export interface WithdrawalKeyStore {
  /**
   * Stores the result of `change`; null leaves the value unchanged. `change` runs at most once.
   * @throws if the browser denies storage or does not answer in time, or the transaction fails
   */
  readonly update: (change: (stored: unknown) => unknown) => Promise<void>
}

const DATABASE = 'cashier'
const OBJECTS = 'withdrawal-keys'
const RECORD = 'all'

/** Some browsers do not answer until the page is loaded again. A press of the user waits for this. */
const ANSWER_MS = 3000

/** @param onLate called if `work` takes too long, before the promise rejects */
function inTime<T>(work: Promise<T>, onLate: () => void = () => undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      onLate()
      reject(new Error('the storage does not answer'))
    }, ANSWER_MS)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

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

  const connect = (): Promise<IDBDatabase> => {
    opened ??= open()
    return inTime(opened).catch((error: unknown) => {
      opened = null
      throw error
    })
  }
  const begin = (database: IDBDatabase): IDBTransaction =>
    database.transaction(OBJECTS, 'readwrite', { durability: 'strict' })

  return {
    update: async (change) => {
      const database = await connect()
      let transaction: IDBTransaction
      try {
        transaction = begin(database)
      } catch {
        // Some browsers close the connection of a page in the background without an event.
        opened = null
        transaction = begin(await connect())
      }
      const done = new Promise<void>((resolve, reject) => {
        const objects = transaction.objectStore(OBJECTS)
        const read = objects.get(RECORD)
        read.onsuccess = () => {
          const next = change(read.result)
          if (next !== null) objects.put(next, RECORD)
        }
        transaction.oncomplete = () => resolve()
        transaction.onabort = () => reject(reasonOf(transaction.error))
      })
      await inTime(done, () => stop(transaction))
    },
  }
}

/** A change that comes late would store a key that this page does not use. */
function stop(transaction: IDBTransaction): void {
  try {
    transaction.abort()
  } catch {
    // It has just ended.
  }
}

const reasonOf = (error: DOMException | null): Error => error ?? new Error('the browser gave no reason')
