import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { oneAtATime } from './one-at-a-time.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('asked many times at once, it runs once and once more, never two at a time', async () => {
  let working = 0
  let most = 0
  const work = vi.fn(async () => {
    most = Math.max(most, ++working)
    await new Promise((resolve) => setTimeout(resolve, 5))
    working -= 1
  })
  const checking = oneAtATime(work, () => undefined)
  for (let n = 0; n < 50; n += 1) checking.ask()
  expect(work).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(49)
  expect(work).toHaveBeenCalledTimes(1)
  // Five milliseconds of work, then a pause nine times as long.
  await vi.advanceTimersByTimeAsync(1)
  expect(work).toHaveBeenCalledTimes(2)
  await vi.advanceTimersByTimeAsync(150)
  expect([work.mock.calls.length, most]).toEqual([2, 1])
  checking.ask()
  expect(work).toHaveBeenCalledTimes(3)
  checking.stop()
})

test('a failure of the work is reported, and the next call runs it again', async () => {
  const work = vi.fn(() => Promise.reject(new Error('the database is down')))
  const onFailure = vi.fn()
  const checking = oneAtATime(work, onFailure)
  checking.ask()
  await vi.advanceTimersByTimeAsync(0)
  expect(onFailure).toHaveBeenCalledTimes(1)
  checking.ask()
  await vi.advanceTimersByTimeAsync(20)
  expect(onFailure).toHaveBeenCalledTimes(2)
  checking.stop()
  checking.ask()
  await vi.advanceTimersByTimeAsync(50)
  expect(work).toHaveBeenCalledTimes(2)
})

const after = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

test('after slow work the pause is 2 seconds, not nine times as long', async () => {
  const work = vi.fn(() => after(10_000))
  const checking = oneAtATime(work, () => undefined)
  checking.ask()
  checking.ask()
  await vi.advanceTimersByTimeAsync(11_999)
  expect(work).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(work).toHaveBeenCalledTimes(2)
  checking.stop()
})

test('the duration of a failure does not count: the next time is at once', async () => {
  const work = vi.fn(() => after(65_000).then(() => Promise.reject(new Error('no answer'))))
  const checking = oneAtATime(work, () => undefined)
  checking.ask()
  checking.ask()
  await vi.advanceTimersByTimeAsync(65_020)
  expect(work).toHaveBeenCalledTimes(2)
  checking.stop()
})
