import { expect, test } from 'vitest'
import type { StoredSession } from '../store/types.ts'
import { isAlive, isTouchDue } from './session-life.ts'
import { findActiveSession, staleSessions } from './find-active-session.ts'

const limits = { idleMs: 1000, maxMs: 10_000 }
const stored = (
  id: string,
  more: { last_used_ms?: number; launched_ms?: number | null; ended_ms?: number | null; return_url?: string } = {},
) =>
  ({
    session: {
      id,
      user_reference_id: 'u',
      created_ms: 0,
      last_used_ms: more.last_used_ms ?? 0,
      return_url: more.return_url,
    },
    launched_ms: more.launched_ms === undefined ? 0 : more.launched_ms,
    ended_ms: more.ended_ms ?? null,
  }) as StoredSession

test.each([
  ['used just now', {}, 0, true],
  ['until it is idle', {}, 999, true],
  ['no longer once idle', {}, 1000, false],
  ['until its greatest age', { last_used_ms: 9500 }, 9999, true],
  ['no longer at its greatest age, even in use', { last_used_ms: 9999 }, 10_000, false],
  ['not before it is launched', { launched_ms: null }, 0, false],
  ['not once it was ended', { ended_ms: 1 }, 1, false],
])('a session lives %s', (_when, more, now, alive) => {
  expect(isAlive(stored('s', more), limits, now)).toBe(alive)
})

test('use is stored every 30 seconds, more often if the idle time is short', () => {
  const long = { idleMs: 1_800_000, maxMs: 1e9 }
  expect(isTouchDue(0, long, 29_999)).toBe(false)
  expect(isTouchDue(0, long, 30_000)).toBe(true)
  expect(isTouchDue(0, limits, 249)).toBe(false)
  expect(isTouchDue(0, limits, 250)).toBe(true)
})

test('the use of an open session is stored when due, of an ended session never', async () => {
  const noted: string[] = []
  const open = (found: StoredSession | null, now: number) =>
    findActiveSession(
      {
        sessions: {
          findSession: async () => found,
          touchSessions: async ([id], at) => void noted.push(`${id} at once, at ${at}`),
        },
        noteUse: (id) => void noted.push(`${id} at ${now}`),
        limits,
        clock: () => now,
      },
      's',
    )
  expect(await open(stored('s'), 100)).toMatchObject({ state: 'active', session: { id: 's' } })
  expect(noted).toEqual([])
  expect(await open(stored('s'), 300)).toMatchObject({ state: 'active' })
  expect(noted).toEqual(['s at 300'])
  expect(await open(stored('s'), 500)).toMatchObject({ state: 'active' })
  expect(noted.splice(1)).toEqual(['s at once, at 500'])
  const over = stored('s', { return_url: 'https://shop.example/' })
  expect(await open(over, 5000)).toEqual({ state: 'ended', returnUrl: 'https://shop.example/' })
  expect(await open(null, 0)).toEqual({ state: 'none' })
  expect(noted).toEqual(['s at 300'])
})

test('cookies of ended sessions are removed, and of too many the least recently used', () => {
  const found = [
    stored('old', { last_used_ms: 10 }),
    stored('newer', { last_used_ms: 20 }),
    stored('newest', { last_used_ms: 30 }),
    stored('ended', { ended_ms: 5 }),
  ]
  const ids = ['old', 'newer', 'newest', 'ended', 'unknown']
  expect(staleSessions(ids, found, limits, 40, 10)).toEqual(['ended', 'unknown'])
  expect(staleSessions(ids, found, limits, 40, 2)).toEqual(['old', 'ended', 'unknown'])
})
