import type { FailureCode } from '#lib/browser/request-failure.ts'
import type { Tone } from '#lib/browser/transaction-status.ts'
import type { MessageKey } from '#lib/i18n/translator.ts'

interface ProblemWords {
  readonly title: MessageKey
  readonly body: MessageKey
  readonly tone: Tone
  /** Whether the same thing tried again may work. */
  readonly retry: boolean
}

type ProblemName =
  | 'offline'
  | 'timeout'
  | 'gateway'
  | 'rateLimited'
  | 'sessionEnded'
  | 'flow'
  | 'currencyGone'
  | 'notAvailable'
  | 'invalid'
  | 'other'

const words = (name: ProblemName, tone: Tone, retry: boolean): ProblemWords => ({
  title: `problem.${name}.title`,
  body: `problem.${name}.body`,
  tone,
  retry,
})

const OTHER = words('other', 'bad', true)
const GATEWAY = words('gateway', 'wait', true)

/** How a failed call is put into words. `declined` and the like belong to the screen where they can happen. */
export const PROBLEM_WORDS: Readonly<Record<FailureCode, ProblemWords>> = {
  offline: words('offline', 'wait', true),
  timeout: words('timeout', 'wait', true),
  unreadable: OTHER,
  gateway_unavailable: GATEWAY,
  gateway_misconfigured: GATEWAY,
  store_unavailable: GATEWAY,
  rate_limited: words('rateLimited', 'wait', true),
  unauthenticated: words('sessionEnded', 'plain', false),
  session_ended: words('sessionEnded', 'plain', false),
  flow_not_allowed: words('flow', 'plain', false),
  not_found: words('currencyGone', 'plain', false),
  not_available: words('notAvailable', 'plain', false),
  invalid_request: words('invalid', 'bad', false),
  payload_too_large: words('invalid', 'bad', false),
  declined: OTHER,
  conflict: OTHER,
  insufficient_balance: OTHER,
  outcome_unknown: OTHER,
  idempotency_mismatch: OTHER,
  forbidden_origin: OTHER,
  method_not_allowed: OTHER,
  unsupported_media_type: OTHER,
  unsafe_link: OTHER,
  internal: OTHER,
}
