/**
 * The host's parser of `FrameMessage`. Written by hand, because a schema library would be several times the size of the
 * script; a test compares it with the schema in lib/contract/embed-protocol.ts.
 */
import { EMBED_VERSION, LINK, MAX_FILE_NAME, MAX_FRAME_HEIGHT } from '#lib/contract/embed-limits.ts'
import type { EmbedErrorCode, FrameMessage } from '#lib/contract/embed-protocol.ts'
import type { TransactionEvent } from '#lib/contract/stream.ts'

/** Returns the parsed value, or undefined if it does not match. */
type Read = (value: unknown) => unknown
type Fields = Readonly<Record<string, Read>>

const when =
  (is: (value: unknown) => boolean): Read =>
  (value) =>
    is(value) ? value : undefined

const text = when((value) => typeof value === 'string')
const textOrNull = when((value) => value === null || typeof value === 'string')
const oneOf = (...values: readonly unknown[]): Read => when((value) => values.includes(value))
const shortText = when((value) => typeof value === 'string' && value.length <= 500)
const fileName = when((value) => typeof value === 'string' && value !== '' && value.length <= MAX_FILE_NAME)
const height = when(
  (value) => Number.isInteger(value) && (value as number) >= 1 && (value as number) <= MAX_FRAME_HEIGHT,
)

/** A new object of the known fields. `optional` fields may be missing. */
function record(fields: Fields, optional: Fields = {}): (value: unknown) => Record<string, unknown> | undefined {
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    const from = value as Record<string, unknown>
    const result: Record<string, unknown> = {}
    for (const [name, read] of Object.entries({ ...fields, ...optional })) {
      if (from[name] === undefined && name in optional) continue
      if ((result[name] = read(from[name])) === undefined) return undefined
    }
    return result
  }
}

const TRANSACTION = {
  transaction_uuid: textOrNull,
  kind: oneOf('deposit', 'payout', 'onramp'),
  status: text,
  amount: textOrNull,
  currency_code: text,
  network: text,
  tx_hash: textOrNull,
  updated_at: text,
} satisfies Partial<Record<keyof TransactionEvent, Read>>
const TRANSACTION_OPTIONAL = { session_reference: text, withdrawal_id: text } satisfies Partial<
  Record<keyof TransactionEvent, Read>
>
const ERROR_CODES = ['token_failed', 'token_used', 'not_ready', 'failed'] satisfies EmbedErrorCode[]

const FIELDS: Readonly<Record<FrameMessage['type'], Fields>> = {
  token_wanted: {},
  fresh_token_wanted: {},
  ready: {},
  pong: {},
  resize: { height },
  transaction: { transaction: record(TRANSACTION, TRANSACTION_OPTIONAL) },
  session_ended: {},
  close: {},
  file: { name: fileName, content: when((value) => value instanceof Blob) },
  link: { url: when((value) => typeof value === 'string' && LINK.test(value)) },
  error: { code: oneOf(...ERROR_CODES), message: shortText },
}

const envelope = record({ cashier: oneOf(EMBED_VERSION), channel: text, type: text })

/** The message in `data`, without unknown fields; null if it is not a message of `channel`. */
export function readFrameMessage(data: unknown, channel: string): FrameMessage | null {
  const head = envelope(data)
  if (!head || head['channel'] !== channel || !Object.hasOwn(FIELDS, head['type'] as string)) return null
  const body = record(FIELDS[head['type'] as FrameMessage['type']])(data)
  return body ? ({ ...head, ...body } as FrameMessage) : null
}
