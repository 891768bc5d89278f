import type { FailureCode } from '#lib/browser/request-failure.ts'
import type { Tone } from '#lib/browser/status-display.ts'
import type { MessageKey } from '#lib/i18n/translator.ts'

interface FailureMessage {
  readonly tone: Tone
  readonly message: MessageKey
}

/** It is unknown whether the request was recorded. The user may send it again with the same key. */
const unclear: FailureMessage = { tone: 'unsure', message: 'withdraw.failed.unclear' }
const underWay: FailureMessage = { tone: 'wait', message: 'withdraw.failed.underWay' }
const nothingSent: FailureMessage = { tone: 'bad', message: 'withdraw.failed.nothingSent' }

/** What the review shows after a failed request. */
export const REQUEST_MESSAGES: Readonly<Record<FailureCode, FailureMessage>> = {
  offline: unclear,
  timeout: unclear,
  unreadable: unclear,
  internal: unclear,
  store_unavailable: unclear,
  conflict: underWay,
  outcome_unknown: { tone: 'unsure', message: 'withdraw.failed.twin' },
  rate_limited: { tone: 'wait', message: 'withdraw.failed.tooMany' },
  gateway_unavailable: nothingSent,
  gateway_misconfigured: nothingSent,
  unauthenticated: nothingSent,
  session_ended: nothingSent,
  flow_not_allowed: nothingSent,
  role_required: nothingSent,
  fresh_passkey_required: nothingSent,
  not_found: nothingSent,
  not_available: nothingSent,
  invalid_request: nothingSent,
  payload_too_large: nothingSent,
  declined: nothingSent,
  insufficient_balance: nothingSent,
  idempotency_mismatch: nothingSent,
  forbidden_origin: nothingSent,
  scope_required: nothingSent,
  method_not_allowed: nothingSent,
  unsupported_media_type: nothingSent,
  unsafe_link: nothingSent,
  cursor_lost: nothingSent,
}
