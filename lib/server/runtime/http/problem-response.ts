/** From whatever was thrown to one RFC 9457 answer. What is no `Problem` is told without a word of its own text. */
import { Problem, PROBLEM_STATUS, type ProblemCode } from '#lib/contract/problems.ts'
import { isStoreFailure } from '../../store/failures.ts'

const TITLES: Readonly<Record<ProblemCode, string>> = {
  invalid_request: 'The request is not valid',
  idempotency_mismatch: 'The idempotency key was used for another request',
  unauthenticated: 'Not authenticated',
  forbidden_origin: 'Not from our own page',
  flow_not_allowed: 'The session does not have this flow',
  declined: 'Declined by the merchant',
  not_found: 'Not found',
  method_not_allowed: 'Method not allowed',
  conflict: 'Conflict with the present state',
  insufficient_balance: 'Not enough balance',
  outcome_unknown: 'The outcome of an earlier one is not known yet',
  session_ended: 'The session has ended',
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

/** An answer before it is a Web `Response` or written to a `ServerResponse`. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** What a caller is told of anything that was thrown. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (isStoreFailure(error)) {
    return new Problem('store_unavailable', 'Please try again in a moment.', { retryAfterS: 2, cause: error })
  }
  return new Problem('internal', 'Please try again. If it happens again, quote the request id.', { cause: error })
}

/**
 * @param more headers for this answer alone, such as `allow`
 * @param status where it is not the code's own: a webhook's body that is no event is 400
 */
export function problemAnswer(
  problem: Problem,
  requestId: string,
  more: Readonly<Record<string, string>> = {},
  status: number = PROBLEM_STATUS[problem.code],
): Answer {
  const { code, detail, extras } = problem
  const { errors, withdrawal_id, retryAfterS } = extras
  const body = {
    type: `urn:cashier:problem:${code}`,
    title: TITLES[code],
    status,
    detail,
    code,
    request_id: requestId,
    ...(errors && { errors }),
    ...(withdrawal_id !== undefined && { withdrawal_id }),
  }
  return {
    status,
    headers: {
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      ...(retryAfterS !== undefined && { 'retry-after': String(Math.max(1, Math.ceil(retryAfterS))) }),
      ...more,
    },
    body: JSON.stringify(body),
  }
}

export const responseOf = ({ status, headers, body }: Answer): Response => new Response(body, { status, headers })

/** `application/json` that no cache keeps. */
export const jsonResponse = (status: number, body: unknown): Response =>
  new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  })
