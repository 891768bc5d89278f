import { describe, expect, test } from 'vitest'
import { sampleSession } from '../store/testing/sample-rows.ts'
import { FLAVOURS } from '../store/testing/test-databases.ts'
import { useStores } from '../store/testing/use-stores.ts'
import { findEndedSessions, sessionCheckMs, sessionRenewMs } from './ended-sessions.ts'

const limits = { idleMs: 400_000, maxMs: 1_000_000 }
const START = 10_000_000
const session = (id: string, user: string, created_ms = START) =>
  sampleSession({ id, user_reference_id: user, created_ms })

describe.each(FLAVOURS)('%s', (flavour) => {
  const stores = useStores(flavour)
  const launch = async (id: string, user: string, created_ms = START): Promise<void> => {
    const { sessions } = stores.one
    await sessions.addSession(session(id, user, created_ms), { hash: id, expires_ms: created_ms + 1000 })
    await sessions.redeemLaunchToken(id, created_ms)
  }
  const noteAt = (now: number) => findEndedSessions({ sessions: stores.one.sessions, limits, clock: () => now })
  const usedMs = async (id: string) => (await stores.one.sessions.findSession(id))?.session.last_used_ms

  test('open sessions stay in use, and ended sessions are returned', async () => {
    const { sessions } = stores.one
    for (const id of ['a', 'b', 'ended']) await launch(id, `user-${id}`)
    await launch('aged', 'user-aged', START - limits.maxMs + 1)
    await sessions.addSession(session('never', 'user-never'), { hash: 'never', expires_ms: START + 1000 })
    await sessions.endSession('ended', START)
    const ids = ['a', 'b', 'ended', 'aged', 'never', 'unknown']
    expect((await noteAt(START + 5000)(ids)).toSorted()).toEqual(['aged', 'ended', 'never', 'unknown'])
    expect(await usedMs('a')).toBe(START)
    expect(await noteAt(START + 100_000)(['a'])).toEqual([])
    expect(await usedMs('a')).toBe(START + 100_000)
    expect(await usedMs('b')).toBe(START)
    const [user] = await stores.one.database.db
      .selectFrom('users')
      .select('last_seen_ms')
      .where('user_reference_id', '=', 'user-a')
      .execute()
    expect(user).toEqual({ last_seen_ms: START + 100_000 })
    expect(await noteAt(START + limits.idleMs)(['a', 'b'])).toEqual(['b'])
  })
})

test('sessions with a short idle time are checked often enough', () => {
  expect(sessionCheckMs(limits)).toBe(5000)
  expect(sessionCheckMs({ ...limits, idleMs: 4000 })).toBe(1000)
  expect(sessionRenewMs(limits)).toBe(60_000)
  expect(sessionRenewMs({ ...limits, idleMs: 4000 })).toBe(1000)
})
