/** Turns a failed reply into a `GatewayError`, by its status and body alone. */
import { canonicalId, UUID } from '#lib/contract/canonical-id.ts'
import { LONGEST_NAME, storableText } from './storable-text.ts'
import * as z from 'zod'
import {
  AuthenticationError,
  ForbiddenError,
  NotAvailableError,
  OutcomeUnknownError,
  RateLimitedError,
  RejectedError,
  RejectedWithTransactionError,
  UnreadableReplyError,
  ValidationError,
  type GatewayError,
  type GatewayErrorDetails,
} from './errors.ts'
import type { StatusReader } from './status-words.ts'

export interface FailedReply {
  readonly operation: string
  /** True for a withdrawal: an unreadable reply to it never counts as a refusal, under any status. */
  readonly movesMoney: boolean
  readonly status: number
  /** The body from `parseLosslessJson`; undefined if it is not JSON. */
  readonly body: unknown
  /** `Retry-After` as received. */
  readonly retryAfter?: string | undefined
  /** `X-Request-Id` of the reply, used if the body has no id. */
  readonly requestId?: string | undefined
  readonly statuses: StatusReader
  /** Now in milliseconds since 1970, to convert a `Retry-After` that is a date. */
  readonly now: number
}

const text = z.string().transform(storableText)

/** `Error_Response` and the `{message}` of the authentication table: only the message is in both. */
const messageBody = z.object({ message: text })
/** Fields, and messages about one field, of which the rest is not read. */
const MOST_FAULTS = 50
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
const firstOf = (value: unknown): unknown => (Array.isArray(value) ? value.slice(0, MOST_FAULTS) : value)
const fields = z
  .custom<Readonly<Record<string, unknown>>>((value) => isObject(value) && !Array.isArray(value))
  .transform((value) => Object.fromEntries(Object.entries(value).slice(0, MOST_FAULTS)))
  .pipe(z.record(z.string().transform(storableText), z.unknown().transform(firstOf).pipe(z.array(text))))
/** `Validation_Error_Response`. */
const validationBody = z.object({ error: text, errors: fields })
const withRequestId = z.object({ request_id: z.string().max(LONGEST_NAME) })
const withTransaction = z.object({ transaction_uuid: z.unknown().optional(), status: z.unknown().optional() })

/**
 * Statuses of a payout that was made or may still be made, compared as whole texts, however their words are joined: a reply
 * with such a status is not a refusal. A reply with another text, such as the reason phrase of an HTTP status, may be one.
 */
const UNDER_WAY = new Set([
  'new',
  'created',
  'accepted',
  'received',
  'queued',
  'submitted',
  'initiated',
  'pending',
  'processing',
  'in_progress',
  'awaiting_approval',
  'approved',
  'sent',
  'broadcast',
  'confirming',
  'succeeded',
  'success',
  'completed',
])

const joined = (status: string): string =>
  status
    .trim()
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_')

/** A status that the installation has learned, or in the gateway's own words for transactions, is read as the list's. */
const isUnderWay = (status: string, statuses: StatusReader): boolean =>
  statuses.isLearned(status) || status.trim().toLowerCase().startsWith('txn_')
    ? statuses.record(status) !== 'failed'
    : UNDER_WAY.has(joined(status)) || statuses.payout(status) === 'awaiting_approval'

/** The messages of the authentication table that come with 400 instead of 401. */
const NONCE_FAULTS = new Set(['nonce too short', 'invalid nonce'])

const errorBody = z.object({ error: z.literal(true) })

/** True for a body that declares itself an error (`Error_Response.error`), under any status. */
export const isErrorBody = (body: unknown): boolean => errorBody.safeParse(body).success

/** `Retry-After` in whole seconds: a count, or a date. */
function secondsOf(retryAfter: string | undefined, now: number): number | undefined {
  if (retryAfter === undefined) return undefined
  if (/^\d{1,9}$/.test(retryAfter)) return Number.parseInt(retryAfter, 10)
  const date = Date.parse(retryAfter)
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000))
}

interface Reading {
  readonly reply: FailedReply
  readonly message: string
  /** Set if the body is a `Validation_Error_Response`. */
  readonly fields: Readonly<Record<string, readonly string[]>> | undefined
  readonly details: GatewayErrorDetails
}

type Rule = (reading: Reading) => GatewayError

const outcomeUnknown: Rule = ({ message, details }) => new OutcomeUnknownError(message, details)
const unreadable: Rule = ({ message, details }) => new UnreadableReplyError(message, details)
const authentication: Rule = ({ message, details }) => new AuthenticationError(message, details)
const rejected: Rule = ({ message, details }) => new RejectedError(message, details)
const rateLimited: Rule = ({ reply, message, details }) =>
  new RateLimitedError(message, secondsOf(reply.retryAfter, reply.now), details)
const invalid: Rule = ({ message, fields, details }) => new ValidationError(message, fields ?? {}, details)

/** What a readable 4xx means; every other 4xx is a plain refusal. */
const REFUSALS: Readonly<Record<number, Rule>> = {
  400: (reading) => {
    if (reading.fields) return invalid(reading)
    return NONCE_FAULTS.has(reading.message.trim().toLowerCase()) ? authentication(reading) : rejected(reading)
  },
  401: authentication,
  403: ({ message, details }) => new ForbiddenError(message, details),
  422: invalid,
  429: rateLimited,
}
/** What an unreadable 4xx means by its status alone, for calls that do not move money. */
const BY_STATUS_ALONE: Readonly<Record<number, Rule>> = { 401: authentication, 429: rateLimited }

function ruleFor({ status, movesMoney }: FailedReply, readable: boolean): Rule {
  if (status < 300) return unreadable
  if (status === 501 && readable && !movesMoney)
    return ({ message, details }) => new NotAvailableError(message, details)
  if (status < 400 || status === 408 || status >= 500) return outcomeUnknown
  if (readable) return REFUSALS[status] ?? rejected
  return (movesMoney ? undefined : BY_STATUS_ALONE[status]) ?? unreadable
}

/**
 * The error for a reply outside 2xx, or for a 2xx whose body is an error. An error body that names a `transaction_uuid`
 * means that a transaction exists, under any status. An error body that reports a payout under way without naming it
 * leaves the outcome of a withdrawal unknown (docs/explanation/money.md, "What a withdraw call says").
 */
export function classifyFailure(reply: FailedReply): GatewayError {
  const { operation, status, body } = reply
  const requestId = withRequestId.safeParse(body).data?.request_id ?? reply.requestId
  const details = { operation, status, ...(requestId === undefined ? {} : { requestId }) }
  const validation = validationBody.safeParse(body)
  const text = messageBody.safeParse(body).data?.message ?? validation.data?.error
  const reading = { reply, message: text ?? `the gateway answered ${status}`, fields: validation.data?.errors, details }
  const { transaction_uuid: uuid, status: transactionStatus } = withTransaction.safeParse(body).data ?? {}
  if (uuid === undefined || uuid === null || uuid === '') {
    const mayExist = typeof transactionStatus === 'string' && isUnderWay(transactionStatus, reply.statuses)
    if (reply.movesMoney && mayExist) return outcomeUnknown(reading)
    return ruleFor(reply, text !== undefined)(reading)
  }
  // Without a valid UUID we cannot follow the transaction, but it may exist.
  if (typeof uuid !== 'string' || !UUID.test(uuid)) return unreadable(reading)
  return new RejectedWithTransactionError(
    reading.message,
    canonicalId(uuid),
    typeof transactionStatus === 'string' ? transactionStatus : null,
    details,
  )
}

/** True if the same read may succeed a moment later. */
export function isTransient({ kind, status }: GatewayError): boolean {
  if (kind === 'unreachable') return true
  return kind === 'outcome_unknown' && (status === undefined || status === 408 || status >= 500)
}
