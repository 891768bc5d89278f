import { expect, test } from 'vitest'
import { createWithdrawalKeyStore } from './withdrawal-key-store.ts'

/** The browser's database with one value; `close` breaks the open connections without an event. */
function database() {
  const state = { value: undefined as unknown, connection: 0 }
  const later = (run: () => void): void => void Promise.resolve().then(run)
  const connect = (connection: number) => ({
    transaction() {
      if (connection !== state.connection) throw new DOMException('closing', 'InvalidStateError')
      const transaction = {
        oncomplete: () => undefined,
        objectStore: () => ({
          get() {
            const read = { result: state.value, onsuccess: () => undefined }
            later(() => {
              read.onsuccess()
              later(() => transaction.oncomplete())
            })
            return read
          },
          put: (value: unknown) => (state.value = value),
        }),
      }
      return transaction
    },
  })
  const factory = {
    open() {
      const request = { result: connect(state.connection), onsuccess: () => undefined }
      later(() => request.onsuccess())
      return request
    },
  }
  return { state, factory: () => factory as unknown as IDBFactory, close: () => (state.connection += 1) }
}

test('after the browser closed the connection without an event, a key is stored all the same', async () => {
  const { state, factory, close } = database()
  const store = createWithdrawalKeyStore(factory)
  await store.update(() => ['first'])
  close()
  await store.update((stored) => [...(stored as string[]), 'second'])
  expect(state.value).toEqual(['first', 'second'])
})
