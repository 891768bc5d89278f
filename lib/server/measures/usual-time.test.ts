import fc from 'fast-check'
import { expect, test } from 'vitest'
import { current, type Sample } from './samples.ts'
import { usualTime } from './usual-time.ts'

const DAY_MS = 86_400_000
const samplesOf = (times: readonly number[]): readonly Sample[] =>
  times.map((ms, at) => ({ at_ms: at, value: String(ms) }))
const minutes = (count: number): number[] => Array.from({ length: count }, (_one, at) => 60_000 * (2 + (at % 3)))

test('too few are not told', () => {
  expect(usualTime(samplesOf(minutes(19)))).toBeNull()
  expect(usualTime(samplesOf(minutes(20)))).toEqual({ usual_s: 180, nine_of_ten_s: 240 })
})

test('too scattered are not told', () => {
  const scattered = minutes(30).map((ms, at) => (at % 4 === 0 ? ms * 60 : ms))
  expect(usualTime(samplesOf(scattered))).toBeNull()
})

test('nothing is told while what was usual changes', () => {
  expect(usualTime(samplesOf([...minutes(196), 600_000, 600_000, 600_000]))).not.toBeNull()
  expect(usualTime(samplesOf([...minutes(196), 600_000, 600_000, 600_000, 600_000]))).toBeNull()
})

test('a wait of seconds never counts as long before half a minute', () => {
  expect(usualTime(samplesOf(minutes(30).map((ms) => ms / 1000)))).toEqual({ usual_s: 0, nine_of_ten_s: 30 })
})

test('samples older than 30 days, or of the future, do not count', () => {
  const now = 40 * DAY_MS
  const samples = [0, 9, 10, 20, 40, 41].map((day) => ({ at_ms: day * DAY_MS, value: '1' }))
  expect(current('deposit_time', samples, now).map(({ at_ms }) => at_ms / DAY_MS)).toEqual([10, 20, 40])
})

/** Evenly between two numbers with two digits after the point: a `double` is most often near 0. */
const evenly = (min: number, max: number) =>
  fc.noBias(fc.integer({ min: min * 100, max: max * 100 })).map((hundredths) => hundredths / 100)

/**
 * Networks as they behave: a base time, a spread with a long tail, and spells in which all is slower; and how many are
 * sent within the base time. A sample is known only at its end: while all is slower, the first are known first.
 */
const network = fc.record({
  baseMs: evenly(2000, 1_200_000),
  spread: evenly(0.05, 1.2),
  tail: evenly(0, 0.12),
  slower: evenly(1, 4),
  spells: fc.noBias(fc.integer({ min: 0, max: 3 })),
  atOnce: evenly(-3, 3).map(Math.exp),
  seed: fc.integer(),
})

interface NetworkPlan {
  readonly baseMs: number
  readonly spread: number
  readonly tail: number
  readonly slower: number
  readonly spells: number
  readonly atOnce: number
  readonly seed: number
}

const randomOf = (seed: number) => {
  let state = seed >>> 0
  return (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const WAITS = 300

interface Wait {
  readonly sentMs: number
  readonly tookMs: number
}

/** What is sent over a network, in order, each with its own luck. */
function waitsOf({ baseMs, spread, tail, slower, spells, atOnce, seed }: NetworkPlan): readonly Wait[] {
  const random = randomOf(seed)
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const begin = Array.from({ length: spells }, () => Math.floor(random() * WAITS))
  let sentMs = 0
  return Array.from({ length: WAITS }, (_one, at) => {
    const isSlow = begin.some((from) => at >= from && at < from + 60)
    const late = random() < tail ? 10 : 1
    sentMs += Math.round((-Math.log(1 - random()) * baseMs) / atOnce)
    return { sentMs, tookMs: Math.round(baseMs * Math.exp(spread * normal()) * (isSlow ? slower : 1) * late) }
  })
}

test('of all that waited with a usual time on the screen, at most 15 % missed its nine of ten', () => {
  let [shown, missed] = [0, 0]
  fc.assert(
    fc.property(network, (made) => {
      const waits = waitsOf(made)
      const ended = waits
        .map(({ sentMs, tookMs }) => ({ at_ms: sentMs + tookMs, value: String(tookMs) }))
        .sort((a, b) => a.at_ms - b.at_ms)
      for (const { sentMs, tookMs } of waits) {
        const told = usualTime(current('payout_time', ended, sentMs))
        if (told === null) continue
        shown += 1
        if (tookMs > told.nine_of_ten_s * 1000) missed += 1
      }
    }),
    { numRuns: 150 },
  )
  expect(shown).toBeGreaterThan(10_000)
  expect(missed / shown).toBeLessThan(0.15)
})
