import { afterEach, expect, test, vi } from 'vitest'
import { createLiveness, createRestartLimit } from './liveness.ts'

afterEach(() => {
  vi.useRealTimers()
})

function setUp() {
  vi.useFakeTimers()
  const ping = vi.fn()
  const onDead = vi.fn()
  const setTimer = (run: () => void, ms: number) => {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  }
  return { ping, onDead, liveness: createLiveness({ ping, onDead, setTimer }) }
}

test('a frame that answers none of three pings is reported dead once, after six seconds', () => {
  const { ping, onDead, liveness } = setUp()
  liveness.check()
  vi.advanceTimersByTime(3_000)
  // A second press in between does not restart the check.
  liveness.check()
  vi.advanceTimersByTime(2_900)
  expect(ping).toHaveBeenCalledTimes(3)
  expect(onDead).not.toHaveBeenCalled()
  vi.advanceTimersByTime(100)
  expect(onDead).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(60_000)
  expect(onDead).toHaveBeenCalledTimes(1)
})

test('an answer to the last ping is enough, and the next check sends a new ping', () => {
  const { ping, onDead, liveness } = setUp()
  liveness.check()
  vi.advanceTimersByTime(5_900)
  liveness.alive()
  vi.advanceTimersByTime(60_000)
  expect(onDead).not.toHaveBeenCalled()
  liveness.check()
  expect(ping).toHaveBeenCalledTimes(4)
})

test('after stop no answer is expected', () => {
  const { onDead, liveness } = setUp()
  liveness.check()
  liveness.stop()
  vi.advanceTimersByTime(60_000)
  expect(onDead).not.toHaveBeenCalled()
})

test('at most three restarts within a minute', () => {
  let now = 0
  const mayRestart = createRestartLimit(() => now)
  expect([mayRestart(), mayRestart(), mayRestart(), mayRestart()]).toEqual([true, true, true, false])
  now = 59_999
  expect(mayRestart()).toBe(false)
  now = 120_000
  expect(mayRestart()).toBe(true)
})
