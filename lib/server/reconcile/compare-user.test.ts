import { expect, test } from 'vitest'
import { nextCompareMs } from './compare-user.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const NOW = 1_000 * HOUR

test.each([
  // open for, unseen for, wait
  [0, 0, 15_000],
  [4 * MINUTE, 0, 15_000],
  [10 * MINUTE, 0, 30_000],
  [10 * HOUR, 0, MINUTE],
  [10 * MINUTE, 2 * HOUR, 30_000],
  [2 * HOUR, 2 * HOUR, 6 * MINUTE],
  [20 * HOUR, 20 * HOUR, 15 * MINUTE],
  [null, 0, MINUTE],
  [null, 14 * MINUTE, MINUTE],
  [null, 16 * MINUTE, 5 * MINUTE],
  [null, 59 * MINUTE, 5 * MINUTE],
])('open for %s ms, unseen for %s ms: compared after %s ms', (openMs, unseenMs, wait) => {
  expect(nextCompareMs(NOW, openMs === null ? null : NOW - openMs, NOW - unseenMs)).toBe(NOW + wait)
})

test('nothing open and not here for an hour: not before something happens', () => {
  expect(nextCompareMs(NOW, null, NOW - HOUR)).toBeNull()
})
