/**
 * The problem codes of the BFF and their HTTP status. The server answers by this table; the page has a message for
 * each.
 */
export const PROBLEM_STATUS = {
  invalid_request: 422,
  idempotency_mismatch: 422,
  unauthenticated: 401,
  session_ended: 401,
  forbidden_origin: 403,
  flow_not_allowed: 403,
  scope_required: 403,
  declined: 403,
  role_required: 403,
  fresh_passkey_required: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  insufficient_balance: 409,
  outcome_unknown: 409,
  cursor_lost: 410,
  payload_too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  internal: 500,
  not_available: 501,
  unsafe_link: 502,
  gateway_misconfigured: 502,
  gateway_unavailable: 503,
  store_unavailable: 503,
} as const satisfies Record<string, number>

export type ProblemCode = keyof typeof PROBLEM_STATUS

export const isProblemCode = (text: string): text is ProblemCode => Object.hasOwn(PROBLEM_STATUS, text)

export interface ProblemExtras {
  /** For `invalid_request`: what each faulty field may contain, by field name. */
  readonly errors?: Readonly<Record<string, readonly string[]>>
  /** For `declined`: the withdrawal that the merchant declined. */
  readonly withdrawal_id?: string
  /** For a `conflict` with a resolution: the payouts of the user that nobody owns. */
  readonly unowned?: readonly string[]
  /** For a `conflict` with a decision: the withdrawal's status. */
  readonly withdrawal_status?: string
  /** For a `conflict` in the console: who was faster, and when (ISO 8601). */
  readonly settled_by?: string
  readonly settled_at?: string
  /** Seconds, for `rate_limited` and `gateway_unavailable`. */
  readonly retryAfterS?: number
  /** Replaces the code's own status: a used launch token gives 410. */
  readonly status?: number
  /** For `unauthenticated`: the scheme of `WWW-Authenticate`. */
  readonly challenge?: string
  /** For logs only; never sent. */
  readonly cause?: unknown
}

/** A failure that the caller sees: `code` decides the HTTP status; `detail` is sent and is for people. */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly detail: string
  readonly extras: ProblemExtras

  constructor(code: ProblemCode, detail: string, extras: ProblemExtras = {}) {
    super(`${code}: ${detail}`, { cause: extras.cause })
    this.name = 'Problem'
    this.code = code
    this.detail = detail
    this.extras = extras
  }
}

/** True for a `Problem` of any copy of this module. Next's bundles have their own, so `instanceof` is not enough. */
export const isProblem = (error: unknown): error is Problem =>
  error instanceof Error && error.name === 'Problem' && 'code' in error && isProblemCode(String(error.code))
