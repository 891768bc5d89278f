/** The use cases of sessions: create, launch, end. */
import type { CreateSessionRequest } from '#lib/contract/merchant-requests.ts'
import { createSession, type CreatedSession, type CreateSessionDeps } from '../merchant/create-session.ts'
import { endSession } from '../merchant/end-session.ts'
import { staleSessions } from '../merchant/find-active-session.ts'
import { redeemLaunchToken, type Redeemed } from '../merchant/redeem-launch-token.ts'
import { withOfferedFlows } from '../merchant/offered-flows.ts'
import type { SessionLimits } from '../merchant/session-life.ts'
import type { CashierSession, LaunchAppearance, Store } from '../store/types.ts'
import type { SessionCookies } from './http/session-cookie.ts'

export interface SessionUseCases {
  createSession(input: CreateSessionRequest): Promise<CreatedSession>
  /** @throws Problem `not_found` */
  endSession(sessionId: string): Promise<void>
  /** Redeems a launch token, once even under a race. `count` is called for a token of ours alone. */
  launchSession(token: string, appearance: LaunchAppearance, count: () => Promise<void>): Promise<Redeemed>
  /** The `Set-Cookie` lines of a launch: the session's own, and those that remove cookies of ended sessions. */
  launchCookies(session: CashierSession, cookieHeader: string | null): Promise<readonly string[]>
}

export interface SessionUseCasesDeps extends CreateSessionDeps {
  readonly sessions: Store['sessions']
  /** The first seals launch tokens and cookies, all open. */
  readonly secrets: readonly string[]
  readonly limits: SessionLimits
  readonly cookies: SessionCookies
  readonly onSessionEnded: (sessionId: string) => void
}

/** More living sessions in one browser would not fit into a request's headers. */
const MAX_COOKIES = 16
/** More names than these are not ours. */
const MAX_NAMED = 100

export function sessionUseCases(deps: SessionUseCasesDeps): SessionUseCases {
  const { sessions, cookies, limits, clock } = deps
  const staleCookies = async (cookieHeader: string | null, now: number): Promise<readonly string[]> => {
    const named = cookies.named(cookieHeader).slice(0, MAX_NAMED)
    if (named.length === 0) return []
    return staleSessions(named, await sessions.findSessions(named), limits, now, MAX_COOKIES - 1)
  }
  return {
    createSession: (input) => createSession(deps, input),
    endSession: (sessionId) => endSession(deps, sessionId),
    async launchSession(token, appearance, count) {
      const redeemed = await redeemLaunchToken(deps, token, appearance, count)
      return redeemed.outcome === 'launched'
        ? { ...redeemed, session: withOfferedFlows(redeemed.session, deps.onramp) }
        : redeemed
    },
    async launchCookies(session, cookieHeader) {
      const now = clock()
      const lifeS = Math.ceil((session.created_ms + limits.maxMs - now) / 1000)
      return [
        await cookies.seal(session.id, Math.max(1, lifeS)),
        ...(await staleCookies(cookieHeader, now)).map((id) => cookies.clear(id)),
      ]
    },
  }
}
