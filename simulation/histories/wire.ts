/** The gateway's messages as JSON, and changes of single fields. Independent of the cashier's code. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }
export type JsonObject = { readonly [name: string]: Json }

/** A JSON number with exactly these digits. */
export const digits = (text: string): string => `#${text}`

const known = new WeakMap<object, string>()

/** The body of a message as text. */
export function toWire(body: Json): string {
  if (typeof body !== 'object' || body === null) return JSON.stringify(body)
  const before = known.get(body)
  if (before !== undefined) return before
  const text = JSON.stringify(body).replaceAll(/"#(-?[\d.]+(?:e-?\d+)?)"/g, '$1')
  known.set(body, text)
  return text
}

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

type Path = readonly string[]

/** The value at a path; undefined if there is none. */
export function valueAt(body: Json, [name, ...rest]: Path): Json | undefined {
  if (name === undefined) return body
  return isObject(body) && Object.hasOwn(body, name) ? valueAt(body[name] ?? null, rest) : undefined
}

/** The body with another value at a path; without the field for `undefined`. */
export function withValue(body: Json, [name, ...rest]: Path, value: Json | undefined): Json {
  if (name === undefined || !isObject(body)) return body
  const { [name]: before = null, ...others } = body
  if (rest.length > 0) return { ...body, [name]: withValue(before, rest, value) }
  return value === undefined ? others : { ...body, [name]: value }
}

export interface Currency {
  readonly id: string
  readonly code: string
  readonly name: string
  readonly network: string
}

const uuid = (end: string): string => `00000000-0000-4000-8000-${end.padStart(12, '0')}`

export const ETH: Currency = { id: uuid('e1'), code: 'ETH', name: 'Ether', network: 'Ethereum' }
export const USDT: Currency = { id: uuid('e2'), code: 'USDT', name: 'Tether', network: 'Ethereum' }

export const USER = 'Ana-1'
export const OTHER_USER = 'Ben-2'
export const MERCHANT = 'merchant-1'
export const OTHER_MERCHANT = 'merchant-2'

/** When the user asks and the gateway acts, by its clock. */
export const START_MS = Date.UTC(2026, 10, 20, 12)
const START = new Date(START_MS).toISOString()
/** When everything that is not late happens. */
export const NOW_MS = START_MS + 60_000
const NOW = new Date(NOW_MS).toISOString()

/** What webhooks and records tell of a transfer. */
export interface Transfer {
  readonly kind: 'deposit' | 'payout'
  readonly uuid: string
  readonly amount: string
  readonly to: string
  readonly hash: string
  /** Of the deposit of a purchase. */
  readonly key?: string
}

export const transferWebhook = (
  { kind, uuid, amount, to, hash }: Transfer,
  status: 'processing' | 'succeeded',
): JsonObject => ({
  event: kind === 'deposit' ? 'User Deposit' : 'User Payout',
  transaction_uuid: uuid,
  user_reference: USER,
  merchant_reference: MERCHANT,
  payment_method: kind === 'deposit' ? 'Deposit' : 'Payout',
  transaction: {
    id: uuid,
    status,
    date: START,
    currency: { id: ETH.id, currency_code: ETH.code, name: ETH.name, symbol: ETH.code, network: ETH.network },
    amount: digits(amount),
    amount_usd: null,
    provider_transaction_id: `p-${uuid}`,
    to_address: to,
    from_address: '0x1111111111111111111111111111111111111111',
    tx_hash: hash,
    transaction_type: kind === 'deposit' ? 'Deposit' : 'Payout',
  },
})

export const STATUS_WORDS = {
  processing: 'TXN_NEW',
  succeeded: 'TXN_PROVIDER_SUCCEEDED',
  failed: 'TXN_FAILED',
} as const
export type ListStatus = keyof typeof STATUS_WORDS

export const listRecord = ({ kind, uuid, amount, to, hash, key = '' }: Transfer, status: ListStatus): JsonObject => ({
  transaction_uuid: uuid,
  type: kind === 'deposit' ? 'Deposit' : 'Payout',
  status: STATUS_WORDS[status],
  merchant_status: 'CALLBACK_PENDING',
  amount,
  amount_usd: null,
  currency: { id: ETH.id, code: ETH.code, name: ETH.name, symbol: ETH.code, network: ETH.network },
  correlation_key: key,
  from_address: '0x1111111111111111111111111111111111111111',
  to_address: to,
  tx_hash: status === 'succeeded' ? hash : null,
  user_ref_id: USER,
  inserted_at: NOW,
  updated_at: NOW,
})

export interface WirePurchase {
  readonly uuid: string
  readonly amount: string
  readonly fiat: string
  readonly hash: string
  readonly key: string
  readonly session: string
}

export const purchaseWebhook = (
  { uuid, amount, fiat, hash, key, session }: WirePurchase,
  status: 'pending' | 'processing' | 'succeeded' | 'failed',
): JsonObject => ({
  event: 'User Onramp',
  transaction_uuid: uuid,
  user_reference: USER,
  payment_method: status === 'pending' ? null : 'card',
  correlation_key: key,
  session_reference: session,
  transaction: {
    id: uuid,
    status,
    transaction_type: 'onramp',
    date: START,
    provider_transaction_id: status === 'pending' ? null : `p-${uuid}`,
    tx_hash: status === 'succeeded' ? hash : null,
    to_amount: status === 'succeeded' ? digits(amount) : null,
    to_currency: { code: ETH.code, name: ETH.name, network: ETH.network },
    from_amount: status === 'pending' ? null : digits(fiat),
    from_currency: status === 'pending' ? null : 'EUR',
  },
})

/** The gateway's reply to a withdraw call; `cut` and `died` bring none. */
export type Reply =
  | { readonly kind: 'answered'; readonly status: number; readonly body: Json }
  /** The line was cut, or the reply never came. */
  | { readonly kind: 'cut' }
  /** The calling process died; another one takes over. */
  | { readonly kind: 'died' }
  | { readonly kind: 'unreachable' }

export const accepted = (amount: string, to: string, more: JsonObject = {}): Reply => ({
  kind: 'answered',
  status: 200,
  body: { amount, currency: ETH.code, requires_approval: false, status: 'Processing', wallet_address: to, ...more },
})

export const refused = (more: JsonObject = {}): Reply => ({
  kind: 'answered',
  status: 400,
  body: { error: true, message: 'no', request_id: 'r-1', status: null, transaction_uuid: null, ...more },
})

export const named = (end: string): string => uuid(end)
