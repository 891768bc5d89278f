/** Checks who may make a call of the page, in this order: 401, then 403, then 429. */
import type { Flow } from '#lib/contract/cashier.ts'
import { Problem } from '#lib/contract/problems.ts'
import { findActiveSession, type FindSessionDeps, type WayBack } from '../../merchant/find-active-session.ts'
import type { CashierSession } from '../../store/types.ts'
import type { HeaderReader } from './inbound-request.ts'
import { requireOwnPage } from './require-origin.ts'
import type { LimitName, RateLimits } from './rate-limits.ts'
import { isSessionId, type SessionCookies } from './session-cookie.ts'

/** The session of a page. */
export type PageSession =
  | { readonly state: 'active'; readonly session: CashierSession }
  /** The session existed, and has ended. */
  | ({ readonly state: 'ended' } & WayBack)
  /** No cookie, a foreign one, or no such session. */
  | { readonly state: 'none' }

interface SessionCall {
  readonly headers: HeaderReader
  readonly sessionId: string | null
  /** True for a call that changes something: it must have our `Origin`. */
  readonly changes: boolean
  /** The flow that the session needs; null: any session may call. */
  readonly flow: Flow | null
  /** The limit towards which the call counts; null if the use case counts. */
  readonly limit: LimitName | null
}

/**
 * Each method returns the active session. @throws Problem `unauthenticated`, `session_ended`, `forbidden_origin`,
 * `flow_not_allowed`, `rate_limited`
 */
export interface SessionAuthenticator {
  /** Authenticates a read. @param sessionId if it is not in the header `X-Cashier-Session` */
  authenticateRead(headers: HeaderReader, sessionId?: string | null): Promise<CashierSession>
  /** Authenticates a call that changes something. @param limit null if the use case counts */
  authenticateChange(headers: HeaderReader, flow: Flow, limit: LimitName | null): Promise<CashierSession>
  /** The session of a page, by its cookie. Does not throw for a missing one. */
  identify(sessionId: string, cookieHeader: string | null): Promise<PageSession>
}

const refusal = (state: 'ended' | 'none'): Problem =>
  state === 'ended'
    ? new Problem('session_ended', 'This session has ended.')
    : new Problem('unauthenticated', 'There is no such session in this browser.')

export interface AuthenticatorDeps extends FindSessionDeps {
  readonly cookies: Pick<SessionCookies, 'holds'>
  readonly rateLimits: RateLimits
  readonly publicUrl: string
}

export function sessionAuthenticator(deps: AuthenticatorDeps): SessionAuthenticator {
  const identify = async (sessionId: string, cookieHeader: string | null): Promise<PageSession> => {
    if (!isSessionId(sessionId) || !(await deps.cookies.holds(cookieHeader, sessionId))) return { state: 'none' }
    return findActiveSession(deps, sessionId)
  }
  const authenticate = async ({ headers, sessionId, changes, flow, limit }: SessionCall): Promise<CashierSession> => {
    if (sessionId === null) throw new Problem('unauthenticated', 'The call names no session.')
    const found = await identify(sessionId, headers.get('cookie'))
    if (found.state !== 'active') throw refusal(found.state)
    requireOwnPage(headers, deps.publicUrl, changes)
    const { session } = found
    if (flow !== null && !session.flows.includes(flow)) {
      throw new Problem('flow_not_allowed', `This session does not have the flow ${flow}.`)
    }
    if (limit !== null) await deps.rateLimits.take(limit, session.user_reference_id)
    return session
  }
  const named = (headers: HeaderReader): string | null => headers.get('x-cashier-session')
  return {
    identify,
    authenticateRead: (headers, sessionId = named(headers)) =>
      authenticate({ headers, sessionId, changes: false, flow: null, limit: 'calls' }),
    authenticateChange: (headers, flow, limit) =>
      authenticate({ headers, sessionId: named(headers), changes: true, flow, limit }),
  }
}
