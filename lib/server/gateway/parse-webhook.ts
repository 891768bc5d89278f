import { optionalInstant, webIcon } from './schemas.ts'
import * as z from 'zod'
import { canonicalId } from '#lib/contract/canonical-id.ts'
import type { Currency } from '#lib/contract/cashier.ts'
import { decimal, decimalFromNumberText, isDecimal, isNegative, type Decimal } from '#lib/contract/money.ts'
import type { TransactionKind } from '#lib/contract/stream.ts'
import type { Fact } from '../ledger/facts.ts'
import type { StatusOf } from '../ledger/transaction-statuses.ts'
import { JsonFault, parseLosslessJson, SizeFault } from './lossless-json.ts'
import { isStorableName, LONGEST_TEXT, storableText } from './storable-text.ts'

/** The kind of a webhook by its `event`. */
const EVENT_KINDS: Readonly<Record<string, TransactionKind>> = {
  'User Deposit': 'deposit',
  'User Payout': 'payout',
  'User Onramp': 'onramp',
}

/** The statuses that a webhook of each kind may have. */
const EVENT_STATUSES: { readonly [K in TransactionKind]: readonly StatusOf<K>[] } = {
  deposit: ['processing', 'succeeded'],
  payout: ['processing', 'succeeded'],
  onramp: ['pending', 'processing', 'succeeded', 'failed'],
}

/** Deposits and payouts contain the whole currency; an on-ramp names it by code, name and network (`to_currency`). */
export type EventCurrency =
  | { readonly known: 'by_id'; readonly currency: Currency }
  | { readonly known: 'by_name'; readonly code: string; readonly name: string | null; readonly network: string | null }

/** A webhook of a known kind and status: a fact, except for the currency and date, which may have to be looked up. */
export interface GatewayEvent extends Omit<
  Fact,
  | 'source'
  | 'unconfirmed'
  | 'taken_back'
  | 'told'
  | 'erased'
  | 'merchant_reference'
  | 'currency_id'
  | 'currency_code'
  | 'network'
  | 'occurred_at'
> {
  readonly event: string
  /** The merchant that it is for, in the gateway's words; on-ramps do not have it. */
  readonly merchant_reference: string | null
  readonly currency: EventCurrency
  readonly occurred_at: string | null
  /** The body of a deposit or payout has no field for the user. */
  readonly lacks_user?: true
}

export type ParsedWebhook =
  | { readonly outcome: 'event'; readonly event: GatewayEvent }
  /** A valid envelope with a kind or status that the gateway's documentation does not list. */
  | {
      readonly outcome: 'unknown_event' | 'unknown_status'
      readonly kind: TransactionKind | null
      readonly merchant_reference: string | null
      readonly event_name: string
      readonly transaction_uuid: string
      readonly user_reference_id: string | null
      /** The rest of a payout with such a status; null if it cannot be read. */
      readonly payout: GatewayEvent | null
    }
  /** A JSON object without a valid envelope or content, with the ids that can still be read from it. */
  | {
      readonly outcome: 'unreadable'
      readonly kind: null
      readonly merchant_reference: string | null
      readonly event_name: string | null
      readonly transaction_uuid: string | null
      readonly user_reference_id: string | null
    }
  | { readonly outcome: 'malformed'; readonly detail: string }

/**
 * The digits of a number in the body. A string of digits stays a string, so that a field of the wrong type is noticed.
 */
class NumberText {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

const text = z.pipe(
  z.nullish(z.string().check(z.maxLength(LONGEST_TEXT))),
  z.transform((value): string | null => (value == null ? null : storableText(value) || null)),
)
/** A user, merchant, hash or key. It is not changed: a name without one of its characters is another's. */
const indexed = z.pipe(
  z.nullish(z.string().check(z.refine(isStorableName))),
  z.transform((value): string | null => value || null),
)
const optionalId = z.pipe(
  indexed,
  z.transform((value) => (value === null ? null : canonicalId(value))),
)

const date = z.pipe(text, optionalInstant)

/** A JSON number with any number of digits, not negative. */
const amount = z.pipe(
  z.pipe(
    z.instanceof(NumberText),
    z.transform(({ text }: NumberText): string => decimalFromNumberText(text) ?? ''),
  ),
  z.string().check(z.refine((value) => isDecimal(value) && !isNegative(value))),
)
const optionalAmount = z.nullish(amount)
const requiredText = z.string().check(z.minLength(1), z.refine(isStorableName))
const id = z.pipe(requiredText, z.transform(canonicalId))

const envelope = z.compile(
  z.object({
    event: requiredText,
    transaction_uuid: id,
    transaction: z.object({ id, status: requiredText }),
    user_reference: indexed,
    merchant_reference: indexed,
  }),
)

const currency = z.object({
  id,
  currency_code: requiredText,
  name: text,
  symbol: text,
  network: requiredText,
  currency_icon: webIcon,
  network_icon: webIcon,
})

const shared = { payment_method: text, user_reference: indexed }

const transfer = z.compile(
  z.object({
    ...shared,
    transaction: z.object({
      date,
      currency,
      amount,
      amount_usd: optionalAmount,
      provider_transaction_id: text,
      to_address: text,
      from_address: text,
      tx_hash: indexed,
    }),
  }),
)

const onramp = z.compile(
  z.object({
    ...shared,
    correlation_key: optionalId,
    session_reference: optionalId,
    transaction: z.object({
      date,
      to_currency: z.object({ code: requiredText, name: text, network: text }),
      to_amount: optionalAmount,
      from_amount: optionalAmount,
      from_currency: text,
      provider_transaction_id: text,
      tx_hash: indexed,
    }),
  }),
)

type Identity = Pick<GatewayEvent, 'kind' | 'event' | 'transaction_uuid' | 'status' | 'merchant_reference'>

/** Fields that only one of the two forms of webhook has. */
const ABSENT = {
  amount_usd: null,
  to_address: null,
  from_address: null,
  from_amount: null,
  from_currency: null,
  correlation_key: null,
  session_reference: null,
}

const decimalOrNull = (value: string | null | undefined): Decimal | null => (value == null ? null : decimal(value))

function transferEvent(identity: Identity, body: z.infer<typeof transfer>): GatewayEvent {
  const { transaction } = body
  const { id, currency_code, name, symbol, network, currency_icon, network_icon } = transaction.currency
  return {
    ...ABSENT,
    ...identity,
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
        ...(network_icon === null ? {} : { network_icon }),
      },
    },
    amount: decimal(transaction.amount),
    inexact: true,
    amount_usd: decimalOrNull(transaction.amount_usd),
    to_address: transaction.to_address,
    from_address: transaction.from_address,
    tx_hash: transaction.tx_hash,
    payment_method: body.payment_method,
    provider_transaction_id: transaction.provider_transaction_id,
    occurred_at: transaction.date,
  }
}

function onrampEvent(identity: Identity, body: z.infer<typeof onramp>): GatewayEvent {
  const { transaction } = body
  return {
    ...ABSENT,
    ...identity,
    user_reference_id: body.user_reference,
    currency: { known: 'by_name', ...transaction.to_currency },
    amount: decimalOrNull(transaction.to_amount),
    inexact: true,
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

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof NumberText)

/** The ids that can be read from an unreadable body, for the list of the quarantine. */
function unreadable(body: Readonly<Record<string, unknown>>): ParsedWebhook {
  const read = (name: string): string | null => indexed.safeParse(body[name]).data ?? null
  return {
    outcome: 'unreadable',
    kind: null,
    merchant_reference: read('merchant_reference'),
    event_name: read('event'),
    transaction_uuid: optionalId.safeParse(body['transaction_uuid']).data ?? null,
    user_reference_id: read('user_reference'),
  }
}

/** The body as JSON, with numbers as `NumberText`; an empty object if it is too large to be an event. */
function jsonOf(rawBody: Uint8Array): unknown {
  try {
    return parseLosslessJson(rawBody, { readNumber: (digits) => new NumberText(digits) })
  } catch (error) {
    if (!(error instanceof SizeFault)) throw error
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(rawBody))
    return isObject(value) ? {} : value
  }
}

/**
 * Reads a verified body: UTF-8 JSON without duplicate keys. The envelope is checked strictly, the content tolerantly:
 * unknown fields and missing optional fields pass. Never throws.
 */
export function parseWebhook(rawBody: Uint8Array): ParsedWebhook {
  let value: unknown
  try {
    value = jsonOf(rawBody)
  } catch (error) {
    return malformed(error instanceof JsonFault ? error.message : 'not JSON')
  }
  if (!isObject(value)) return malformed('not a JSON object')
  const outer = envelope.safeParse(value)
  if (!outer.success) return unreadable(value)
  const { event, transaction_uuid, transaction, user_reference, merchant_reference } = outer.data
  if (transaction.id !== transaction_uuid) return unreadable(value)

  const unknown = { event_name: event, transaction_uuid, user_reference_id: user_reference, merchant_reference }
  const kind = Object.hasOwn(EVENT_KINDS, event) ? EVENT_KINDS[event] : undefined
  if (kind === undefined) return { outcome: 'unknown_event', kind: null, ...unknown, payout: null }
  const status = EVENT_STATUSES[kind].find((known) => known === transaction.status)
  if (status === undefined) {
    const body = kind === 'payout' ? transfer.safeParse(value).data : undefined
    const identity = { kind, event, transaction_uuid, status: 'other', merchant_reference } as const
    return { outcome: 'unknown_status', kind, ...unknown, payout: body ? transferEvent(identity, body) : null }
  }

  const identity = { kind, event, transaction_uuid, status, merchant_reference }
  if (kind === 'onramp') {
    const body = onramp.safeParse(value)
    if (!body.success) return unreadable(value)
    const read = onrampEvent(identity, body.data)
    // The credited amount is unknown: without it the event would book nothing, and nobody would notice.
    const lacksAmount = status === 'succeeded' && read.amount === null && read.user_reference_id !== null
    return lacksAmount ? unreadable(value) : { outcome: 'event', event: read }
  }
  const body = transfer.safeParse(value)
  if (!body.success) return unreadable(value)
  const lacksUser = value['user_reference'] === undefined && { lacks_user: true as const }
  return { outcome: 'event', event: { ...transferEvent(identity, body.data), ...lacksUser } }
}
