import { expect, test } from 'vitest'
import { createClockOffset } from './clock-offset.ts'

const NOW = Date.UTC(2026, 10, 21, 12)
const date = (ms: number): string => new Date(ms).toUTCString()

test('nothing is known before a reply with a date', () => {
  const offset = createClockOffset()
  offset.note(undefined, NOW, NOW)
  offset.note('soon', NOW, NOW)
  expect(offset.current()).toBeNull()
})

test('clocks that agree have no offset, whatever part of a second it is and however slow a reply was', () => {
  const offset = createClockOffset()
  for (const ms of [0, 1, 500, 999]) offset.note(date(NOW), NOW + ms, NOW + ms)
  offset.note(date(NOW + 3000), NOW, NOW + 8000)
  expect(offset.current()).toBe(0)
})

test('a clock that differs is followed to within a second, and back', () => {
  const offset = createClockOffset()
  offset.note(date(NOW - 360_000), NOW, NOW + 20)
  expect(offset.current()).toBe(-359_000)
  offset.note(date(NOW), NOW, NOW + 20)
  expect(offset.current()).toBe(-20)
})
