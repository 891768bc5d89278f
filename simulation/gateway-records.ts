/** The records of the gateway model, and how it reports them: as rows of its list and bodies of webhooks. */
import { asDouble, amountText, type Units } from './amounts.ts'

export interface ModelCurrency {
  readonly id: string
  readonly name: string
  readonly currency_code: string
  readonly symbol: string
  readonly network: string
}

/** The gateway's documentation does not say how fine a currency is; the model knows it. */
export interface FineCurrency extends ModelCurrency {
  readonly decimals: number
}

export type MovementStatus = 'new' | 'approval' | 'succeeded' | 'failed'

const LIST_STATUS: Readonly<Record<MovementStatus, string>> = {
  new: 'TXN_NEW',
  approval: 'TXN_PENDING_APPROVAL',
  succeeded: 'TXN_PROVIDER_SUCCEEDED',
  failed: 'TXN_FAILED',
}

/** A deposit or a payout as it truly is. */
export interface Movement {
  readonly uuid: string
  readonly kind: 'deposit' | 'payout'
  readonly user: string
  /** The gateway's name for the merchant. */
  readonly merchant: string
  readonly currency: FineCurrency
  units: Units
  /** The requested amount of a payout. */
  readonly askedUnits: Units
  /** The amount in the list, if it differs from `units`. */
  listedUnits: Units | null
  status: MovementStatus
  hash: string | null
  readonly toAddress: string
  readonly insertedMs: number
  updatedMs: number
  /** `callKey` of the request that made this payout; null if the cashier did not request it. */
  readonly askedBy: string | null
  /** The gateway spells the address differently from the request. */
  readonly respelled?: boolean
  /** Until this time the list does not show it. */
  listedFromMs?: number
  /** The list does not show the hash yet. */
  hashUnlisted?: boolean
  /** The type in the list, if it is not the documented one. */
  readonly listedType?: string
}

const iso = (ms: number): string => new Date(ms).toISOString()

/** A row of the list. */
export function listNode(one: Movement): string {
  const { id, name, currency_code, symbol, network } = one.currency
  return JSON.stringify({
    transaction_uuid: one.uuid,
    type: one.listedType ?? (one.kind === 'deposit' ? 'Deposit' : 'Payout'),
    status: LIST_STATUS[one.status],
    merchant_status: 'CALLBACK_PENDING',
    amount: amountText(one.listedUnits ?? one.units),
    amount_usd: null,
    currency: {
      id,
      name,
      code: currency_code,
      symbol,
      network,
      currency_icon: '',
      network_icon: '',
      token_address: '',
    },
    correlation_key: '',
    from_address: null,
    to_address: one.toAddress,
    tx_hash: one.hashUnlisted === true ? null : one.hash,
    provider_transaction_id: null,
    provider_wallet_reference: null,
    trn_provider_ref: null,
    failure_reason: one.status === 'failed' ? 'refused by the network' : null,
    transaction_data: {},
    user_ref_id: one.user,
    inserted_at: iso(one.insertedMs),
    updated_at: iso(one.updatedMs),
    completed_at: null,
  })
}

/** One message of the gateway before signing. */
export interface Told {
  readonly uuid: string
  readonly kind: 'deposit' | 'payout' | 'onramp'
  readonly status: string
  readonly user: string | null
  readonly body: string
  /** The amount in the message. */
  readonly units: Units | null
}

const UUID_AT_END = /(?<=[":])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?=")/g

/** A message whose UUIDs are in upper case, also those in keys and cursors. */
export const inUpperCase = (body: string): string => body.replace(UUID_AT_END, (uuid) => uuid.toUpperCase())

/** The currency in a message. */
export const wireCurrency = ({ id, name, currency_code, symbol, network }: FineCurrency): ModelCurrency => ({
  id,
  name,
  currency_code,
  symbol,
  network,
})

const OTHER_NAMES = { name: 'Renamed', symbol: 'R', network: 'Renamed-20' }

/** Where a webhook differs from the movement. */
interface Spelling {
  readonly units?: Units
  readonly hash?: string | null
  /** The webhook names the currency differently. */
  readonly renamed?: boolean
  /** The amount passed through a double. */
  readonly rounded?: boolean
}

export function movementTold(
  one: Movement,
  status: 'processing' | 'succeeded',
  nowMs: number,
  { units = one.units, hash = one.hash, renamed = false, rounded = false }: Spelling = {},
): Told {
  const deposit = one.kind === 'deposit'
  const body = {
    event: deposit ? 'User Deposit' : 'User Payout',
    transaction: {
      id: one.uuid,
      status,
      date: iso(nowMs),
      currency: {
        ...wireCurrency(one.currency),
        ...(renamed && OTHER_NAMES),
        token_address: '',
        currency_icon: '',
        network_icon: '',
      },
      amount: 'AMOUNT',
      provider_transaction_id: `provider-${one.uuid}`,
      to_address: one.toAddress,
      from_address: 'from',
      tx_hash: hash,
      transaction_type: deposit ? 'Deposit' : 'Payout',
    },
    transaction_uuid: one.uuid,
    user_reference: one.user,
    merchant_reference: one.merchant,
    payment_method: deposit ? 'Deposit' : 'Payout',
  }
  const exact = amountText(units)
  // An amount is a JSON number with exactly these digits.
  const text = JSON.stringify(body).replace('"AMOUNT"', rounded ? asDouble(exact) : exact)
  return { uuid: one.uuid, kind: one.kind, status, user: one.user, body: text, units }
}

/** A purchase as it truly is. */
export interface Purchase {
  readonly uuid: string
  readonly reference: string
  readonly madeMs: number
  readonly correlationKey: string
  /** What the user pays, in the session's fiat currency. */
  readonly paid: string
  /** Null if the purchase's events do not name the user. */
  readonly user: string | null
  readonly currency: FineCurrency
  readonly units: Units
  readonly hash: string | null
}

export type PurchaseStatus = 'pending' | 'processing' | 'succeeded' | 'failed'

export function purchaseTold(one: Purchase, status: PurchaseStatus, nowMs: number): Told {
  const settled = status === 'succeeded'
  const paid = status !== 'pending'
  const body = {
    event: 'User Onramp',
    transaction: {
      id: one.uuid,
      status,
      transaction_type: 'onramp',
      date: iso(nowMs),
      provider_transaction_id: paid ? `provider-${one.uuid}` : null,
      tx_hash: settled ? one.hash : null,
      to_amount: settled ? 'AMOUNT' : null,
      to_currency: { code: one.currency.currency_code, name: one.currency.name, network: one.currency.network },
      from_amount: paid ? 'PAID' : null,
      from_currency: paid ? 'EUR' : null,
    },
    transaction_uuid: one.uuid,
    user_reference: one.user,
    payment_method: paid ? 'card' : null,
    correlation_key: one.correlationKey,
    session_reference: one.reference,
  }
  const text = JSON.stringify(body).replace('"AMOUNT"', amountText(one.units)).replace('"PAID"', one.paid)
  const units = settled ? one.units : null
  return { uuid: one.uuid, kind: 'onramp', status, user: one.user, body: text, units }
}
