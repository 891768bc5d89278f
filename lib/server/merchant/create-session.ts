import { FLOWS } from '#lib/contract/cashier.ts'
import type { NewSession, Store } from '../store/port.ts'
import { hashLaunchToken, LAUNCH_TOKEN_LIFE_MS, makeLaunchToken } from './launch-token.ts'
import type { SessionRequest } from './session-request.ts'

export interface CreateSessionDeps {
  readonly sessions: Pick<Store['sessions'], 'addSession'>
  readonly publicUrl: string
  /** Seals the token. */
  readonly secret: string
  readonly clock: () => number
  readonly newId: () => string
  readonly randomBytes: (size: number) => Buffer
}

export interface CreatedSession {
  readonly session_id: string
  readonly launch_token: string
  /** For top-level use: a page that posts the token, so that a link preview does not burn it. */
  readonly launch_url: string
  /** The token's end, ISO 8601. */
  readonly expires_at: string
}

/** Records a session of a user, who is known from then on, and gives the one token that launches it. */
export async function createSession(deps: CreateSessionDeps, request: SessionRequest): Promise<CreatedSession> {
  const now = deps.clock()
  const session: NewSession = {
    id: deps.newId(),
    user_reference_id: request.user_reference_id,
    flows: request.flows ?? FLOWS,
    locale: request.locale ?? null,
    theme: request.theme ?? null,
    tokens: request.tokens ?? null,
    support_url: request.support_url ?? null,
    country: request.country ?? null,
    currency_ids: request.currency_ids ?? null,
    return_url: request.return_url ?? null,
    created_ms: now,
  }
  const token = makeLaunchToken(deps.secret, deps.randomBytes)
  const expires_ms = now + LAUNCH_TOKEN_LIFE_MS
  await deps.sessions.addSession(session, { hash: hashLaunchToken(token), expires_ms })
  return {
    session_id: session.id,
    launch_token: token,
    launch_url: `${deps.publicUrl}/launch?token=${token}`,
    expires_at: new Date(expires_ms).toISOString(),
  }
}
