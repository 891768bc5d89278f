/**
 * How a gateway call may fail: one class for each failure. `kind` is the tag to switch on (it survives bundling,
 * unlike `instanceof` across two copies of a module). `message` is for logs; it is never sent to a browser.
 */
export type GatewayFailure =
  /** 401, or a 400 from the gateway's authentication table: our key, signature, nonce or clock was refused. */
  | 'authentication'
  /** 422 Validation_Error_Response, with `fields`. */
  | 'validation'
  /** 403 Error_Response. */
  | 'forbidden'
  /** 501 Error_Response. */
  | 'not_available'
  /** 429, with `retryAfterS` if the gateway sent it. */
  | 'rate_limited'
  /** An error reply (any status) that names a `transactionUuid`: a transaction exists. */
  | 'rejected_with_transaction'
  /** Any other 4xx with one of the gateway's error bodies: refused, no transaction. */
  | 'rejected'
  /** The connection could not be opened: nothing was sent. */
  | 'unreachable'
  /** A timeout, a broken connection, 408, 3xx, 5xx: the gateway may or may not have done it. */
  | 'outcome_unknown'
  /** An unreadable reply (not JSON, another shape, over 2 MiB): the gateway may or may not have done it. */
  | 'unreadable'

export interface GatewayErrorDetails {
  readonly operation: string
  readonly status?: number
  readonly requestId?: string
  readonly cause?: unknown
}

export class GatewayError extends Error {
  readonly kind: GatewayFailure
  readonly operation: string
  /** HTTP status of the reply, if there was one. */
  readonly status: number | undefined
  /** The gateway's own `request_id`, if it sent one. */
  readonly requestId: string | undefined

  constructor(kind: GatewayFailure, message: string, details: GatewayErrorDetails) {
    super(message, { cause: details.cause })
    this.name = new.target.name
    this.kind = kind
    this.operation = details.operation
    this.status = details.status
    this.requestId = details.requestId
  }
}

export class AuthenticationError extends GatewayError {
  constructor(message: string, details: GatewayErrorDetails) {
    super('authentication', message, details)
  }
}

export class ValidationError extends GatewayError {
  /** Field name to the gateway's messages about it. */
  readonly fields: Readonly<Record<string, readonly string[]>>
  constructor(message: string, fields: Readonly<Record<string, readonly string[]>>, details: GatewayErrorDetails) {
    super('validation', message, details)
    this.fields = fields
  }
}

export class ForbiddenError extends GatewayError {
  constructor(message: string, details: GatewayErrorDetails) {
    super('forbidden', message, details)
  }
}

export class NotAvailableError extends GatewayError {
  constructor(message: string, details: GatewayErrorDetails) {
    super('not_available', message, details)
  }
}

export class RateLimitedError extends GatewayError {
  readonly retryAfterS: number | undefined
  constructor(message: string, retryAfterS: number | undefined, details: GatewayErrorDetails) {
    super('rate_limited', message, details)
    this.retryAfterS = retryAfterS
  }
}

export class RejectedWithTransactionError extends GatewayError {
  readonly transactionUuid: string
  /** The transaction's status in the reply, if it had one. */
  readonly transactionStatus: string | null
  constructor(
    message: string,
    transactionUuid: string,
    transactionStatus: string | null,
    details: GatewayErrorDetails,
  ) {
    super('rejected_with_transaction', message, details)
    this.transactionUuid = transactionUuid
    this.transactionStatus = transactionStatus
  }
}

export class RejectedError extends GatewayError {
  constructor(message: string, details: GatewayErrorDetails) {
    super('rejected', message, details)
  }
}

export class UnreachableError extends GatewayError {
  constructor(message: string, details: GatewayErrorDetails) {
    super('unreachable', message, details)
  }
}

export class OutcomeUnknownError extends GatewayError {
  constructor(message: string, details: GatewayErrorDetails) {
    super('outcome_unknown', message, details)
  }
}

export class UnreadableReplyError extends GatewayError {
  constructor(message: string, details: GatewayErrorDetails) {
    super('unreadable', message, details)
  }
}

/** True for a failure of a gateway call, even if another copy of this module made it. */
export const isGatewayError = (error: unknown): error is GatewayError =>
  error instanceof Error && 'kind' in error && 'operation' in error
