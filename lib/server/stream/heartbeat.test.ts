import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createHeartbeat } from './heartbeat.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('each is called every 15 seconds until it ends', () => {
  const heartbeat = createHeartbeat()
  const answers = setInterval(() => heartbeat.answered(), 2000)
  const beats = [0, 0]
  const end = heartbeat.add(() => void (beats[0]! += 1))
  vi.advanceTimersByTime(5000)
  heartbeat.add(() => void (beats[1]! += 1))
  vi.advanceTimersByTime(9999)
  expect(beats).toEqual([0, 0])
  vi.advanceTimersByTime(1)
  expect(beats).toEqual([1, 0])
  vi.advanceTimersByTime(5000)
  expect(beats).toEqual([1, 1])
  end()
  vi.advanceTimersByTime(30_000)
  expect(beats).toEqual([1, 3])
  heartbeat.stop()
  clearInterval(answers)
  expect(vi.getTimerCount()).toBe(0)
})

test('thousands that were added at once are not called at once', () => {
  const heartbeat = createHeartbeat()
  let beats = 0
  for (let count = 0; count < 9000; count += 1) heartbeat.add(() => void (beats += 1))
  for (let second = 1; second <= 15; second += 1) {
    const before = beats
    vi.advanceTimersByTime(1000)
    expect(beats - before).toBeLessThanOrEqual(600)
  }
  expect(beats).toBe(9000)
  heartbeat.stop()
})

test('while the store does not answer nothing is sent, and afterwards again', () => {
  const heartbeat = createHeartbeat()
  let beats = 0
  for (let count = 0; count < 15; count += 1) {
    vi.advanceTimersByTime(1000)
    heartbeat.answered()
    heartbeat.add(() => void (beats += 1))
  }
  vi.advanceTimersByTime(15_000)
  expect(beats).toBe(15)
  vi.advanceTimersByTime(60_000)
  expect(beats).toBe(15)
  heartbeat.answered()
  vi.advanceTimersByTime(5000)
  expect(beats).toBe(20)
  heartbeat.stop()
})
