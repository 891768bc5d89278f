import { expect, test } from 'vitest'
import { TIME_RANGES, type TimeRange } from '#lib/contract/cashier.ts'
import { inWindow, timeWindow } from './time-window.ts'

/** Late on a Sunday in UTC, when it is already Monday in many places. */
const NOW = Date.parse('2026-03-01T23:30:00Z')

const WINDOWS: Record<TimeRange, [string, string | null]> = {
  today: ['2026-03-01T00:00:00.000Z', null],
  yesterday: ['2026-02-28T00:00:00.000Z', '2026-03-01T00:00:00.000Z'],
  this_week: ['2026-02-23T00:00:00.000Z', null],
  this_month: ['2026-03-01T00:00:00.000Z', null],
  last_month: ['2026-02-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z'],
  last_24hrs: ['2026-02-28T23:30:00.000Z', null],
}

test.each(TIME_RANGES)('%s is counted in UTC, with weeks from Monday', (range) => {
  const { fromMs, untilMs } = timeWindow(range, NOW)
  const [from, until] = WINDOWS[range]
  expect(new Date(fromMs).toISOString()).toBe(from)
  expect(untilMs === undefined ? null : new Date(untilMs).toISOString()).toBe(until)
})

test('in January the last month is December', () => {
  expect(timeWindow('last_month', Date.parse('2026-01-15T00:00:00Z'))).toEqual({
    fromMs: Date.parse('2025-12-01T00:00:00Z'),
    untilMs: Date.parse('2026-01-01T00:00:00Z'),
  })
})

test('a window includes its beginning and excludes its end', () => {
  const window = timeWindow('yesterday', NOW)
  expect(inWindow(window, window.fromMs)).toBe(true)
  expect(inWindow(window, window.untilMs ?? 0)).toBe(false)
  expect(inWindow(null, 0)).toBe(true)
})
