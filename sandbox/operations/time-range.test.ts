import { expect, test } from 'vitest'
import { timeSpanOf } from './time-range.ts'
import type { TimeRange } from './time-range.ts'

const at = (text: string): number => Date.parse(`${text}Z`)

/** Now, the range, its first millisecond and the first millisecond after it. */
const CASES: readonly (readonly [string, TimeRange, string, string])[] = [
  ['2026-11-20T23:59:59.999', 'today', '2026-11-20T00:00', '2026-11-21T00:00'],
  ['2026-11-20T00:00', 'today', '2026-11-20T00:00', '2026-11-21T00:00'],
  ['2026-03-01T12:00', 'yesterday', '2026-02-28T00:00', '2026-03-01T00:00'],
  ['2028-03-01T12:00', 'yesterday', '2028-02-29T00:00', '2028-03-01T00:00'],
  ['2026-11-16T00:00', 'this_week', '2026-11-16T00:00', '2026-11-17T00:00'],
  ['2026-11-20T12:00', 'this_week', '2026-11-16T00:00', '2026-11-21T00:00'],
  ['2026-11-22T23:59', 'this_week', '2026-11-16T00:00', '2026-11-23T00:00'],
  ['2027-01-02T12:00', 'this_week', '2026-12-28T00:00', '2027-01-03T00:00'],
  ['2026-11-20T12:00', 'this_month', '2026-11-01T00:00', '2026-11-21T00:00'],
  ['2027-01-31T12:00', 'last_month', '2026-12-01T00:00', '2027-01-01T00:00'],
  ['2026-03-31T12:00', 'last_month', '2026-02-01T00:00', '2026-03-01T00:00'],
  ['2026-11-20T12:34:56', 'last_24hrs', '2026-11-19T12:34:56', '2026-11-20T12:34:56.001'],
]

test.each(CASES)('at %s %s is from %s to %s', (now, range, from, to) => {
  expect(timeSpanOf(range, at(now))).toEqual({ from: at(from), to: at(to) })
})
