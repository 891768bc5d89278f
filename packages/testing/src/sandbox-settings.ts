/** Faults and modes of the sandbox gateway: docs/guides/test.md of the cashier describes each. */
import type { GatewayOperation, SandboxCurrency } from './sandbox-types.ts'

type AnyCallFault =
  | 'delay'
  | 'cut_before_commit'
  | 'cut_after_commit'
  | 'cut_mid_reply'
  | 'error_before_commit'
  | 'error_after_commit'
  | 'garbage'
  | 'wrong_shape'
  | 'oversized'
  | 'redirect'
  | 'rate_limited'
  | 'silence'
  | 'refuse'

type ListFault = AnyCallFault | 'clamp_page' | 'repeat_cursor' | 'lag' | 'wrong_count'

/** The kinds that each target can have; `*` is every operation. */
export interface FaultKinds {
  readonly currencies: AnyCallFault
  readonly merchant_transactions: ListFault
  readonly deposit_address: AnyCallFault
  readonly link_external_wallet: AnyCallFault
  readonly withdraw:
    AnyCallFault | 'refuse_with_transaction' | 'too_small' | 'needs_approval' | 'completes_later' | 'fails_later'
  readonly user_transactions: ListFault
  readonly payments: AnyCallFault
  readonly onramp_url: AnyCallFault
  readonly '*': AnyCallFault
  readonly webhooks:
    'drop' | 'duplicate' | 'reorder' | 'delay' | 'wrong_signature' | 'other_key' | 'stale_timestamp' | 'round_amounts'
}

interface AnyFault {
  /** How often the fault happens; once by default. */
  readonly times?: number | 'always'
  /** Such as `{ delay_ms: 500 }`. */
  readonly settings?: object
}

export interface OperationFault<Target extends GatewayOperation | '*'> extends AnyFault {
  readonly target: Target
  readonly kind: FaultKinds[Target]
  /** Without it, the fault affects calls of every user. Calls of `currencies` have no user. */
  readonly match?: { readonly user_reference?: string }
}

export interface WebhookFault extends AnyFault {
  readonly target: 'webhooks'
  readonly kind: FaultKinds['webhooks']
  readonly match?: {
    readonly user_reference?: string
    readonly event?: string
    readonly status?: string
    readonly transaction_uuid?: string
  }
}

export type FaultRequest<Target extends GatewayOperation | '*' = GatewayOperation | '*'> =
  OperationFault<Target> | WebhookFault

export interface SetFault {
  readonly id: number
  readonly target: string
  readonly kind: string
  readonly match_json: Readonly<Record<string, string>>
  readonly settings_json: Readonly<Record<string, unknown>>
  /** How often the fault will still happen; null for always. */
  readonly remaining: number | null
  readonly used: number
}

export interface SandboxModes {
  readonly clock_offset_ms: number
  readonly query_form: 'bare' | 'question-mark' | 'either'
  readonly currencies_form: 'array' | 'object'
  readonly currency_list: 'usual' | 'long' | 'one' | 'empty'
  readonly approval_above: string | null
  readonly check_wallet_addresses: boolean
  readonly magic_values: boolean
  readonly payouts_complete_after_ms: number | null
  readonly deposits_confirm_after_ms: number | null
  readonly onramp_picks_up: 'on_open' | 'on_create'
  readonly onramp_delivers_after_ms: number | null
  readonly onramp_deposit: 'after' | 'before' | 'off'
  readonly widget_redirect: 'on' | 'off'
  readonly widget_link: 'usual' | 'elsewhere'
  readonly onramp_expires_after_ms: number | null
  readonly failure_webhooks: boolean
  readonly status_words: 'usual' | 'others'
  readonly page_size: number
  readonly page_limit: number
  readonly page_over_limit: 'clamp' | 'refuse'
  readonly webhooks: 'on' | 'off'
  readonly webhook_timeout_ms: number
  readonly webhook_retries_ms: readonly number[]
}

export interface SandboxMerchant {
  readonly id: string
  readonly name: string
  readonly api_key: string
  readonly allow_custom_external_wallet: boolean
  readonly webhook_url: string | null
}

export interface MerchantChanges {
  readonly allow_custom_external_wallet?: boolean
  /** Null sends no webhooks. */
  readonly webhook_url?: string | null
}

export interface SandboxClock {
  readonly clock_offset_ms: number
  /** In milliseconds since 1970. */
  readonly now: number
}

export interface SandboxState {
  /** The gateway's clock, in milliseconds since 1970. */
  readonly now: number
  /** How often the gateway has come back from `restart`. */
  readonly restarts: number
  readonly origin: string
  readonly base_path: string
  readonly modes: SandboxModes
  readonly merchants: readonly SandboxMerchant[]
  readonly gateway_public_key: string
  readonly currencies: readonly SandboxCurrency[]
  readonly counts: Readonly<Record<string, number>>
}

/** Values that cause a fault. */
export interface MagicValues {
  /** By the four digits after the point of a withdrawal's amount. */
  readonly amounts: Readonly<Record<string, { readonly kind: string; readonly settings: object }>>
  /** By network and fault. */
  readonly addresses: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly users: Readonly<Record<string, { readonly kind: string; readonly settings: object }>>
}
