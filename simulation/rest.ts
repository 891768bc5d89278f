/** How time passes while the world comes to rest. */

const MINUTE_MS = 60_000

/** Half an hour, in steps that grow. */
export const REST_FIRST: readonly number[] = [
  3000,
  10_000,
  16_000,
  30_000,
  MINUTE_MS,
  3 * MINUTE_MS,
  10 * MINUTE_MS,
  15 * MINUTE_MS,
]

const HOUR_MS = 60 * MINUTE_MS

/** Beyond the time after which absence counts, and beyond a day. */
export const restBeyond = (absenceS: number): readonly number[] => [
  absenceS * 1000,
  MINUTE_MS,
  absenceS * 200,
  absenceS * 200,
  3 * HOUR_MS,
  22 * HOUR_MS,
  15_000,
  MINUTE_MS,
  15 * MINUTE_MS,
  9 * HOUR_MS,
  MINUTE_MS,
]
