/** Who may come in to the calls of the page, in the order of the answers: 401, then 403, then 429. */
import type { Flow } from '#lib/contract/cashier.ts'
import { Problem } from '#lib/contract/problems.ts'
import { openSession, type OpenSessionDeps } from '../../merchant/open-session.ts'
import type { CashierSession } from '../../store/port.ts'
import type { PageSession } from '../app.ts'
import { requireOwnPage } from './own-page.ts'
import type { LimitName, RateLimits } from './rate-limits.ts'
import { isSessionId, type SessionCookies } from './session-cookie.ts'

export interface Entry {
  readonly headers: Headers
  /** `X-Cashier-Session`, or `session=` for the stream. */
  readonly sessionId: string | null
  /** True for a call that changes something: it must name its `Origin`. */
  readonly changes: boolean
  /** The flow that the session needs; null where any will do. */
  readonly flow: Flow | null
  /** What the call counts towards; null where the use case counts by itself. */
  readonly limit: LimitName | null
}

export interface SessionDoor {
  /** The living session of a call. Throws `unauthenticated`, `forbidden_origin`, `flow_not_allowed`, `rate_limited`. */
  enter(entry: Entry): Promise<CashierSession>
  /** Whose cookie a page was asked with. */
  look(sessionId: string, cookieHeader: string | null): Promise<PageSession>
  /** Notes that a session is in use; false once it has ended. */
  isAlive(sessionId: string): Promise<boolean>
}

const NOT_IN = { ended: 'This session has ended.', none: 'There is no such session in this browser.' } as const

export interface SessionDoorDeps extends OpenSessionDeps {
  readonly cookies: Pick<SessionCookies, 'holds'>
  readonly rateLimits: RateLimits
  readonly publicUrl: string
}

export function sessionDoor(deps: SessionDoorDeps): SessionDoor {
  const look = async (sessionId: string, cookieHeader: string | null): Promise<PageSession> => {
    if (!isSessionId(sessionId) || !(await deps.cookies.holds(cookieHeader, sessionId))) return { state: 'none' }
    return openSession(deps, sessionId)
  }
  return {
    look,
    async enter({ headers, sessionId, changes, flow, limit }) {
      if (sessionId === null) throw new Problem('unauthenticated', 'Name the session.')
      const found = await look(sessionId, headers.get('cookie'))
      if (found.state !== 'active') throw new Problem('unauthenticated', NOT_IN[found.state])
      requireOwnPage(headers, deps.publicUrl, changes)
      const { session } = found
      if (flow !== null && !session.flows.includes(flow)) {
        throw new Problem('flow_not_allowed', `This session does not have the flow ${flow}.`)
      }
      if (limit !== null) await deps.rateLimits.take(limit, session.user_reference_id)
      return session
    },
    isAlive: async (sessionId) => (await openSession(deps, sessionId)).state === 'active',
  }
}
