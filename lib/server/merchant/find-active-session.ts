import type { CashierSession, Store, StoredSession } from '../store/types.ts'
import { isAlive, isTouchDue, type SessionLimits } from './session-life.ts'

export interface FindSessionDeps {
  readonly sessions: Pick<Store['sessions'], 'findSession' | 'touchSessions'>
  /** Stores, soon, that the session is in use. */
  readonly noteUse: (id: string) => void
  readonly limits: SessionLimits
  readonly clock: () => number
}

/** Where an ended session's user came from, as far as the merchant said. */
export interface WayBack {
  readonly returnUrl: string | null
  readonly merchantName: string | null
}

/** Finds a session. If it is alive, records that it is in use; else returns why not. */
export async function findActiveSession(
  deps: FindSessionDeps,
  id: string,
): Promise<
  | { readonly state: 'active'; readonly session: CashierSession }
  | ({ readonly state: 'ended' } & WayBack)
  | { readonly state: 'none' }
> {
  const found = await deps.sessions.findSession(id)
  if (found === null) return { state: 'none' }
  const now = deps.clock()
  if (!isAlive(found, deps.limits, now))
    return { state: 'ended', returnUrl: found.session.return_url, merchantName: found.session.merchant_name }
  const usedMs = found.session.last_used_ms
  // Near its end, before the answer: the next call may reach another instance.
  if (now - usedMs >= deps.limits.idleMs / 2) await deps.sessions.touchSessions([id], now)
  else if (isTouchDue(usedMs, deps.limits, now)) deps.noteUse(id)
  return { state: 'active', session: found.session }
}

/** The session ids in the request's cookies to drop: ended sessions, and the least recently used above `limit`. */
export function staleSessions(
  ids: readonly string[],
  found: readonly StoredSession[],
  limits: SessionLimits,
  now: number,
  limit: number,
): readonly string[] {
  const alive = found
    .filter((one) => isAlive(one, limits, now))
    .sort((a, b) => b.session.last_used_ms - a.session.last_used_ms)
    .slice(0, limit)
  const kept = new Set(alive.map((one) => one.session.id))
  return ids.filter((id) => !kept.has(id))
}
