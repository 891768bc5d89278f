import { expect, test, vi } from 'vitest'
import { oneTabAtATime } from './one-tab-at-a-time.ts'

/** Node's locks work within one process as a browser's locks do between its tabs. */
const { locks } = navigator as unknown as { locks: LockManager | undefined }

test.runIf(locks !== undefined)('work of one name runs one after the other', async () => {
  const seen: string[] = []
  const work = (name: string) => async (): Promise<void> => {
    seen.push(`${name} begins`)
    await new Promise((resolve) => setImmediate(resolve))
    seen.push(`${name} ends`)
  }
  await Promise.all([oneTabAtATime(locks, 'n', work('a')), oneTabAtATime(locks, 'n', work('b'))])
  expect(seen).toEqual(['a begins', 'a ends', 'b begins', 'b ends'])
})

test('work runs once without locks, and if locks are denied', async () => {
  const work = vi.fn(() => Promise.resolve())
  await oneTabAtATime(undefined, 'n', work)
  expect(work).toHaveBeenCalledTimes(1)
  const denied = { request: () => Promise.reject(new DOMException('denied', 'SecurityError')) }
  await oneTabAtATime(denied, 'n', work)
  expect(work).toHaveBeenCalledTimes(2)
})

test('work that fails is not run again', async () => {
  const granted = { request: (_name: string, run: () => Promise<void>) => run() }
  const work = vi.fn(() => Promise.reject(new Error('failed')))
  await expect(oneTabAtATime(granted as unknown as LockManager, 'n', work)).rejects.toThrow('failed')
  expect(work).toHaveBeenCalledTimes(1)
})
