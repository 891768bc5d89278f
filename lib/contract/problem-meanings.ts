/** When each problem code is answered, in docs/reference/problem-codes.md. Links are relative to that page. */
import type { ProblemCode } from './problems.ts'

export const PROBLEM_MEANINGS: Readonly<Record<ProblemCode, string>> = {
  invalid_request:
    'a field, the query or the JSON is wrong, or the gateway refuses the values. 400 if a webhook cannot be read; 400, 408, 417 or 431 if it is no readable HTTP request',
  idempotency_mismatch: 'the `Idempotency-Key` was used with another body',
  unauthenticated: 'no or a wrong key, cookie, session or signature',
  session_ended: 'the session has ended. 410 at launch: the token was used, is too old, or its session is over',
  forbidden_origin: 'the call does not come from the cashier’s own page',
  flow_not_allowed: 'the session does not have this flow',
  declined: 'the merchant declined the withdrawal; `withdrawal_id` names it',
  not_found: 'no such path, currency, session or withdrawal, or not of this user',
  method_not_allowed: 'the route does not have this method; `Allow` names those that it has',
  conflict:
    'the state no longer allows the step (`withdrawal_status` says where a withdrawal stands), or a request with the same key is running',
  insufficient_balance: 'less is available than asked for',
  outcome_unknown: 'the [same withdrawal](../explanation/money.md#same-withdrawal-again) is still `unknown`',
  cursor_lost: 'the cursor comes from another database, from before a restore, or is ahead of the feed',
  payload_too_large: 'the body is over its limit',
  unsupported_media_type: 'the body is neither JSON nor, at launch, a form',
  rate_limited: 'over a [rate limit](#rate-limits); with `Retry-After`',
  internal: 'a fault of the cashier',
  not_available: 'switched off here, or the gateway does not offer or allow it',
  unsafe_link: 'the provider’s link is not https or outside `ONRAMP_ORIGINS`',
  gateway_misconfigured: 'the gateway refused our key or signature',
  gateway_unavailable: 'the gateway cannot be reached, answered 429, or its reply cannot be read; with `Retry-After`',
  store_unavailable: 'the database cannot be reached or is locked for too long; nothing is stored. With `Retry-After`',
}
