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

/** Networks as they behave: a base time, a spread with a long tail, and spells in which all is slower. */
const network = fc.record({
  baseMs: fc.integer({ min: 2000, max: 1_200_000 }),
  spread: fc.double({ min: 0.05, max: 1.2, noNaN: true }),
  tail: fc.double({ min: 0, max: 0.12, noNaN: true }),
  slower: fc.double({ min: 1, max: 4, noNaN: true }),
  spells: fc.integer({ min: 0, max: 3 }),
  seed: fc.integer(),
})

interface NetworkPlan {
  readonly baseMs: number
  readonly spread: number
  readonly tail: number
  readonly slower: number
  readonly spells: number
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

/** The times of a network in order, each with its own luck. */
function timesOf({ baseMs, spread, tail, slower, spells, seed }: NetworkPlan): number[] {
  const random = randomOf(seed)
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const begin = Array.from({ length: spells }, () => Math.floor(random() * WAITS))
  return Array.from({ length: WAITS }, (_one, at) => {
    const isSlow = begin.some((from) => at >= from && at < from + 60)
    const late = random() < tail ? 10 : 1
    return Math.round(baseMs * Math.exp(spread * normal()) * (isSlow ? slower : 1) * late)
  })
}

test('of all that waited with a usual time on the screen, at most 15 % missed its nine of ten', () => {
  let [shown, missed] = [0, 0]
  fc.assert(
    fc.property(network, (made) => {
      const samples: Sample[] = []
      for (const [at, ms] of timesOf(made).entries()) {
        const told = usualTime(current('payout_time', samples, at))
        if (told !== null) {
          shown += 1
          if (ms > told.nine_of_ten_s * 1000) missed += 1
        }
        samples.push({ at_ms: at, value: String(ms) })
      }
    }),
    { numRuns: 60 },
  )
  expect(shown).toBeGreaterThan(3000)
  expect(missed / shown).toBeLessThan(0.15)
})
