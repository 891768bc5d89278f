/** The meaning of each problem code, for docs/reference/problem-codes.md. Links are relative to that page. */
import type { ProblemCode } from './problems.ts'

export const PROBLEM_MEANINGS: Readonly<Record<ProblemCode, string>> = {
  invalid_request:
    'a field, the query or the JSON is wrong, or the gateway refuses the values. 400 if a webhook cannot be read; 400, 408, 417 or 431 if the HTTP request cannot be read',
  idempotency_mismatch: 'the `Idempotency-Key` was used with another body',
  unauthenticated: 'the key, cookie, session or signature is missing or wrong',
  session_ended: 'the session has ended. 410 at launch: the token was used or has expired, or its session has ended',
  forbidden_origin: 'the call does not come from the cashier’s own page',
  flow_not_allowed: 'the session does not have this flow',
  scope_required: 'the key lacks the call’s scope',
  declined: 'the merchant declined the withdrawal; `withdrawal_id` names it',
  role_required: 'the console: the operator’s role may not do this',
  fresh_passkey_required: 'the console: use the passkey again, then repeat',
  not_found: 'no such path, currency, session, withdrawal or payout, or not of this user',
  method_not_allowed: 'the route does not have this method; `Allow` lists its methods',
  conflict:
    'the state no longer allows the step (`withdrawal_status` is the withdrawal’s status; `unowned` the [payouts](../explanation/money.md#every-payout-has-an-owner) to decide about first), or a request with the same key is running',
  insufficient_balance: 'the available balance is less than the requested amount',
  outcome_unknown:
    'the [same withdrawal](../explanation/money.md#same-withdrawal-again) is still `unknown`, or a [restored backup](../guides/back-up.md#restore-a-backup) is not checked',
  cursor_lost:
    'the cursor comes from another database, from before a restore or the oldest event kept, or is ahead of the feed',
  payload_too_large: 'the body is over its limit',
  unsupported_media_type: 'the body is neither JSON nor, at launch, a form',
  rate_limited: 'over a [rate limit](#rate-limits); with `Retry-After`',
  internal: 'an error in the cashier',
  not_available: 'switched off in this installation, or the gateway does not offer or allow it',
  unsafe_link: 'the provider’s link is not https or is outside `ONRAMP_ORIGINS`',
  gateway_misconfigured: 'the gateway refused our key or signature',
  gateway_unavailable: 'the gateway cannot be reached or answered 429, or its reply cannot be read; with `Retry-After`',
  store_unavailable: 'the database cannot be reached or is locked for too long; nothing is stored. With `Retry-After`',
}
