import type { UsualTime } from '#lib/contract/cashier.ts'
import type { Sample } from './samples.ts'

const LEAST_SAMPLES = 20
/** With a wider spread, "usually" would say nothing. */
const MOST_SPREAD = 5
/** Of the newest `LEAST_SAMPLES`, so many may be over the nine of ten: with more, what was usual is no more. */
const MOST_LATE = 3
/** Below this, a wait is not worth a word. */
const SHORT_MS = 30_000

/** The value below which a share of all future values lies, if they come from where these came from. */
const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(Math.ceil(share * (sorted.length + 1)), sorted.length) - 1] ?? 0

/**
 * How long it usually takes, and when nine of ten are through; null if the samples are too few, too scattered, or
 * changing.
 * @param samples milliseconds, oldest first
 */
export function usualTime(samples: readonly Sample[]): UsualTime | null {
  if (samples.length < LEAST_SAMPLES) return null
  const times = samples.map(({ value }) => Number(value))
  const sorted = times.toSorted((a, b) => a - b)
  const usualMs = quantile(sorted, 0.5)
  const nineOfTenMs = Math.max(quantile(sorted, 0.9), SHORT_MS)
  if (nineOfTenMs > Math.max(usualMs, SHORT_MS) * MOST_SPREAD) return null
  if (times.slice(-LEAST_SAMPLES).filter((ms) => ms > nineOfTenMs).length > MOST_LATE) return null
  return { usual_s: Math.round(usualMs / 1000), nine_of_ten_s: Math.ceil(nineOfTenMs / 1000) }
}
