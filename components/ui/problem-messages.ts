import type { FailureCode } from '#lib/browser/request-failure.ts'
import type { Tone } from '#lib/browser/status-display.ts'
import type { MessageKey } from '#lib/i18n/translator.ts'

interface ProblemMessages {
  readonly title: MessageKey
  readonly body: MessageKey
  readonly tone: Tone
  /** Trying again may help. */
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
  | 'unsafeLink'
  | 'invalid'
  | 'other'

const messages = (name: ProblemName, tone: Tone, retry: boolean): ProblemMessages => ({
  title: `problem.${name}.title`,
  body: `problem.${name}.body`,
  tone,
  retry,
})

const OTHER = messages('other', 'bad', true)
const GATEWAY = messages('gateway', 'wait', true)

/** Messages of a failed call. A code that only one flow has, such as `declined`, has its message in that flow. */
export const PROBLEM_MESSAGES: Readonly<Record<FailureCode, ProblemMessages>> = {
  offline: messages('offline', 'wait', true),
  timeout: messages('timeout', 'wait', true),
  unreadable: OTHER,
  gateway_unavailable: GATEWAY,
  gateway_misconfigured: GATEWAY,
  store_unavailable: GATEWAY,
  rate_limited: messages('rateLimited', 'wait', true),
  unauthenticated: messages('sessionEnded', 'plain', false),
  session_ended: messages('sessionEnded', 'plain', false),
  flow_not_allowed: messages('flow', 'plain', false),
  not_found: messages('currencyGone', 'plain', false),
  not_available: messages('notAvailable', 'plain', false),
  invalid_request: messages('invalid', 'bad', false),
  payload_too_large: messages('invalid', 'bad', false),
  declined: OTHER,
  role_required: OTHER,
  fresh_passkey_required: OTHER,
  conflict: OTHER,
  insufficient_balance: OTHER,
  outcome_unknown: OTHER,
  idempotency_mismatch: OTHER,
  forbidden_origin: OTHER,
  scope_required: OTHER,
  method_not_allowed: OTHER,
  unsupported_media_type: OTHER,
  unsafe_link: messages('unsafeLink', 'bad', false),
  cursor_lost: OTHER,
  internal: OTHER,
}
