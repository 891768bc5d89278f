import { expect, test } from 'vitest'
import { GIVE_UP_AFTER_MS, nextTryMs } from './delivery-schedule.ts'

const waits = (random: number): number[] => {
  const found: number[] = []
  let nowMs = 0
  for (let failures = 1; ; failures += 1) {
    const next = nextTryMs({ firstMs: 0, failures, nowMs }, random)
    if (next === null) return found
    found.push(next - nowMs)
    nowMs = next
  }
}

test('tries come 5 s, 30 s, 2 min, 10 min, 30 min, 1 h, 2 h, 4 h apart, then every 8 h, for three days in all', () => {
  const found = waits(0)
  expect(found.slice(0, 10).map((ms) => ms / 1000)).toEqual([5, 30, 120, 600, 1800, 3600, 7200, 14400, 28800, 28800])
  expect(found.reduce((a, b) => a + b, 0)).toBe(GIVE_UP_AFTER_MS)
  expect(GIVE_UP_AFTER_MS).toBe(3 * 24 * 3600 * 1000)
})

test('a wait is spread at random by up to a tenth, and never past the end', () => {
  expect(nextTryMs({ firstMs: 0, failures: 1, nowMs: 1000 }, 1)).toBe(6500)
  expect(nextTryMs({ firstMs: 0, failures: 20, nowMs: GIVE_UP_AFTER_MS - 1 }, 1)).toBe(GIVE_UP_AFTER_MS)
  expect(nextTryMs({ firstMs: 0, failures: 20, nowMs: GIVE_UP_AFTER_MS }, 1)).toBeNull()
})
