/**
 * Requests and answers of the sandbox gateway, with the JSON field names. Amounts are decimal texts such as
 * `'12.50'`, never numbers. Times are ISO 8601 in transactions, and milliseconds since 1970 elsewhere.
 */
export interface SandboxCurrency {
  readonly id: string
  readonly name: string
  readonly code: string
  readonly symbol: string
  readonly network: string
  readonly decimals: number
}

/** Names the user's currency by a deposit address, by the currency's id, or by its code and network. */
export type DepositTarget =
  | { readonly address: string }
  | { readonly user_reference: string; readonly currency_id: string }
  | { readonly user_reference: string; readonly currency: string; readonly network: string }

export type DepositRequest = DepositTarget & {
  readonly amount: string
  /** Confirms it at once. */
  readonly confirm?: boolean
  readonly from_address?: string
  readonly tx_hash?: string
  readonly merchant_id?: string
}

/** Names a currency by its id, or by its code and network. */
type CurrencyChoice = { readonly currency_id: string } | { readonly currency: string; readonly network: string }

/** A payout that the merchant did not ask for by a call. */
export type PayoutRequest = CurrencyChoice & {
  readonly user_reference: string
  readonly amount: string
  readonly wallet_address?: string
  readonly requires_approval?: boolean
  readonly merchant_id?: string
}

/** A purchase that the merchant did not ask for by a call. */
export type PurchaseRequest = CurrencyChoice & {
  readonly user_reference: string
  /** What the user pays, in `fiat_currency`; EUR by default. */
  readonly amount: string
  readonly fiat_currency?: string
  readonly country?: string
  readonly session_reference?: string
  readonly redirect_url?: string
  readonly merchant_id?: string
}

export interface UserSearch {
  readonly user_reference?: string
  readonly limit?: number
}

export interface TransactionSearch extends UserSearch {
  readonly type?: 'Deposit' | 'Payout'
  readonly status?: string
}

export interface WebhookSearch {
  readonly transaction_uuid?: string
  readonly state?: SandboxWebhook['state']
  /** Only records with a larger id. */
  readonly after?: number
  /** Only webhooks with a delivery attempt of a larger id; the webhook of the newest attempt first. */
  readonly attempt_after?: number
  readonly limit?: number
}

export interface CallSearch extends UserSearch {
  readonly operation?: GatewayOperation
  /** Only records with a larger id. */
  readonly after?: number
}

export interface SandboxAddress {
  readonly address: string
  readonly user_reference: string
  readonly merchant_id: string
  readonly currency_id: string
  readonly currency: string
  readonly network: string
  readonly decimals: number
  readonly created_at: number
}

/** A record of the gateway's list. */
export interface SandboxTransaction {
  readonly transaction_uuid: string
  readonly type: 'Deposit' | 'Payout'
  /** `TXN_NEW`, `TXN_AWAITING_APPROVAL`, `TXN_PROVIDER_SUCCEEDED` or `TXN_FAILED`. */
  readonly status: string
  readonly merchant_status: string
  readonly amount: string
  readonly amount_usd: string | null
  readonly currency: {
    readonly id: string
    readonly code: string
    readonly name: string
    readonly network: string
    readonly symbol: string
    readonly token_address: string
    readonly currency_icon: string
    readonly network_icon: string
  }
  readonly correlation_key: string
  readonly from_address: string | null
  readonly to_address: string
  readonly tx_hash: string | null
  readonly provider_transaction_id: string | null
  readonly provider_wallet_reference: string
  readonly trn_provider_ref: string
  readonly failure_reason: string | null
  readonly transaction_data: object
  readonly user_ref_id: string
  readonly inserted_at: string
  readonly updated_at: string
  readonly completed_at: string | null
}

export interface SandboxWithdrawal extends SandboxTransaction {
  readonly requires_approval: boolean
}

export interface TransactionSeed {
  readonly user_reference: string
  readonly count: number
  /** Deposits and payouts alternate by default. */
  readonly type?: 'Deposit' | 'Payout'
  /** A currency by id, or by code and network. By default all currencies of the list in turn. */
  readonly currency_id?: string
  readonly currency?: string
  readonly network?: string
  /** The time of the newest, such as `'2026-11-30T23:59:59.999Z'`; now by default. */
  readonly at?: string
  /** Time between two records, backwards from the newest; a minute by default. */
  readonly every_ms?: number
  readonly amount?: string
  readonly merchant_id?: string
}

export type OnrampStatus = 'created' | 'pending' | 'processing' | 'succeeded' | 'failed'

/** A purchase at the provider. */
export interface SandboxOnrampSession {
  readonly uuid: string
  readonly kind: 'payment' | 'legacy'
  readonly merchant_id: string
  readonly user_reference: string | null
  readonly custom_wallet_address: string | null
  readonly correlation_key: string
  readonly session_reference: string | null
  readonly status: OnrampStatus
  readonly currency_id: string
  readonly currency: string
  readonly network: string
  readonly country: string
  readonly amount: string | null
  readonly fiat_currency: string | null
  readonly redirect_url: string | null
  readonly theme: 'light' | 'dark'
  readonly metadata: unknown
  readonly payment_method: string | null
  readonly provider_transaction_id: string | null
  readonly from_amount: string | null
  readonly from_currency: string | null
  readonly to_amount: string | null
  readonly tx_hash: string | null
  /** The provider's page. */
  readonly link: string
  readonly created_at: number
  readonly updated_at: number
}

export interface OnrampDetails {
  readonly payment_method?: string
  /** The fiat amount and currency that the user paid, if they are not what the session asked for. */
  readonly from_amount?: string
  readonly from_currency?: string
  /** The crypto amount that the provider delivers; by default computed from the price. */
  readonly to_amount?: string
  /** The amount of the deposit that follows, if it differs. */
  readonly deposit_amount?: string
  readonly tx_hash?: string
}

export interface SandboxWebhook {
  readonly id: number
  readonly merchant_id: string
  readonly event: string
  readonly transaction_uuid: string
  readonly status: string
  readonly ordering_key: string
  /** The bytes that were signed. */
  readonly body: string
  readonly signing: 'right' | 'wrong' | 'other_key' | 'stale'
  readonly state: 'queued' | 'held' | 'delivered' | 'dropped' | 'given_up' | 'unsent'
  readonly attempts: number
  readonly due_at: number
  readonly created_at: number
}

export interface WebhookAttempt {
  readonly id: number
  readonly webhook_id: number
  readonly url: string
  readonly sent_at: number
  readonly x_timestamp: string
  readonly response_status: number | null
  readonly response_body: string | null
  readonly error: string | null
  readonly took_ms: number
}

export interface LoggedWebhook extends SandboxWebhook {
  readonly log: readonly WebhookAttempt[]
}

/** Signed and sent unchanged. By default now, to the merchant's own URL, and with a valid signature. */
export type WebhookToSend = ({ readonly raw: string } | { readonly raw_base64: string }) & {
  readonly signing?: SandboxWebhook['signing']
  /** The text of `X-Timestamp`. */
  readonly timestamp?: string
  /** Added to the headers, or replacing them; null removes a header. */
  readonly headers?: Readonly<Record<string, string | null>>
  readonly url?: string
  readonly merchant_id?: string
}

/** The receiver's response; `status` is null when there was none. */
export interface SentWebhook {
  readonly status: number | null
  readonly body: string | null
  readonly error: string | null
  readonly tookMs: number
}

export type GatewayOperation =
  | 'currencies'
  | 'merchant_transactions'
  | 'deposit_address'
  | 'link_external_wallet'
  | 'withdraw'
  | 'user_transactions'
  | 'payments'
  | 'onramp_url'

/** A call that reached the gateway. */
export interface GatewayCall {
  readonly id: number
  readonly at: number
  readonly merchant_id: string | null
  readonly operation: string
  readonly method: string
  readonly path: string
  readonly query: string
  readonly nonce: string | null
  readonly body: string
  readonly user_reference: string | null
  readonly authentic: boolean
  /** Whether the gateway carried out the call. */
  readonly committed: boolean
  readonly fault: string | null
  readonly transaction_uuid: string | null
  /** Null while the call runs, and if the connection was cut. */
  readonly response_status: number | null
  readonly took_ms: number | null
}
