/**
 * Checks who may make a call of the console, in this order: 404 if there is no console, 401, 403 for the origin, the
 * role, and the passkey touch.
 */
import { mayActAs, OPERATOR_IDLE_MS, type OperatorRole } from '#lib/contract/operate/operators.ts'
import { Problem } from '#lib/contract/problems.ts'
import type { OperatorOfSession, Store } from '../../store/types.ts'
import type { HeaderReader } from './inbound-request.ts'
import type { OperatorCookie } from './operator-cookie.ts'
import { requireOwnPage } from './require-origin.ts'

/** Of an operator's session. */
export const OPERATOR_LIMITS = { idleMs: OPERATOR_IDLE_MS, maxMs: 8 * 3_600_000, freshMs: 5 * 60_000 } as const
/** A session's use is stored at most this often. */
const STORE_USE_MS = 10_000

/** Who makes a call. */
export interface Operator {
  readonly id: string
  readonly name: string
  readonly role: OperatorRole
  readonly sessionId: string
  /** Milliseconds since 1970: the session ends then if it is not used. */
  readonly expiresMs: number
  /** Milliseconds since 1970: acts need no further passkey touch until then. */
  readonly freshUntilMs: number
}

export interface OperatorNeeds {
  /** The least role that may make the call. */
  readonly role: OperatorRole
  /** True for an act that needs a passkey touch of the last minutes. */
  readonly fresh?: boolean
}

export interface OperatorAuthenticator {
  /** True if the console exists: it is on, and somebody was invited. */
  exists(): Promise<boolean>
  /** @throws Problem `not_found` if there is no console */
  requireConsole(): Promise<void>
  /** @throws Problem `not_found`, `unauthenticated`, `forbidden_origin`, `role_required`, `fresh_passkey_required` */
  authenticate(headers: HeaderReader, changes: boolean, needs: OperatorNeeds): Promise<Operator>
  /** True while the session of `operator` is alive and its role is unchanged. */
  isAlive(operator: Pick<Operator, 'sessionId' | 'role'>): Promise<boolean>
}

export interface OperatorAuthenticatorDeps {
  readonly operators: Pick<Store['operators'], 'any' | 'findSession' | 'useSession'>
  readonly cookie: Pick<OperatorCookie, 'read'>
  readonly publicUrl: string
  /** `OPERATORS` is on. */
  readonly enabled: boolean
  readonly clock: () => number
}

const { idleMs, maxMs, freshMs } = OPERATOR_LIMITS

/** The operator of a session; null if the session has ended or its operator may not sign in. */
export function activeOperator(found: OperatorOfSession | null, now: number): Operator | null {
  if (found === null) return null
  const { session, operator } = found
  const expiresMs = Math.min(session.last_used_ms + idleMs, session.created_ms + maxMs)
  if (session.ended_ms !== null || operator.disabled_ms !== null || expiresMs <= now) return null
  return {
    id: operator.id,
    name: operator.name,
    role: operator.role,
    sessionId: session.id,
    expiresMs,
    freshUntilMs: session.touched_ms + freshMs,
  }
}

export function operatorAuthenticator(deps: OperatorAuthenticatorDeps): OperatorAuthenticator {
  const { operators, cookie, publicUrl, enabled, clock } = deps
  // Once somebody was invited it stays so: rows of operators are never deleted.
  let hasOperators = false
  const exists = async (): Promise<boolean> => {
    if (!enabled) return false
    hasOperators ||= await operators.any()
    return hasOperators
  }
  const requireConsole = async (): Promise<void> => {
    if (!(await exists())) throw new Problem('not_found', 'There is nothing here.')
  }
  return {
    exists,
    requireConsole,
    async authenticate(headers, changes, { role, fresh = false }) {
      await requireConsole()
      const sessionId = await cookie.read(headers.get('cookie'))
      const found = sessionId === null ? null : await operators.findSession(sessionId)
      const now = clock()
      const operator = activeOperator(found, now)
      if (found === null || operator === null) throw new Problem('unauthenticated', 'Sign in to the console.')
      requireOwnPage(headers, publicUrl, changes)
      if (!mayActAs(operator.role, role))
        throw new Problem('role_required', `This needs the role ${role}; yours is ${operator.role}.`)
      if (fresh && operator.freshUntilMs <= now)
        throw new Problem('fresh_passkey_required', 'Use your passkey again, then repeat.')
      if (now - found.session.last_used_ms < STORE_USE_MS) return operator
      await operators.useSession(operator.sessionId, now)
      return { ...operator, expiresMs: Math.min(now + idleMs, found.session.created_ms + maxMs) }
    },
    async isAlive({ sessionId, role }) {
      const operator = activeOperator(await operators.findSession(sessionId), clock())
      return operator !== null && operator.role === role
    },
  }
}
