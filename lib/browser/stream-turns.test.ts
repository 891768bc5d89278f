import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createStreamTurns } from './stream-turns.ts'

/** Locks as specified: locks of one name are granted one after another, in the order of the requests. */
class FakeLocks {
  readonly #queues = new Map<string, { readonly run: () => void; held: boolean }[]>()

  request = ((name: string, { signal, ifAvailable }: LockOptions, work: (lock: object | null) => Promise<unknown>) =>
    new Promise<unknown>((resolve, reject) => {
      const queue = this.#queues.get(name) ?? []
      this.#queues.set(name, queue)
      const next = (): void => {
        const [first] = queue
        if (first && !first.held) first.run()
      }
      const entry = {
        held: false,
        run: () => {
          entry.held = true
          void work({}).then((result) => {
            queue.splice(queue.indexOf(entry), 1)
            resolve(result)
            next()
          }, reject)
        },
      }
      if (ifAvailable && queue.length > 0) {
        void work(null).then(resolve, reject)
        return
      }
      signal?.addEventListener('abort', () => {
        if (entry.held) return
        queue.splice(queue.indexOf(entry), 1)
        reject(signal.reason as Error)
      })
      queue.push(entry)
      queueMicrotask(next)
    })) as unknown as LockManager['request']

  query = (): Promise<LockManagerSnapshot> => {
    const named = (held: boolean) =>
      [...this.#queues].flatMap(([name, queue]) => queue.filter((one) => one.held === held).map(() => ({ name })))
    return Promise.resolve({ held: named(true), pending: named(false) })
  }
}

const setTimer = (run: () => void, ms: number) => {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}

function page(locks: Pick<LockManager, 'request' | 'query'> | undefined) {
  const seen = { streams: 0, turns: 0 }
  const turns = createStreamTurns({
    locks,
    random: Math.random,
    setTimer,
    onTurn: () => {
      seen.streams += 1
      seen.turns += 1
    },
    onEnd: () => {
      seen.streams -= 1
    },
  })
  return { seen, ...turns }
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

test('of twelve pages two have a stream at a time, and each has a turn within 40 s', async () => {
  const locks = new FakeLocks()
  const pages = Array.from({ length: 12 }, () => page(locks))
  for (const { start } of pages) start()
  for (let ms = 0; ms < 40_000; ms += 100) {
    await vi.advanceTimersByTimeAsync(100)
    expect(pages.reduce((sum, { seen }) => sum + seen.streams, 0)).toBeLessThanOrEqual(2)
  }
  expect(pages.every(({ seen }) => seen.turns >= 1)).toBe(true)
})

test('a page keeps its stream while no other page waits', async () => {
  const locks = new FakeLocks()
  const pages = [page(locks), page(locks)]
  for (const { start } of pages) start()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(pages.map(({ seen }) => seen)).toEqual([
    { streams: 1, turns: 1 },
    { streams: 1, turns: 1 },
  ])
})

test('a hidden page has no stream and waits for none; shown again, it gets one', async () => {
  const locks = new FakeLocks()
  const [first, second, hidden] = [page(locks), page(locks), page(locks)]
  for (const { start } of [first, second, hidden]) start()
  await vi.advanceTimersByTimeAsync(100)
  hidden.stop()
  first.stop()
  await vi.advanceTimersByTimeAsync(20_000)
  expect([first.seen.streams, second.seen.streams, hidden.seen.streams]).toEqual([0, 1, 0])
  hidden.start()
  await vi.advanceTimersByTimeAsync(100)
  expect(hidden.seen.streams).toBe(1)
})

test('a page hidden while it waits opens no stream; a page hidden with a stream closes it at once', async () => {
  const locks = new FakeLocks()
  const [first, second, waiting] = [page(locks), page(locks), page(locks)]
  for (const { start } of [first, second, waiting]) start()
  await vi.advanceTimersByTimeAsync(100)
  waiting.stop()
  await vi.advanceTimersByTimeAsync(100)
  expect(waiting.seen).toEqual({ streams: 0, turns: 0 })
  first.stop()
  expect(first.seen.streams).toBe(0)
})

test('a page that keeps its stream for an hour does not collect listeners', async () => {
  const { start, stop } = page(new FakeLocks())
  const added = vi.spyOn(AbortSignal.prototype, 'addEventListener')
  const removed = vi.spyOn(AbortSignal.prototype, 'removeEventListener')
  start()
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(added.mock.calls.length - removed.mock.calls.length).toBeLessThan(5)
  stop()
})

test.each([
  ['without locks', undefined],
  [
    'with locks denied',
    { request: () => Promise.reject(new Error('no')), query: () => Promise.reject(new DOMException('denied')) },
  ],
])('%s a page has its stream while it is shown', async (_name, locks) => {
  const { seen, start, stop } = page(locks)
  start()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(seen).toEqual({ streams: 1, turns: 1 })
  stop()
  await vi.advanceTimersByTimeAsync(100)
  expect(seen.streams).toBe(0)
})
