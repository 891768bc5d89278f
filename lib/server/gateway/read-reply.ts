import { UnreadableReplyError } from './errors.ts'
import { classifyFailure, isErrorBody, type FailedReply } from './classify-failure.ts'
import { JsonFault, parseLosslessJson, type LosslessJsonOptions } from './lossless-json.ts'
import type { Operation } from './operations.ts'
import { LONGEST_UNREAD } from './storable-text.ts'
import type { WireReply } from './transport.ts'

/** The body as a value; undefined if it is not JSON. */
function jsonOf(body: Uint8Array, options: LosslessJsonOptions = {}): unknown {
  try {
    return parseLosslessJson(body, { longestText: LONGEST_UNREAD, ...options })
  } catch (error) {
    if (error instanceof JsonFault) return undefined
    throw error
  }
}

const headerText = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value[0] : value

/** The reply's value; throws the `GatewayError` of a failed reply. `now` is in milliseconds since 1970. */
export function readReply<Reply>(
  operation: Operation<Reply>,
  wire: WireReply,
  { now, statuses }: Pick<FailedReply, 'now' | 'statuses'>,
): Reply {
  const { status, headers } = wire
  const isSuccess = status >= 200 && status <= 299
  const body = isSuccess ? jsonOf(wire.body) : undefined
  const requestId = headerText(headers['x-request-id'])
  if (!isSuccess || isErrorBody(body)) {
    const { name, movesMoney } = operation
    // Numbers become 0: a failure has no number that we need, and a number must not pass for a text.
    const failure = jsonOf(wire.body, { readNumber: () => 0 })
    const retryAfter = headers['retry-after']
    throw classifyFailure({ operation: name, movesMoney, status, body: failure, retryAfter, requestId, now, statuses })
  }
  const read = operation.reply.safeParse(body)
  if (read.success) return read.data
  const details = { operation: operation.name, status, ...(requestId === undefined ? {} : { requestId }) }
  throw new UnreadableReplyError('the reply has another shape', { ...details, cause: read.error })
}
