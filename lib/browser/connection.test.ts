import { expect, test } from 'vitest'
import { createConnection } from './connection.ts'

function connection() {
  let clock = Date.parse('2026-11-20T10:00:00Z')
  const made = createConnection('2026-11-20T09:59:00.000Z', () => new Date(clock))
  let told = 0
  made.subscribe(() => {
    told += 1
  })
  return { ...made, told: () => told, later: (ms: number) => (clock += ms) }
}

test('it claims nothing before it has seen anything', () => {
  expect(connection().get()).toEqual({ phase: 'connecting', checkedAt: '2026-11-20T09:59:00.000Z' })
})

test('live only while a stream is open; the time stays at the last word heard', () => {
  const { get, streamIs, later } = connection()
  streamIs('live')
  expect(get()).toEqual({ phase: 'live', checkedAt: '2026-11-20T10:00:00.000Z' })
  later(60_000)
  streamIs('reconnecting')
  expect(get()).toEqual({ phase: 'reconnecting', checkedAt: '2026-11-20T10:00:00.000Z' })
})

test('a poll that is answered moves the time and not the phase', () => {
  const { get, streamIs, heard, later } = connection()
  streamIs('reconnecting')
  later(1000)
  heard()
  expect(get()).toEqual({ phase: 'reconnecting', checkedAt: '2026-11-20T10:00:01.000Z' })
})

test('offline covers all, and goes when a stream opens', () => {
  const { get, streamIs, deviceIs } = connection()
  streamIs('live')
  deviceIs('offline')
  expect(get().phase).toBe('offline')
  streamIs('live')
  expect(get().phase).toBe('live')
})

test('listeners hear of changes only', () => {
  const { streamIs, told, get } = connection()
  streamIs('live')
  const before = get()
  streamIs('live')
  expect(told()).toBe(1)
  expect(get()).toBe(before)
})
