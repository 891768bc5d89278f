import { expect, test } from 'vitest'
import { createConnection } from './connection.ts'

function connection() {
  let clock = Date.parse('2026-11-20T10:00:00Z')
  const made = createConnection('2026-11-20T09:59:00.000Z', () => new Date(clock))
  let notifications = 0
  made.subscribe(() => {
    notifications += 1
  })
  return { ...made, notifications: () => notifications, later: (ms: number) => (clock += ms) }
}

test('it starts as connecting', () => {
  expect(connection().get()).toEqual({ phase: 'connecting', checkedAt: '2026-11-20T09:59:00.000Z', returns: 0 })
})

test('live only while a stream is open; the time is that of the last contact', () => {
  const { get, setStreamState, later } = connection()
  setStreamState('live')
  expect(get()).toEqual({ phase: 'live', checkedAt: '2026-11-20T10:00:00.000Z', returns: 0 })
  later(60_000)
  setStreamState('reconnecting')
  expect(get()).toEqual({ phase: 'reconnecting', checkedAt: '2026-11-20T10:00:00.000Z', returns: 0 })
})

test('a response to a poll changes the time and not the phase', () => {
  const { get, setStreamState, markContact, later } = connection()
  setStreamState('reconnecting')
  later(1000)
  markContact()
  expect(get()).toEqual({ phase: 'reconnecting', checkedAt: '2026-11-20T10:00:01.000Z', returns: 0 })
})

test('offline wins over the state of the stream, until a stream opens', () => {
  const { get, setStreamState, setDeviceState } = connection()
  setStreamState('live')
  setDeviceState('offline')
  expect(get().phase).toBe('offline')
  setStreamState('live')
  expect(get().phase).toBe('live')
})

test('it counts how often the connection has come back', () => {
  const { get, setStreamState, setDeviceState } = connection()
  setStreamState('live')
  expect(get().returns).toBe(0)
  setDeviceState('offline')
  setDeviceState('online')
  expect(get().returns).toBe(1)
  setStreamState('reconnecting')
  setDeviceState('offline')
  setDeviceState('online')
  expect(get()).toMatchObject({ phase: 'reconnecting', returns: 1 })
  setStreamState('live')
  expect(get().returns).toBe(2)
})

test('listeners are called on changes only', () => {
  const { setStreamState, notifications, get } = connection()
  setStreamState('live')
  const before = get()
  setStreamState('live')
  expect(notifications()).toBe(1)
  expect(get()).toBe(before)
})
