import type { Store } from '../store/types.ts'
import type { SessionLimits } from './session-life.ts'

export interface EndedSessionsDeps {
  readonly sessions: Pick<Store['sessions'], 'noteworthySessions' | 'touchSessions'>
  readonly limits: SessionLimits
  readonly clock: () => number
}

/** How often the use of a session by a stream is stored. */
const TOUCH_MS = 60_000

/** How often open sessions are looked at: often enough that a stream keeps a session with a short idle time. */
export const sessionCheckMs = ({ idleMs }: SessionLimits): number => Math.min(5000, idleMs / 4)

/**
 * Stores that these sessions are in use, in one transaction for all whose use was not stored for a minute. Returns those
 * that have ended.
 */
export const findEndedSessions =
  ({ sessions, limits, clock }: EndedSessionsDeps) =>
  async (ids: readonly string[]): Promise<readonly string[]> => {
    const now = clock()
    const found = await sessions.noteworthySessions(ids, {
      usedAfterMs: now - limits.idleMs,
      createdAfterMs: now - limits.maxMs,
      touchedAfterMs: now - Math.min(TOUCH_MS, limits.idleMs / 4),
    })
    const used = found.filter(({ alive }) => alive === 1).map(({ id }) => id)
    if (used.length > 0) await sessions.touchSessions(used, now)
    return found.filter(({ alive }) => alive === 0).map(({ id }) => id)
  }
