import { FLOWS, type Currency } from '#lib/contract/cashier.ts'
import type { CreateSessionRequest } from '#lib/contract/session-requests.ts'
import type { NewSession, Store } from '../store/types.ts'
import { hashLaunchToken, LAUNCH_TOKEN_LIFE_MS, makeLaunchToken } from './launch-token.ts'
import { matchLocale } from './match-locale.ts'

export interface CreateSessionDeps {
  readonly sessions: Pick<Store['sessions'], 'addSession'>
  readonly publicUrl: string
  /** True if `ONRAMP_ORIGINS` is set. */
  readonly onramp: boolean
  /** The known currencies, without asking the gateway; empty if none are known. */
  readonly listedCurrencies: () => Promise<readonly Pick<Currency, 'id'>[]>
  /** Signs the token. */
  readonly secret: string
  readonly clock: () => number
  readonly newId: () => string
  readonly randomBytes: (size: number) => Buffer
}

export interface CreatedSession {
  readonly session_id: string
  readonly launch_token: string
  /** For top-level use: a page that posts the token, so that a link preview does not use it up. */
  readonly launch_url: string
  /** When the token expires, ISO 8601. */
  readonly expires_at: string
  /** What the session asks for and this installation does not have; absent if there is nothing of that kind. */
  readonly warnings?: readonly string[]
}

const NO_ONRAMP = 'flows: buy is not offered, because ONRAMP_ORIGINS is not set.'

/** The most currencies that a warning names. */
const MOST_NAMED = 20

async function unlisted({ listedCurrencies }: CreateSessionDeps, ids: readonly string[]): Promise<readonly string[]> {
  const listed = new Set((await listedCurrencies()).map(({ id }) => id))
  return listed.size === 0 ? [] : ids.filter((id) => !listed.has(id))
}

/** Warnings about what the page does not offer although the session names it. */
async function warningsFor(deps: CreateSessionDeps, request: CreateSessionRequest): Promise<readonly string[]> {
  const warnings = !deps.onramp && request.flows?.includes('buy') ? [NO_ONRAMP] : []
  const ids = request.currency_ids ? await unlisted(deps, request.currency_ids) : []
  if (ids.length === 0) return warnings
  const named = ids.slice(0, MOST_NAMED).join(', ')
  const more = ids.length > MOST_NAMED ? ` and ${ids.length - MOST_NAMED} more` : ''
  return [...warnings, `currency_ids: the gateway does not list ${named}${more}.`]
}

/** Creates a session. Its user is known from then on. Returns the session with the one token that launches it. */
export async function createSession(
  deps: CreateSessionDeps,
  request: CreateSessionRequest,
  requestId: string | null = null,
): Promise<CreatedSession> {
  const now = deps.clock()
  const session: NewSession = {
    id: deps.newId(),
    user_reference_id: request.user_reference_id,
    flows: request.flows ?? FLOWS,
    locale: request.locale === undefined ? null : matchLocale([request.locale]),
    theme: request.theme ?? null,
    tokens: request.tokens ?? null,
    support_url: request.support_url ?? null,
    country: request.country ?? null,
    currency_ids: request.currency_ids ?? null,
    return_url: request.return_url ?? null,
    account_label: request.account_label ?? null,
    merchant_name: request.merchant_name ?? null,
    metadata: request.metadata ?? null,
    own_wallet: request.own_wallet ?? false,
    created_ms: now,
  }
  const token = makeLaunchToken(deps.secret, deps.randomBytes)
  const expires_ms = now + LAUNCH_TOKEN_LIFE_MS
  const warnings = await warningsFor(deps, request)
  await deps.sessions.addSession(session, { hash: hashLaunchToken(token), expires_ms }, requestId)
  return {
    session_id: session.id,
    launch_token: token,
    launch_url: `${deps.publicUrl}/launch?token=${token}`,
    expires_at: new Date(expires_ms).toISOString(),
    ...(warnings.length > 0 && { warnings }),
  }
}
