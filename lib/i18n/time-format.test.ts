import { expect, test } from 'vitest'
import { dayKey, formatTime, UNKNOWN_ZONE } from './time-format.ts'

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

test('text that is not a time is returned unchanged', () => {
  expect(formatTime('soon', 'time', 'en', 'UTC')).toBe('soon')
  expect(dayKey('soon', 'UTC')).toBe('soon')
})
