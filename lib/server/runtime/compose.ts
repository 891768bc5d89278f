/** The composition root of what answers requests: the application with its dependencies given. */
import { createSessionRequest } from '#lib/contract/merchant-requests.ts'
import { Problem } from '#lib/contract/problems.ts'
import type { App, Readiness } from './app.ts'
import type { Config } from './config/config.ts'
import { sessionAuthenticator } from './http/authenticate-session.ts'
import { requireBearer } from './http/bearer.ts'
import { byteBudget } from './http/byte-budget.ts'
import { INTERNAL } from './http/inbound-headers.ts'
import { logProblem, problemOf, type ProblemLog } from './http/problem-answer.ts'
import { pageGate } from './http/page-gate.ts'
import type { RateLimits } from './http/rate-limits.ts'
import type { HeaderReader } from './http/inbound-request.ts'
import { requireLaunchOrigin } from './http/require-origin.ts'
import { sessionCookies } from './http/session-cookie.ts'
import type { Metrics } from './metrics.ts'
import { pagesOf } from './pages.ts'
import { sessionUseCases } from './session-use-cases.ts'
import { firstFiles } from './static-pages/first-files.ts'
import { staticPages } from './static-pages/static-pages.ts'
import type { Store } from '../store/port.ts'
import type { StreamHub } from '../stream/hub.ts'
import { readLastEventId } from '../stream/sse-text.ts'
import { openEventStream } from '../stream/sse.ts'
import type { UseCases } from './compose-use-cases.ts'

export interface Parts {
  readonly config: Config
  readonly log: ProblemLog
  readonly metrics: App['metrics'] & Pick<Metrics, 'text'>
  readonly sessions: Store['sessions']
  readonly hub: StreamHub
  readonly useCases: UseCases
  readonly rateLimits: RateLimits
  readonly readiness: Readiness
  /** Milliseconds since 1970. */
  readonly clock: () => number
  readonly newId: () => string
  readonly randomBytes: (size: number) => Buffer
}

/** A webhook has about 1.5 kB. */
const UNVERIFIED_BODIES = { most: 32 * 1024 * 1024, small: 16 * 1024 }

/** Without a token nobody but this machine is told that there are metrics. */
function requireLocalCall(headers: HeaderReader): void {
  if (headers.get(INTERNAL.local) !== '1') throw new Problem('not_found', 'There is nothing here.')
}

export function compose(parts: Parts): App {
  const { config, log, metrics, sessions, hub, rateLimits, clock, newId, randomBytes } = parts
  const { publicUrl, sessionSecrets } = config
  const limits = { idleMs: config.sessionIdleS * 1000, maxMs: config.sessionMaxS * 1000 }
  const cookies = sessionCookies(sessionSecrets, config.sessionMaxS)
  const authenticator = sessionAuthenticator({ sessions, limits, clock, cookies, rateLimits, publicUrl })
  const forSessions = sessionUseCases({
    sessions,
    cookies,
    limits,
    publicUrl,
    onramp: config.onrampOrigins.length > 0,
    listedCurrencies: () => parts.useCases.listedCurrencies(),
    secret: sessionSecrets[0],
    secrets: sessionSecrets,
    clock,
    newId,
    randomBytes,
    onSessionEnded: (id) => hub.endSession(id),
  })
  const useCases: App['useCases'] = {
    ...parts.useCases,
    ...forSessions,
    /** The session exists whether or not that works. */
    async userBecameKnown(user_reference_id) {
      try {
        await parts.useCases.userBecameKnown(user_reference_id)
      } catch (error) {
        log.error({ err: error }, 'quarantined events of a new user could not be applied; the next session tries again')
      }
    },
  }

  return {
    useCases,
    authenticator,
    requireMerchant: requireBearer(config.merchantApiKeys),
    requireMetricsToken: config.metricsToken === null ? requireLocalCall : requireBearer([config.metricsToken]),
    requireLaunchOrigin: (headers) => requireLaunchOrigin(headers, publicUrl),
    createSessionRequest: createSessionRequest(config.embedOrigins),
    rateLimits,
    trustProxy: config.trustProxy,
    // With the limits off all wait, and none is refused.
    pageGate: pageGate({ authenticator, rateLimits, ...(!config.rateLimit && { mostWaiting: Infinity }) }),
    readiness: parts.readiness,
    staticPages: staticPages(config, process.env['NODE_ENV'] === 'production' ? firstFiles() : []),
    pages: pagesOf({ authenticator, useCases, rateLimits, hub, config, log, newId }),
    openStream: (session, lastEventId) =>
      openEventStream(hub, {
        user: session.user_reference_id,
        sessionId: session.id,
        after: readLastEventId(lastEventId, null),
      }),
    unverifiedBodies: byteBudget(UNVERIFIED_BODIES),
    metrics,
    log,
    problemOf(error, requestId, route) {
      const problem = problemOf(error)
      logProblem(log, problem, requestId, route)
      return problem
    },
  }
}
