import * as z from 'zod/mini'
import { decimal, isDecimal, isNegative, type Decimal } from '#lib/contract/money.ts'
import type { Currency } from '#lib/contract/cashier.ts'
import type { Kind } from '../ledger/states.ts'
import { WEBHOOK_EVENTS } from '../ledger/states.ts'
import { JsonFault, parseLosslessJson } from '../gateway/lossless-json.ts'

/** An on-ramp names its currency in words (`to_currency`); deposits and payouts bring the id and all else. */
export type EventCurrency =
  | { readonly known: 'by_id'; readonly currency: Currency }
  | { readonly known: 'by_words'; readonly code: string; readonly name: string | null; readonly network: string | null }

/** A webhook of a known kind and status (spec: "Events"), amounts as decimal strings with every digit that was sent. */
export interface GatewayEvent {
  readonly kind: Kind
  readonly event: string
  readonly transaction_uuid: string
  readonly status: string
  readonly user_reference_id: string | null
  readonly currency: EventCurrency
  readonly amount: Decimal | null
  readonly amount_usd: Decimal | null
  readonly to_address: string | null
  readonly from_address: string | null
  readonly tx_hash: string | null
  readonly payment_method: string | null
  readonly provider_transaction_id: string | null
  readonly from_amount: Decimal | null
  readonly from_currency: string | null
  readonly correlation_key: string | null
  readonly session_reference: string | null
  readonly occurred_at: string | null
}

export type ParsedWebhook =
  | { readonly outcome: 'event'; readonly event: GatewayEvent }
  /** Signed and of the envelope's form, but of a kind or status that the spec does not name. */
  | {
      readonly outcome: 'unknown_event' | 'unknown_status'
      readonly event_name: string
      readonly transaction_uuid: string
      readonly user_reference_id: string | null
    }
  | { readonly outcome: 'malformed'; readonly detail: string }

/** PostgreSQL's text cannot hold a NUL, which JSON can spell. */
const withoutNul = (value: string): string => value.replaceAll('\0', '')

const text = z.pipe(
  z.nullish(z.string()),
  z.transform((value): string | null => (value == null ? null : withoutNul(value) || null)),
)
const amount = z
  .string()
  .check(z.refine((value) => isDecimal(value) && !isNegative(value), 'must be a number that is not negative'))
const optionalAmount = z.nullish(amount)
const word = z.string().check(z.minLength(1), z.maxLength(256), z.regex(/^[^\0]*$/))

const envelope = z.looseObject({
  event: word,
  transaction_uuid: word,
  transaction: z.looseObject({ id: word, status: word }),
  user_reference: text,
})

const currency = z.looseObject({
  id: word,
  currency_code: word,
  name: text,
  symbol: text,
  network: word,
  currency_icon: text,
})

const common = { payment_method: text, user_reference: text }

const transfer = z.looseObject({
  ...common,
  transaction: z.looseObject({
    date: text,
    currency,
    amount,
    amount_usd: optionalAmount,
    provider_transaction_id: text,
    to_address: text,
    from_address: text,
    tx_hash: text,
  }),
})

const onramp = z.looseObject({
  ...common,
  correlation_key: text,
  session_reference: text,
  transaction: z.looseObject({
    date: text,
    to_currency: z.looseObject({ code: word, name: text, network: text }),
    to_amount: optionalAmount,
    from_amount: optionalAmount,
    from_currency: text,
    provider_transaction_id: text,
    tx_hash: text,
  }),
})

type Common = Pick<GatewayEvent, 'kind' | 'event' | 'transaction_uuid' | 'status'>

const decimalOrNull = (value: string | null | undefined): Decimal | null => (value == null ? null : decimal(value))

function transferEvent(base: Common, body: z.infer<typeof transfer>): GatewayEvent {
  const { transaction } = body
  const { id, currency_code, name, symbol, network, currency_icon } = transaction.currency
  return {
    ...base,
    user_reference_id: body.user_reference,
    currency: {
      known: 'by_id',
      currency: {
        id,
        currency_code,
        name: name ?? currency_code,
        symbol: symbol ?? currency_code,
        network,
        ...(currency_icon === null ? {} : { currency_icon }),
      },
    },
    amount: decimal(transaction.amount),
    amount_usd: decimalOrNull(transaction.amount_usd),
    to_address: transaction.to_address,
    from_address: transaction.from_address,
    tx_hash: transaction.tx_hash,
    payment_method: body.payment_method,
    provider_transaction_id: transaction.provider_transaction_id,
    from_amount: null,
    from_currency: null,
    correlation_key: null,
    session_reference: null,
    occurred_at: transaction.date,
  }
}

function onrampEvent(base: Common, body: z.infer<typeof onramp>): GatewayEvent {
  const { transaction } = body
  return {
    ...base,
    user_reference_id: body.user_reference,
    currency: { known: 'by_words', ...transaction.to_currency },
    amount: decimalOrNull(transaction.to_amount),
    amount_usd: null,
    to_address: null,
    from_address: null,
    tx_hash: transaction.tx_hash,
    payment_method: body.payment_method,
    provider_transaction_id: transaction.provider_transaction_id,
    from_amount: decimalOrNull(transaction.from_amount),
    from_currency: transaction.from_currency,
    correlation_key: body.correlation_key,
    session_reference: body.session_reference,
    occurred_at: transaction.date,
  }
}

const malformed = (detail: string): ParsedWebhook => ({ outcome: 'malformed', detail })

/** The field where a body is not of its form, in words for the sender. */
function fieldOf(error: z.core.$ZodError): string {
  const [issue] = error.issues
  return `${issue?.path.join('.') ?? 'body'}: ${issue?.message ?? 'not as expected'}`
}

/**
 * Reads a verified body: UTF-8 JSON without a key twice, the envelope strictly, the inside tolerantly (more fields,
 * missing optional ones). Never throws.
 */
export function parseWebhook(rawBody: Uint8Array): ParsedWebhook {
  let value: unknown
  try {
    value = parseLosslessJson(rawBody)
  } catch (error) {
    return malformed(error instanceof JsonFault ? error.message : 'not JSON')
  }
  const outer = envelope.safeParse(value)
  if (!outer.success) return malformed(fieldOf(outer.error))
  const { event, transaction_uuid, transaction, user_reference } = outer.data
  if (transaction.id !== transaction_uuid) return malformed('transaction.id: differs from transaction_uuid')

  const unknown = { event_name: event, transaction_uuid, user_reference_id: user_reference }
  const kind = Object.hasOwn(WEBHOOK_EVENTS, event) ? WEBHOOK_EVENTS[event] : undefined
  if (kind === undefined) return { outcome: 'unknown_event', ...unknown }
  if (!kind.statuses.includes(transaction.status)) return { outcome: 'unknown_status', ...unknown }

  const base = { kind: kind.kind, event, transaction_uuid, status: transaction.status }
  if (kind.kind === 'onramp') {
    const body = onramp.safeParse(value)
    return body.success ? { outcome: 'event', event: onrampEvent(base, body.data) } : malformed(fieldOf(body.error))
  }
  const body = transfer.safeParse(value)
  return body.success ? { outcome: 'event', event: transferEvent(base, body.data) } : malformed(fieldOf(body.error))
}
