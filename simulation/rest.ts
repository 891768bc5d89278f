/** The steps of time while the world comes to rest. */

const MINUTE_MS = 60_000

/** Half an hour, in growing steps. */
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

/** Longer than a day and than the time after which absence counts. */
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
