import { Writable } from 'node:stream'
import { afterEach, expect, test, vi } from 'vitest'
import { csvAnswer } from './file-answer.ts'

afterEach(() => {
  vi.useRealTimers()
})

test('a client that reads nothing for a minute is disconnected, and its file is read no further', async () => {
  vi.useFakeTimers()
  let hasEnded = false
  async function* endless(): AsyncIterable<string> {
    try {
      for (;;) yield await Promise.resolve('x'.repeat(1000))
    } finally {
      hasEnded = true
    }
  }
  const onError = vi.fn()
  const out = new Writable({ highWaterMark: 500, write: () => undefined })
  csvAnswer({ name: 'a.csv', lines: endless(), onError }).writeTo(out)
  await vi.advanceTimersByTimeAsync(59_000)
  expect([out.destroyed, hasEnded]).toEqual([false, false])
  await vi.advanceTimersByTimeAsync(2000)
  expect([out.destroyed, hasEnded]).toEqual([true, true])
  expect(onError).not.toHaveBeenCalled()
})
