import { expect, test } from 'vitest'
import { dayBefore, dayKey, formatTime, UNKNOWN_ZONE } from './time-format.ts'

test('a time is in the given zone, with the suffix UTC if the zone is unknown', () => {
  expect(formatTime('2026-11-20T23:30:00Z', 'time', 'de', UNKNOWN_ZONE)).toBe('23:30 UTC')
  expect(formatTime('2026-11-20T23:30:00Z', 'time', 'de', 'UTC')).toBe('23:30')
  expect(formatTime('2026-11-20T23:30:00Z', 'time', 'de', 'Asia/Tokyo')).toBe('08:30')
})

test('Arabic times have Latin digits, like amounts and addresses', () => {
  expect(formatTime('2026-11-20T08:05:09Z', 'date-time', 'ar', 'UTC')).toMatch(/2026/)
})

test('a day is the day in the given zone', () => {
  expect(dayKey('2026-11-20T23:30:00Z', 'UTC')).toBe('2026-11-20')
  expect(dayKey('2026-11-20T23:30:00Z', 'Asia/Tokyo')).toBe('2026-11-21')
  expect(dayKey('2026-11-20T01:30:00Z', 'America/New_York')).toBe('2026-11-19')
})

test('yesterday is the day before, however many hours it had', () => {
  const yesterdayAt = (iso: string): string => dayBefore(dayKey(iso, 'Europe/Berlin'))
  // Half past midnight after a day of 23 hours, and half past eleven in the evening of a day of 25 hours.
  expect(yesterdayAt('2026-03-29T22:30:00Z')).toBe('2026-03-29')
  expect(yesterdayAt('2026-10-25T22:30:00Z')).toBe('2026-10-24')
  expect(dayBefore('2027-01-01')).toBe('2026-12-31')
})

test('text that is not a time is returned unchanged', () => {
  expect(formatTime('soon', 'time', 'en', 'UTC')).toBe('soon')
  expect(dayKey('soon', 'UTC')).toBe('soon')
})
