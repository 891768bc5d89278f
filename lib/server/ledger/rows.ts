/** The state that the ledger works on, as rows. Times are milliseconds since 1970; JSON is text. The store keeps them. */
import type { WithdrawalStatus } from '#lib/contract/cashier.ts'
import type { WithdrawalAttention } from '#lib/contract/merchant-requests.ts'
import type { Decimal } from '#lib/contract/money.ts'
import type { Fact } from './facts.ts'
import type { Standing, StatusOf } from './transaction-statuses.ts'
import type { Funds, WithdrawalFailure, WithdrawalStep } from './withdrawal-statuses.ts'

/** A boolean that both databases spell alike. */
export type SqlBoolean = 0 | 1

/** Where a published event comes from. */
export type Source = Fact['source'] | 'cashier'

/**
 * Why a webhook was stored and not applied; or a report: `late_payout` was applied all the same, and `unmatched_payout`
 * keeps a withdrawal `unknown`.
 */
export type QuarantineReason =
  | 'stale'
  | 'unreadable'
  | 'unknown_event'
  | 'unknown_status'
  | 'unknown_user'
  | 'unknown_currency'
  | 'conflict'
  | 'list_conflict'
  | 'other_merchant'
  | 'late_payout'
  | 'unmatched_payout'

/** Who settled a quarantined event: we, once its reason had gone, or the merchant. */
export type SettledBy = 'system' | 'merchant'

/** What became of a webhook: `applied`, `seen` before, or why it is in quarantine. */
export type WebhookOutcome = 'applied' | 'seen' | Exclude<QuarantineReason, 'late_payout' | 'unmatched_payout'>

/** The projection: one row for each transaction, folded from its facts. */
export interface TransactionRow extends Omit<
  Fact,
  'source' | 'unconfirmed' | 'misplaced' | 'erased' | 'merchant_reference' | 'currency_id'
> {
  currency_id: string | null
  /** The hash in the spelling that two records are compared by. */
  tx_hash_key: string | null
  withdrawal_id: string | null
  onramp_session_id: string | null
  /** Whether it may be booked. */
  standing: Standing
  /** What the ledger has credited for it; `0` for nothing. */
  credited: Decimal
  /** How many postings it has: each has a key of its own. */
  postings: number
  /** Of an on-ramp: the deposit that brought its coins, for good once it is known. */
  deposit_uuid: string | null
  created_ms: number
  updated_ms: number
}

export interface WithdrawalRow {
  id: string
  user_reference_id: string
  idempotency_key: string
  currency_id: string
  currency_code: string
  network: string
  amount: Decimal
  wallet_address: string
  /** The address and amount in the spelling that two withdrawals are compared by. */
  address_key: string
  amount_key: Decimal
  status: WithdrawalStatus
  step: WithdrawalStep
  /** Which instance runs the step. */
  driver: string | null
  funds: Funds
  /** How many postings it has: each has a key of its own. */
  postings: number
  requires_approval: SqlBoolean
  transaction_uuid: string | null
  /** Null while it has not failed. */
  failure: WithdrawalFailure | null
  failure_reason: string | null
  user_message: string | null
  /** Declined while the request was still open: a replay is answered 403. */
  declined_at_request: SqlBoolean
  /** The state of its payout. */
  record_status: StatusOf<'payout'> | null
  /** JSON of what the request was first answered with (`FirstResult`), for its replays; null until its call ended. */
  first_result: string | null
  created_ms: number
  called_ms: number | null
  call_ended_ms: number | null
  absent_scans: number
  checks: number
  next_check_ms: number | null
  checked_ms: number | null
  updated_ms: number
  /** The gateway's clock minus that of the instance that called, when the call ended; null where no reply told it. */
  clock_offset_ms: number | null
  /** The amount of the gateway's reply, in the spelling that two withdrawals are compared by. */
  reply_amount_key: Decimal | null
  /** The transaction that the gateway's own reply named, accepted or not; null where it named none. */
  reply_transaction_uuid: string | null
  /** What its payout came to, as the gateway says; null until a payout is linked. The ledger books what was asked for. */
  paid_amount: Decimal | null
  /** What the merchant decided before its answer to our question was stored. */
  early_decision: 'approve' | 'decline' | null
  /** Why a person is asked for, while it is `unknown`. */
  attention: WithdrawalAttention | null
  /** JSON of the person's decision that settled it (`merchant/resolve-withdrawal.ts`). */
  resolution: string | null
}

export interface OnrampRow {
  id: string
  user_reference_id: string
  currency_id: string
  currency_code: string
  network: string
  amount: Decimal
  fiat_currency: string
  country: string
  correlation_key: string | null
  link: string | null
  expires_at: string | null
  status: StatusOf<'onramp'>
  transaction_uuid: string | null
  /** JSON of the merchant's own data, as its session has it. */
  metadata?: string | null | undefined
  /** Where the coins go, if to an address of the user's own; null: to the account. */
  wallet_address?: string | null | undefined
  created_ms: number
  updated_ms: number
}

/** The gateway's list as last seen, for the history while the gateway is down. */
export interface RecordRow {
  user_reference_id: string
  transaction_uuid: string
  type: string
  status: string
  inserted_ms: number
  inserted_at: string
  /** The cursor that the gateway's list gave it. */
  cursor: string
  /** The record as JSON. */
  record: string
  seen_ms: number
}

/** An event that was not applied, or a report, as it enters quarantine. */
export interface QuarantineLine {
  readonly reason: QuarantineReason
  readonly received_ms: number
  readonly event_name: string | null
  readonly user_reference_id: string | null
  readonly transaction_uuid: string | null
  /** The webhook's body, or for a report the record or webhook that named the payout. */
  readonly event: string
}

/** A raw signed webhook. */
export interface WebhookRow {
  readonly id: string
  readonly received_ms: number
  readonly sent_s: number
  readonly body: string
  readonly outcome: WebhookOutcome
}

/** A user whose row is locked. */
export interface LockedUser {
  readonly user_reference_id: string
  /** 1 from the first session on. */
  readonly known: SqlBoolean
}
