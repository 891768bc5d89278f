import { createSessionRequest } from '#lib/contract/session-requests.ts'
import { Problem } from '#lib/contract/problems.ts'
import { readLastEventId } from '../stream/sse-text.ts'
import { openUserStream } from '../stream/sse.ts'
import type { AppParts } from './app-parts.ts'
import type { App } from './app.ts'
import { composePages } from './compose-pages.ts'
import { sessionLimits } from './compose-sessions.ts'
import { createFramingWarnings } from './framing-warnings.ts'
import { deliveryViewAuthenticator } from './http/authenticate-delivery-view.ts'
import { OPERATOR_LIMITS, operatorAuthenticator } from './http/authenticate-operator.ts'
import { sessionAuthenticator } from './http/authenticate-session.ts'
import { requireBearer } from './http/bearer.ts'
import { byteBudget } from './http/byte-budget.ts'
import { INTERNAL } from './http/inbound-headers.ts'
import type { HeaderReader } from './http/inbound-request.ts'
import { operatorCookie } from './http/operator-cookie.ts'
import { pageGate } from './http/page-gate.ts'
import { logProblem, problemOf } from './http/problem-answer.ts'
import { requireLaunchOrigin } from './http/require-origin.ts'
import { staticPages } from './static-pages/static-pages.ts'

/** For webhooks, of about 1.5 kB each. */
const UNVERIFIED_BODIES = { most: 32 * 1024 * 1024, small: 16 * 1024 }

/** Others are ours: a webhook that could not be stored is sent again. */
const REFUSALS: ReadonlySet<string> = new Set(['unauthenticated', 'invalid_request', 'payload_too_large'])

/** Without a token, only this machine may know that there are metrics. */
function requireLocalCall(headers: HeaderReader): void {
  if (headers.get(INTERNAL.local) !== '1') throw new Problem('not_found', 'There is nothing here.')
}

/** The application for route files and pages. */
export function composeApp(parts: AppParts): App {
  const { config, log, metrics, hub, useCases, rateLimits } = parts
  const { publicUrl } = config
  const limits = sessionLimits(config)
  const authenticator = sessionAuthenticator({
    sessions: parts.store.sessions,
    noteUse: parts.noteUse,
    limits,
    clock: parts.clock,
    cookies: parts.cookies,
    rateLimits,
    publicUrl,
  })
  const cookie = operatorCookie(config.sessionSecrets, OPERATOR_LIMITS.maxMs / 1000)
  const operators = operatorAuthenticator({
    operators: parts.store.operators,
    cookie,
    publicUrl,
    enabled: config.operators,
    clock: parts.clock,
  })
  return {
    useCases,
    authenticator,
    requireMerchant: parts.merchants.require,
    console: parts.console,
    operatorAuthenticator: operators,
    operatorCookie: cookie,
    deliveryViewAuthenticator: deliveryViewAuthenticator({ requireSession: useCases.requireDeliveryView }, publicUrl),
    requireMetricsToken: config.metricsToken === null ? requireLocalCall : requireBearer([config.metricsToken]),
    requireLaunchOrigin: (headers) => requireLaunchOrigin(headers, publicUrl),
    createSessionRequest: createSessionRequest(config.embedOrigins),
    rateLimits,
    trustProxy: config.trustProxy,
    // With the limits off, every page waits and none is refused.
    pageGate: pageGate({ authenticator, operators, rateLimits, ...(!config.rateLimit && { mostWaiting: Infinity }) }),
    readiness: parts.readiness,
    version: parts.version,
    staticPages: staticPages(config),
    pages: composePages(parts, authenticator),
    openStream: (session, lastEventId) =>
      openUserStream(hub, {
        user: session.user_reference_id,
        sessionId: session.id,
        after: readLastEventId(lastEventId, null),
        endsMs: session.created_ms + limits.maxMs,
      }),
    warnOfFraming: createFramingWarnings(config.embedOrigins, log),
    unverifiedBodies: byteBudget(UNVERIFIED_BODIES),
    webhookRefused(code) {
      metrics.webhook(code)
      if (REFUSALS.has(code)) parts.reports?.webhookRefused(code)
    },
    metrics,
    log,
    problemOf(error, requestId, route) {
      const problem = problemOf(error)
      logProblem(log, problem, requestId, route)
      return problem
    },
  }
}
