import type { Store } from '../store/types.ts'
import type { SessionLimits } from './session-life.ts'

export interface EndedSessionsDeps {
  readonly sessions: Pick<Store['sessions'], 'noteworthySessions' | 'touchSessions'>
  readonly limits: SessionLimits
  readonly clock: () => number
}

/** The time between two stored uses of a session by a stream; the end of the stream is stored too. */
const TOUCH_MS = 300_000

/** The time between two checks of open sessions if another process may have ended one. */
export const sessionCheckMs = ({ idleMs }: SessionLimits): number => Math.min(5000, idleMs / 4)

/** The longest time between two checks of open sessions: so that a stream keeps a session with a short idle time. */
export const sessionRenewMs = ({ idleMs }: SessionLimits): number => Math.min(60_000, idleMs / 4)

/**
 * Stores that these sessions are in use, in one transaction for all whose use was not stored in the last five minutes.
 * Returns the ended sessions.
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
