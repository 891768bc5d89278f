import { expect, test } from 'vitest'
import { localDay } from './local-day.ts'

const HOUR_MS = 3_600_000
const at = (iso: string): number => Date.parse(iso)

test.each([
  ['UTC', '2026-11-27T09:30:00Z', '2026-11-27T00:00:00Z', 24],
  ['Europe/Berlin', '2026-11-27T09:30:00Z', '2026-11-26T23:00:00Z', 24],
  ['Europe/Berlin', '2026-11-26T23:30:00Z', '2026-11-26T23:00:00Z', 24],
  ['America/Los_Angeles', '2026-11-27T06:00:00Z', '2026-11-26T08:00:00Z', 24],
  ['Asia/Kathmandu', '2026-11-27T09:30:00Z', '2026-11-26T18:15:00Z', 24],
  ['Pacific/Kiritimati', '2026-11-27T09:30:00Z', '2026-11-26T10:00:00Z', 24],
  ['Pacific/Pago_Pago', '2026-11-27T09:30:00Z', '2026-11-26T11:00:00Z', 24],
  // The clock goes back, and forward.
  ['Europe/Berlin', '2026-10-25T12:00:00Z', '2026-10-24T22:00:00Z', 25],
  ['Europe/Berlin', '2026-03-29T12:00:00Z', '2026-03-28T23:00:00Z', 23],
  // At midnight, so that the day begins at one.
  ['Asia/Beirut', '2026-03-29T12:00:00Z', '2026-03-28T22:00:00Z', 23],
])('the day in %s at %s begins at %s and lasts %i hours', (zone, now, from, hours) => {
  const { fromMs, untilMs } = localDay(at(now), zone)
  expect(new Date(fromMs).toISOString()).toBe(new Date(from).toISOString())
  expect(untilMs - fromMs).toBe(hours * HOUR_MS)
})
