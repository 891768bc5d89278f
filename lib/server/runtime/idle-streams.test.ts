/** What thousands of streams cost while nothing happens. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { findEndedSessions, sessionCheckMs, sessionRenewMs } from '../merchant/ended-sessions.ts'
import { openStore, type Store } from '../store/store.ts'
import { sampleSession } from '../store/testing/sample-rows.ts'
import { createStreamHub } from '../stream/hub.ts'

const HOUR = 3_600_000
const STREAMS = 1000
const limits = { idleMs: 1_800_000, maxMs: 12 * HOUR }

let store: Store
beforeEach(async () => {
  vi.useFakeTimers({ now: 1_000 * HOUR, toFake: ['setInterval', 'clearInterval', 'Date', 'performance'] })
  store = await openStore({ url: 'file::memory:', clock: Date.now, deliver: false })
})
afterEach(async () => {
  vi.useRealTimers()
  await store.close()
})

/** Counts the calls of each function. */
function counted<T extends object>(of: T, calls: Record<string, number>): T {
  return new Proxy(of, {
    get(target, name: string) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return (...given: unknown[]): unknown => {
        calls[name] = (calls[name] ?? 0) + 1
        return (value as (...given: unknown[]) => unknown).apply(target, given)
      }
    },
  })
}

async function openStreams(count: number) {
  const calls: Record<string, number> = {}
  const sessions = counted(store.sessions, calls)
  const left: string[] = []
  const hub = createStreamHub({
    store: { ...store, events: counted(store.events, calls) },
    log: { warn: () => undefined },
    endedSessions: findEndedSessions({ sessions, limits, clock: Date.now }),
    sessionCheckMs: sessionCheckMs(limits),
    sessionRenewMs: sessionRenewMs(limits),
    onSessionLeft: (id) => left.push(id),
  })
  const now = Date.now()
  const streams = await Promise.all(
    Array.from({ length: count }, async (_item, at) => {
      const id = `s${at}`
      await store.sessions.addSession(sampleSession({ id, user_reference_id: `u${at}`, created_ms: now }), {
        hash: id,
        expires_ms: now + 1000,
      })
      await store.sessions.redeemLaunchToken(id, now)
      const stream = await hub.open({ user: `u${at}`, sessionId: id, after: null, endsMs: now + limits.maxMs })
      const ended = vi.fn()
      stream.attach({
        write: () => undefined,
        reset: () => undefined,
        drained: () => Promise.resolve(),
        end: () => {
          ended()
          stream.close()
        },
      })
      return { close: () => stream.close(), ended }
    }),
  )
  for (const name of Object.keys(calls)) calls[name] = 0
  return { hub, streams, calls, left }
}

const usedMs = async (id: string) => (await store.sessions.findSession(id))?.session.last_used_ms

test('a thousand idle streams cost a statement every few minutes for all, and keep their sessions', async () => {
  const { hub, streams, calls } = await openStreams(STREAMS)
  await vi.advanceTimersByTimeAsync(HOUR)
  expect(calls['touchSessions']).toBeLessThanOrEqual(12)
  expect(calls['noteworthySessions']).toBeLessThanOrEqual(61)
  expect([calls['movedOn'], calls['bounds'], calls['after'] ?? 0]).toEqual([1, 0, 0])
  expect(streams.filter(({ ended }) => ended.mock.calls.length > 0)).toEqual([])
  expect(Date.now() - ((await usedMs('s7')) ?? 0)).toBeLessThanOrEqual(360_000)
  await hub.close()
})

test('a session ends at its age, with its stream', async () => {
  const { hub, streams } = await openStreams(1)
  await vi.advanceTimersByTimeAsync(limits.maxMs - 1)
  expect(streams[0]?.ended).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(5000)
  expect(streams[0]?.ended).toHaveBeenCalledOnce()
  expect(hub.size).toBe(0)
  await hub.close()
})

test('the end of the last stream of a session is a use', async () => {
  const { hub, streams, left } = await openStreams(2)
  const second = await hub.open({ user: 'u0', sessionId: 's0', after: null })
  streams[0]?.close()
  expect(left).toEqual([])
  second.close()
  second.close()
  expect(left).toEqual(['s0'])
  await hub.close()
  expect(left).toEqual(['s0', 's1'])
})
