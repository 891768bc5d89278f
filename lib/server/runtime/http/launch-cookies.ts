import { staleSessions } from '../../merchant/find-active-session.ts'
import type { SessionLimits } from '../../merchant/session-life.ts'
import type { CashierSession, Store } from '../../store/types.ts'
import type { SessionCookies } from './session-cookie.ts'

export interface LaunchCookiesDeps {
  readonly sessions: Pick<Store['sessions'], 'findSessions'>
  readonly cookies: SessionCookies
  readonly limits: SessionLimits
  readonly clock: () => number
}

/** More active sessions in one browser would not fit into a request's headers. */
const MAX_COOKIES = 16
/** The most cookie names that are read; the rest is ignored. */
const MAX_NAMED = 100

/** The `Set-Cookie` lines of a launch: the session's own, and lines that remove the cookies of ended sessions. */
export function launchCookies({ sessions, cookies, limits, clock }: LaunchCookiesDeps) {
  const stale = async (cookieHeader: string | null, now: number): Promise<readonly string[]> => {
    const named = cookies.named(cookieHeader).slice(0, MAX_NAMED)
    if (named.length === 0) return []
    return staleSessions(named, await sessions.findSessions(named), limits, now, MAX_COOKIES - 1)
  }
  return async (session: CashierSession, cookieHeader: string | null): Promise<readonly string[]> => {
    const now = clock()
    const lifeS = Math.ceil((session.created_ms + limits.maxMs - now) / 1000)
    return [
      await cookies.seal(session.id, Math.max(1, lifeS)),
      ...(await stale(cookieHeader, now)).map((id) => cookies.clear(id)),
    ]
  }
}
