import { expect, test } from 'vitest'
import { answersAgainAfter, heardAgainAfter, SLOW_MS, summary, type Outcome } from './availability.ts'

const outcome = (lane: string, startedAt: number, endedAt: number, ok = true): Outcome => ({
  lane,
  startedAt,
  endedAt,
  ok,
})
const fault = { from: 1000, to: 9000 }

test('no failed request is no time', () => {
  expect(answersAgainAfter([outcome('a', 900, 1100), outcome('a', 1200, 1210)], fault)).toBe(0)
})

test('the slowest lane counts, up to the first good answer after its last failure', () => {
  const outcomes = [
    outcome('a', 1100, 1200, false),
    outcome('a', 1300, 1400),
    outcome('b', 1100, 1150),
    outcome('b', 2000, 4000, false),
    outcome('b', 3000, 4500),
    outcome('b', 5000, 5010),
    // Failures after the fault's end are not of the fault.
    outcome('b', 9500, 9600, false),
  ]
  expect(answersAgainAfter(outcomes, fault)).toBe(3500)
})

test('a request that was under way at the fault and failed counts, a slow answer too', () => {
  expect(answersAgainAfter([outcome('a', 900, 2000, false), outcome('a', 2100, 2200)], fault)).toBe(1200)
  const slow = outcome('a', 1100, 1100 + SLOW_MS + 1)
  expect(answersAgainAfter([slow, outcome('a', 5000, 5100)], fault)).toBe(4100)
})

test('a lane without a good answer yet', () => {
  expect(answersAgainAfter([outcome('a', 1100, 1200, false), outcome('b', 1100, 1110)], fault)).toBeNull()
  expect(answersAgainAfter([outcome('a', 900, 1100)], fault)).toBeNull()
  expect(answersAgainAfter([], fault)).toBeNull()
})

test('a stream is heard again at the end of its longest silence', () => {
  expect(heardAgainAfter([800, 900, 5000, 5100, 7000], fault)).toBe(4000)
  expect(heardAgainAfter([900, 1100, 1200], fault)).toBe(100)
  expect(heardAgainAfter([900], fault)).toBeNull()
})

test('median and maximum', () => {
  expect(summary([5, 1, 3])).toEqual({ rounds: 3, p50: 3, max: 5 })
  expect(summary([])).toEqual({ rounds: 0, p50: 0, max: 0 })
})
