import { expect, test } from 'vitest'
import { createClockOffset } from './clock-offset.ts'

const NOW = Date.UTC(2026, 10, 21, 12)
const date = (ms: number): string => new Date(ms).toUTCString()

test('the offset is unknown before two replies with a date agree', () => {
  const offset = createClockOffset()
  offset.note(undefined, NOW, NOW)
  offset.note('soon', NOW, NOW)
  offset.note(date(NOW), NOW, NOW)
  offset.note(date(NOW + 7_200_000), NOW, NOW)
  expect(offset.current()).toBeNull()
  offset.note(date(NOW + 7_201_000), NOW, NOW + 1000)
  expect(offset.current()).toBe(7_200_000)
})

test('one reply with a wrong time changes nothing, neither as the first reply nor later', () => {
  const offset = createClockOffset()
  offset.note(date(NOW - 3_600_000), NOW, NOW + 20)
  for (let reply = 0; reply < 3; reply += 1) {
    offset.note(date(NOW), NOW, NOW + 20)
    offset.note(date(NOW), NOW, NOW + 20)
    expect(offset.current()).toBe(0)
    offset.note(date(NOW + 7_200_000), NOW, NOW + 20)
    expect(offset.current()).toBe(0)
  }
})

test('clocks that agree have no offset, at any part of a second and after a slow reply', () => {
  const offset = createClockOffset()
  for (const ms of [0, 1, 500, 999]) offset.note(date(NOW), NOW + ms, NOW + ms)
  offset.note(date(NOW + 3000), NOW, NOW + 8000)
  expect(offset.current()).toBe(0)
})

test('the offset follows a different clock to within a second, and back', () => {
  const offset = createClockOffset()
  for (const sentMs of [NOW, NOW]) offset.note(date(NOW - 360_000), sentMs, NOW + 20)
  expect(offset.current()).toBe(-359_000)
  offset.note(date(NOW - 330_000), NOW, NOW + 20)
  expect(offset.current()).toBe(-330_020)
  for (const sentMs of [NOW, NOW]) offset.note(date(NOW), sentMs, NOW + 20)
  expect(offset.current()).toBe(-20)
})
