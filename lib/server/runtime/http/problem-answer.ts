/** Turns any error into one RFC 9457 answer. The text of an error that is no `Problem` never leaves the process. */
import { isProblem, Problem, PROBLEM_STATUS, type ProblemCode } from '#lib/contract/problems.ts'
import { BrokenInvariant } from '../../ledger/invariant.ts'
import { isStoreFailure } from '../../store/database/store-fault.ts'
import type { Log } from '../log.ts'
import { NO_STORE, TextAnswer } from './answer.ts'

const TITLES: Readonly<Record<ProblemCode, string>> = {
  invalid_request: 'The request is not valid',
  idempotency_mismatch: 'The idempotency key was used for another request',
  unauthenticated: 'Not authenticated',
  forbidden_origin: 'The call is not from our own page',
  flow_not_allowed: 'The session does not have this flow',
  scope_required: 'The key lacks the scope of this call',
  declined: 'Declined by the merchant',
  role_required: 'Your role may not do this',
  fresh_passkey_required: 'Use your passkey again',
  not_found: 'Not found',
  method_not_allowed: 'Method not allowed',
  conflict: 'Conflict with the present state',
  insufficient_balance: 'Not enough balance',
  outcome_unknown: 'The outcome of an earlier request is not known yet',
  session_ended: 'The session has ended',
  cursor_lost: 'The cursor does not belong to this feed',
  payload_too_large: 'The body is too large',
  unsupported_media_type: 'Unsupported media type',
  rate_limited: 'Too many requests',
  internal: 'Something went wrong on our side',
  not_available: 'Not available',
  unsafe_link: 'The provider sent a link that we do not trust',
  gateway_misconfigured: 'The payment gateway refused our credentials',
  gateway_unavailable: 'The payment gateway cannot be reached',
  store_unavailable: 'Our database cannot be reached',
}

/** The wait if the problem names none. */
const USUAL_WAIT_S = 2

const statusOf = ({ code, extras }: Problem): number => extras.status ?? PROBLEM_STATUS[code]

/** The problem that a caller sees for anything that was thrown. */
export function problemOf(error: unknown): Problem {
  if (isProblem(error)) return error
  if (isStoreFailure(error)) {
    return new Problem('store_unavailable', 'Please try again in a moment.', { retryAfterS: 2, cause: error })
  }
  return new Problem('internal', 'Please try again. If it happens again, quote the request id.', { cause: error })
}

/** @param more headers for this answer alone, such as `allow` */
export function problemAnswer(
  problem: Problem,
  requestId: string,
  more: Readonly<Record<string, string>> = {},
): TextAnswer {
  const { code, detail, extras } = problem
  const status = statusOf(problem)
  const { errors, withdrawal_id, withdrawal_status, unowned, settled_by, settled_at, challenge } = extras
  const retryAfterS = extras.retryAfterS ?? (status === 429 || status === 503 ? USUAL_WAIT_S : undefined)
  const body = {
    type: `urn:cashier:problem:${code}`,
    title: TITLES[code],
    status,
    detail,
    code,
    request_id: requestId,
    ...(errors && { errors }),
    ...(withdrawal_id !== undefined && { withdrawal_id }),
    ...(withdrawal_status !== undefined && { withdrawal_status }),
    ...(unowned !== undefined && { unowned }),
    ...(settled_by !== undefined && { settled_by, settled_at }),
  }
  return new TextAnswer(JSON.stringify(body), {
    status,
    headers: {
      'content-type': 'application/problem+json',
      ...NO_STORE,
      ...(retryAfterS !== undefined && { 'retry-after': String(Math.max(1, Math.ceil(retryAfterS))) }),
      ...(challenge !== undefined && { 'www-authenticate': challenge }),
      ...more,
    },
  })
}

export type ProblemLog = Pick<Log, 'error' | 'warn' | 'info'>

/** Statuses of refused callers, which are logged; other faults of callers are not. */
const REFUSALS: ReadonlySet<number> = new Set([401, 403, 429])
/**
 * The route of the gateway's webhooks. Nobody here sees the answers that the gateway gets, so the log has the reason of
 * every refusal.
 */
const WEBHOOKS = 'webhooks.gateway'

/** A cause may quote what a stranger sent, so the log takes its beginning. */
const MOST_CAUSE = 200

/** Why a call was refused, where the answer does not say it. */
function causeOf({ cause }: Problem): { readonly reason?: string } {
  const text = cause instanceof Error ? cause.message : cause
  return typeof text === 'string' ? { reason: text.slice(0, MOST_CAUSE) } : {}
}

/** Logs a failure of ours or of the database, and each refused caller. */
export function logProblem(log: ProblemLog, problem: Problem, requestId: string, route: string): void {
  const status = PROBLEM_STATUS[problem.code]
  const what = { request_id: requestId, route, code: problem.code }
  if (status < 500) {
    if (route === WEBHOOKS) log.info({ ...what, reason: problem.detail }, 'refused')
    else if (REFUSALS.has(status)) log.info({ ...what, ...causeOf(problem) }, 'refused')
    return
  }
  const fields = { ...what, err: problem.cause ?? problem }
  if (problem.code === 'internal' || problem.cause instanceof BrokenInvariant) log.error(fields, 'a request failed')
  else log.warn(fields, 'a request could not be answered')
}
