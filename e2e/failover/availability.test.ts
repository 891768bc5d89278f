import { expect, test } from 'vitest'
import { answersAgainAfter, heardAgainAfter, SILENCE_MS, medianAndMost, type Outcome } from './availability.ts'

const span = { from: 10_000, to: 30_000 }
/** A time each half second. */
const steady = (from: number, to: number): readonly number[] =>
  Array.from({ length: Math.floor((to - from) / 500) + 1 }, (_item, at) => from + at * 500)

test('no silence is no time', () => {
  expect(heardAgainAfter(steady(0, 40_000), span)).toBe(0)
  expect(heardAgainAfter([...steady(0, 15_000), ...steady(15_000 + SILENCE_MS, 40_000)], span)).toBe(0)
})

test('the longest silence counts to its end, also one that began before the fault', () => {
  const times = [...steady(0, 9800), ...steady(14_000, 16_000), ...steady(23_000, 40_000)]
  expect(heardAgainAfter(times, span)).toBe(13_000)
  expect(heardAgainAfter([...steady(0, 9800), ...steady(17_000, 40_000)], span)).toBe(7000)
})

test('a silence after the span is not of the fault, and one that lasts has no end', () => {
  expect(heardAgainAfter([...steady(0, 30_500), ...steady(39_000, 40_000)], span)).toBe(0)
  expect(heardAgainAfter(steady(0, 20_000), span)).toBeNull()
  expect(heardAgainAfter([], span)).toBeNull()
})

test('the slowest lane counts; failures, and answers to requests from before the fault, are none', () => {
  const lane = (name: string, times: readonly number[]): readonly Outcome[] =>
    times.map((at) => ({ lane: name, startedAt: at - 100, endedAt: at, ok: true }))
  const fast = lane('fast', steady(0, 40_000))
  const slow = lane('slow', [...steady(0, 9500), ...steady(18_000, 40_000)])
  expect(answersAgainAfter(fast, span)).toBe(0)
  expect(answersAgainAfter([...fast, ...slow], span)).toBe(8000)
  const others: readonly Outcome[] = [
    { lane: 'slow', startedAt: 12_000, endedAt: 12_100, ok: false },
    { lane: 'slow', startedAt: 9000, endedAt: 14_000, ok: true },
  ]
  expect(answersAgainAfter([...fast, ...slow, ...others], span)).toBe(8000)
  expect(answersAgainAfter([...fast, ...lane('dead', steady(0, 9500))], span)).toBeNull()
})

test('median and maximum', () => {
  expect(medianAndMost([5, 1, 3])).toEqual({ rounds: 3, p50: 3, max: 5 })
  expect(medianAndMost([])).toEqual({ rounds: 0, p50: 0, max: 0 })
})
