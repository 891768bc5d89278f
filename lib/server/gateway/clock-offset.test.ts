import { expect, test } from 'vitest'
import { createClockOffset } from './clock-offset.ts'

const NOW = Date.UTC(2026, 10, 21, 12)
const newOffset = () => createClockOffset(Date.now, Date.now)
const date = (ms: number): string => new Date(ms).toUTCString()

test('the offset is unknown before two replies with a date agree', () => {
  const offset = newOffset()
  offset.note(undefined, NOW, NOW)
  offset.note('soon', NOW, NOW)
  offset.note(date(NOW), NOW, NOW)
  offset.note(date(NOW + 7_200_000), NOW, NOW)
  expect(offset.current()).toBeNull()
  offset.note(date(NOW + 7_201_000), NOW, NOW + 1000)
  expect(offset.current()).toBe(7_200_000)
})

test('one reply with a wrong time changes nothing, neither as the first reply nor later', () => {
  const offset = newOffset()
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
  const offset = newOffset()
  for (const ms of [0, 1, 500, 999]) offset.note(date(NOW), NOW + ms, NOW + ms)
  offset.note(date(NOW + 3000), NOW, NOW + 8000)
  expect(offset.current()).toBe(0)
})

test('the offset follows a different clock to within a second, and back', () => {
  const offset = newOffset()
  for (const sentMs of [NOW, NOW]) offset.note(date(NOW - 360_000), sentMs, NOW + 20)
  expect(offset.current()).toBe(-359_000)
  offset.note(date(NOW - 330_000), NOW, NOW + 20)
  expect(offset.current()).toBe(-330_020)
  for (const sentMs of [NOW, NOW]) offset.note(date(NOW), sentMs, NOW + 20)
  expect(offset.current()).toBe(-20)
})

test('when our own clock is set, the offset is unknown before two replies with a date agree', () => {
  let [trueMs, wrongMs] = [NOW, 0]
  const own = () => trueMs + wrongMs
  const offset = createClockOffset(own, () => trueMs - NOW)
  const reply = () => offset.note(date(trueMs), own(), own())
  reply()
  reply()
  for (const ms of [7_200_000, -90_000, 0, 5000]) {
    wrongMs = ms
    trueMs += 10_000
    expect(offset.current()).toBeNull()
    reply()
    expect(offset.current()).toBeNull()
    reply()
    expect(Math.abs((offset.current() ?? Infinity) + ms)).toBeLessThanOrEqual(1000)
  }
  // A first reply that is not confirmed yet does not count, either.
  const young = createClockOffset(own, () => trueMs - NOW)
  young.note(date(trueMs), own(), own())
  wrongMs = 30_000
  young.note(date(trueMs), own(), own())
  expect(young.current()).toBeNull()
})

test('after a machine stood still with its clocks, and its own was set right, no wrong offset is used', () => {
  const stoodMs = 3_600_000
  let [ownMs, uptimeMs] = [NOW, 0]
  const offset = createClockOffset(
    () => ownMs,
    () => uptimeMs,
  )
  for (let reply = 0; reply < 2; reply += 1) offset.note(date(NOW), NOW, NOW)
  uptimeMs += 10
  ownMs += stoodMs + 10
  expect(offset.current()).toBeNull()
})

test('an uptime in whole seconds is no clock that was set', () => {
  let ownMs = NOW
  const offset = createClockOffset(
    () => ownMs,
    () => Math.floor((ownMs - NOW) / 1000) * 1000,
  )
  for (let reply = 0; reply < 2; reply += 1) offset.note(date(NOW), NOW, NOW)
  for (const ms of [999, 1001, 1999, 2000]) {
    ownMs = NOW + ms
    expect(offset.current()).toBe(0)
  }
})
