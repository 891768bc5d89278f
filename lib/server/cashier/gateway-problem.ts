import { Problem } from '#lib/contract/problems.ts'
import { isGatewayError, RateLimitedError, ValidationError, type GatewayError } from '../gateway/errors.ts'

const FIELD = /^[A-Za-z0-9_.]{1,64}$/

/** Fields that have another name in our requests. */
const OUR_NAMES = new Map([['custom_wallet_address', 'wallet_address']])

/** What the gateway's documentation says about fields whose values only the gateway can check. */
const ACCEPTED = new Map([
  ['transaction_types', 'known: Deposit, Payout'],
  ['after', 'give a cursor from an earlier answer'],
  ['before', 'give a cursor from an earlier answer'],
])

const refusalOf = (name: string): string => {
  const accepted = ACCEPTED.get(name.split('.')[0] ?? name)
  return `The payment gateway does not accept this value${accepted === undefined ? '.' : `; ${accepted}.`}`
}

/** The fields that the gateway refused, by their names in our request. The gateway's messages are not passed on. */
function fieldsOf(error: GatewayError): Record<string, string[]> {
  const fields = error instanceof ValidationError ? error.fields : {}
  const names = Object.keys(fields).filter((name) => FIELD.test(name))
  return Object.fromEntries(names.map((name) => [OUR_NAMES.get(name) ?? name, [refusalOf(name)]]))
}

const UNAVAILABLE = 'The payment gateway cannot be reached at the moment. Try again shortly.'

const unavailable = (error: GatewayError): Problem =>
  new Problem('gateway_unavailable', UNAVAILABLE, { cause: error, retryAfterS: 5 })

const PROBLEMS: Readonly<Record<GatewayError['kind'], (error: GatewayError) => Problem>> = {
  authentication: (cause) =>
    new Problem('gateway_misconfigured', 'The payment gateway refused our key or signature.', { cause }),
  validation: (cause) =>
    new Problem('invalid_request', 'The payment gateway does not accept these values.', {
      cause,
      errors: fieldsOf(cause),
    }),
  forbidden: (cause) => new Problem('not_available', 'The payment gateway does not allow this.', { cause }),
  not_available: (cause) => new Problem('not_available', 'The payment gateway does not offer this yet.', { cause }),
  rate_limited: (cause) =>
    new Problem('gateway_unavailable', 'The payment gateway asks us to slow down. Try again shortly.', {
      cause,
      retryAfterS: (cause instanceof RateLimitedError ? cause.retryAfterS : undefined) ?? 5,
    }),
  rejected_with_transaction: unavailable,
  rejected: (cause) => new Problem('invalid_request', 'The payment gateway refused this request.', { cause }),
  unreachable: unavailable,
  outcome_unknown: unavailable,
  unreadable: unavailable,
}

/**
 * The `Problem` of a failed gateway call (docs/reference/problem-codes.md, "Problem codes"); any other error passes
 * through.
 */
export const gatewayProblem = (error: unknown): unknown => (isGatewayError(error) ? PROBLEMS[error.kind](error) : error)
