/**
 * The payment gateway's interface for the other modules; its failures are in `errors.ts`. `client.ts` implements it
 * over HTTP. Amounts are decimal strings with every digit that was sent.
 */
import type { Currency, TimeRange } from '#lib/contract/cashier.ts'
import type { Decimal } from '#lib/contract/money.ts'
import type { StatusReader } from './status-words.ts'

/** The currency inside a transaction record (docs/internal/gateway.md, "Nested currency"). */
export interface NestedCurrency {
  readonly id: string
  readonly code: string
  readonly name: string
  readonly symbol: string
  readonly network: string
  readonly currency_icon: string | null
  readonly network_icon: string | null
  readonly token_address: string | null
}

/** A transaction record (docs/internal/gateway.md, "Transaction records"). Unknown fields stay in it. */
export interface TransactionRecord {
  readonly transaction_uuid: string
  readonly type: string
  readonly status: string
  readonly merchant_status: string | null
  readonly amount: Decimal
  readonly amount_usd: Decimal | null
  readonly currency: NestedCurrency
  readonly correlation_key: string | null
  readonly from_address: string | null
  readonly to_address: string | null
  readonly tx_hash: string | null
  readonly provider_transaction_id: string | null
  readonly provider_wallet_reference: string | null
  readonly trn_provider_ref: string | null
  readonly failure_reason: string | null
  readonly transaction_data: Readonly<Record<string, unknown>>
  readonly user_ref_id: string
  readonly inserted_at: string
  readonly updated_at: string | null
  readonly completed_at: string | null
}

export interface TransactionsList {
  readonly edges: readonly {
    readonly cursor: string
    readonly inserted_at: string
    readonly node: TransactionRecord
    /** The record's amount came as a JSON number, and may have lost digits on its way. */
    readonly inexact?: true | undefined
  }[]
  readonly page_info: {
    readonly start_cursor: string | null
    readonly end_cursor: string | null
    readonly has_next_page: boolean
    readonly has_previous_page: boolean
  }
  readonly total_count: number
}

/** A page of the list without its unreadable records: enough for display, but no proof that a record is absent. */
export interface TransactionsToShow extends Omit<TransactionsList, 'total_count'> {
  /** Null if it is unreadable, or less than the number of records on the page. */
  readonly total_count: number | null
  /** How many records of the page are unreadable. */
  readonly left_out: number
}

export interface TransactionsListRequest {
  readonly first?: number
  readonly after?: string
  readonly last?: number
  readonly before?: string
  readonly time_range?: TimeRange
  readonly transaction_types?: readonly string[]
}

export interface WithdrawRequest {
  readonly currency_id: string
  readonly amount: Decimal
  readonly wallet_address: string
  readonly user_reference_id: string
}

export interface WithdrawReply {
  readonly amount: Decimal
  readonly currency: string
  readonly requires_approval: boolean
  readonly status: string
  readonly wallet_address: string
  /** Not documented; kept if a reply has it. */
  readonly transaction_uuid: string | null
}

export interface PaymentSessionRequest {
  readonly payment_type: 'ON_RAMP' | 'OFF_RAMP'
  readonly country: string
  readonly currency_id: string
  readonly amount?: Decimal
  readonly fiat_currency?: string
  readonly redirect_url?: string
  readonly user_reference_id?: string
  readonly custom_wallet_address?: string
  readonly session_reference?: string
  readonly metadata?: Readonly<Record<string, unknown>>
  readonly theme?: 'light' | 'dark'
}

export interface PaymentSessionReply {
  readonly link: string
  readonly correlation_key: string
  readonly expires_at: string | null
}

export interface OnrampUrlRequest {
  readonly provider: string
  readonly currency_id: string
  readonly user_reference_id: string
  readonly country: string
  readonly operation: string
  readonly site: string
  readonly theme: 'light' | 'dark'
}

/** One request to the gateway and its reply, as texts for people (`kept-text.ts`). */
export interface Exchange {
  /** Milliseconds since 1970. */
  readonly startedMs: number
  readonly endedMs: number
  /** The body as sent. */
  readonly request: string
  /** HTTP status; null without a reply. */
  readonly status: number | null
  readonly reply: string | null
}

/** Options of one call. */
export interface CallOptions {
  /** Aborts it. */
  readonly signal?: AbortSignal
  /** Called after each request, sent or not, before its reply is read. */
  readonly onExchange?: (exchange: Exchange) => void
}

/** Every operation of the gateway (docs/internal/gateway.md, "Operations"). Each may throw a `GatewayError`. */
export interface Gateway {
  /** GET /v1/merchant/currencies, from either reply form. */
  listCurrencies(options?: CallOptions): Promise<readonly Currency[]>
  /** POST /v1/user/deposit/address. */
  createDepositAddress(
    request: { readonly currency_id: string; readonly user_reference: string },
    options?: CallOptions,
  ): Promise<{ readonly address: string; readonly currency: string; readonly network: string }>
  /** POST /v1/user/deposit/link_external_wallet; not documented, see docs/internal/gateway-assumptions.md. */
  linkExternalWallet(
    request: { readonly currency_id: string; readonly user_reference: string },
    options?: CallOptions,
  ): Promise<{ readonly link: string }>
  /** POST /v1/user/withdraw. Sent once: the client never retries it. */
  withdraw(request: WithdrawRequest, options?: CallOptions): Promise<WithdrawReply>
  /** POST /v1/user/transactions. */
  listUserTransactions(
    user_reference_id: string,
    query?: TransactionsListRequest,
    options?: CallOptions,
  ): Promise<TransactionsList>
  /** POST /v1/merchant/transactions; not documented, assumed to have the shapes of the user's list. */
  listMerchantTransactions(query?: TransactionsListRequest, options?: CallOptions): Promise<TransactionsList>
  /** As `listUserTransactions`, for display. */
  showUserTransactions(
    user_reference_id: string,
    query?: TransactionsListRequest,
    options?: CallOptions,
  ): Promise<TransactionsToShow>
  /** As `listMerchantTransactions`, for display. */
  showMerchantTransactions(query?: TransactionsListRequest, options?: CallOptions): Promise<TransactionsToShow>
  /** POST /v1/user/payments. Not retried. */
  createPaymentSession(request: PaymentSessionRequest, options?: CallOptions): Promise<PaymentSessionReply>
  /** POST /v1/user/onramp/get_url (legacy). */
  getOnrampUrl(request: OnrampUrlRequest, options?: CallOptions): Promise<{ readonly link: string }>
  /** The gateway's clock minus ours, by the `Date` of its replies; null before two replies agreed on it. */
  clockOffsetMs(): number | null
  /** What the statuses of records and replies mean. */
  readonly statuses: StatusReader
  /** Closes kept-alive connections. */
  close(): Promise<void>
}
