/** The state that the ledger works on, as rows of the store. Times are milliseconds since 1970; JSON is text. */
import type { WithdrawalStatus } from '#lib/contract/cashier.ts'
import type { Decimal } from '#lib/contract/money.ts'
import type { Fact } from './facts.ts'
import type { Standing, StatusOf } from './transaction-statuses.ts'
import type { CALL_STATES, OUTCOMES } from './withdrawal-shapes.ts'
import type { Funds, WithdrawalFailure, WithdrawalStep } from './withdrawal-statuses.ts'

/** A boolean in the form that both databases have. */
export type SqlBoolean = 0 | 1

/** Where a published event comes from. */
export type Source = Fact['source'] | 'cashier'

/** Why a webhook was stored but not applied, or what a person is told (`Report`). */
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
  | 'implausible'
  | 'contradiction'
  | Report

/** Lines about transactions that were applied, or that nobody told: there is no event to apply. */
export type Report =
  'late_payout' | 'unmatched_payout' | 'overdue' | 'totals_differ' | 'foreign_record' | 'lost_commits'

/** Who decides for the merchant: its backend by `MERCHANT_API_KEY`, or by the key of that name, or that operator. */
export type Decider = 'merchant' | `merchant:${string}` | `operator:${string}`

/** Who settled a quarantined event: the cashier, when its reason was gone, or somebody for the merchant. */
export type SettledBy = 'system' | Decider

/** A payout in a user's list that another user has. */
export interface TakenPayout {
  readonly transaction_uuid: string
  /** The record of this user's list, as text. */
  readonly record: string
  /** The user has an open line about it. */
  readonly isTold: boolean
}

/** Disputes have a line of their own, for each transaction (`disputed-facts.ts`). */
export type Dispute = 'list_conflict' | 'contradiction'
export const isDispute = (reason: string): reason is Dispute => reason === 'list_conflict' || reason === 'contradiction'

/** The outcome of a webhook: `applied`, `seen` before, or why it is in quarantine. */
export type WebhookOutcome = 'applied' | 'seen' | Exclude<QuarantineReason, Report>

/** The projection: one row for each transaction, folded from its facts. */
export interface TransactionRow extends Omit<
  Fact,
  | 'source'
  | 'inexact'
  | 'unconfirmed'
  | 'misplaced'
  | 'taken_back'
  | 'told'
  | 'erased'
  | 'merchant_reference'
  | 'currency_id'
> {
  currency_id: string | null
  /** The hash in the form by which two records are compared. */
  tx_hash_key: string | null
  withdrawal_id: string | null
  onramp_session_id: string | null
  /** Whether it may be booked. */
  standing: Standing
  /** The amount that the ledger has credited for it; `0` if none. */
  credited: Decimal
  /** How many postings it has: each has its own key. */
  postings: number
  /** Of an on-ramp: the deposit that brought its coins. Once it is known it does not change. */
  deposit_uuid: string | null
  /** When it was judged after it had waited for the gateway for `OVERDUE_S`; null if it has not, or has ended. */
  overdue_ms: number | null
  /** When a complete scan of the whole list did not have its record, although it was booked; null if none did. */
  vanished_ms: number | null
  created_ms: number
  updated_ms: number
}

/** A transaction by the gateway's id. */
export type TransactionKey = Pick<TransactionRow, 'kind' | 'transaction_uuid'>

/** The columns of all withdrawals together. `WithdrawalRow` says which may have a value at once. */
export interface WithdrawalColumns {
  id: string
  user_reference_id: string
  idempotency_key: string
  currency_id: string
  currency_code: string
  network: string
  amount: Decimal
  wallet_address: string
  status: WithdrawalStatus
  step: WithdrawalStep
  /** Which instance runs the step. */
  driver: string | null
  funds: Funds
  /** How many postings it has: each has its own key. */
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
  /** The answer to the first request as JSON (`FirstResult`), for its replays; null until the call has ended. */
  first_result: string | null
  created_ms: number
  called_ms: number | null
  call_ended_ms: number | null
  absent_scans: number
  checks: number
  next_check_ms: number | null
  checked_ms: number | null
  updated_ms: number
  /** The gateway's clock minus that of the calling instance, at the end of the call; null if no reply told it. */
  clock_offset_ms: number | null
  /** The amount of the gateway's reply; null unless it accepted the withdrawal. */
  reply_amount: Decimal | null
  /** The transaction that the gateway's own reply named, whether accepted or not; null if it named none. */
  reply_transaction_uuid: string | null
  /** The paid amount, as the gateway says; null until a payout is linked. The ledger books the amount asked for. */
  paid_amount: Decimal | null
  /**
   * A decision that cannot count yet: the merchant's answer to our question is not stored, or the wait is not over. A
   * withdrawal that only waits is approved from the start.
   */
  early_decision: 'approve' | 'decline' | null
  /** Who approved or declined it, kept decisions too; null: nobody, or the merchant's answer to our question. */
  decided_by: Decider | null
  /** The names of the rules that caught it, as a JSON array; null if none did. */
  review: string | null
  /** Before this time, by the database's clock, it is not sent; null if no rule makes it wait. */
  wait_until_ms: number | null
  /** When it had waited for the gateway, or for a person's review, for `OVERDUE_S`; null if it has not, or has ended. */
  overdue_ms: number | null
  /** The person's decision that settled it, as JSON (`merchant/resolve-withdrawal.ts`). */
  resolution: string | null
  /** Each status since the request, with its time and cause, as JSON (`withdrawal-history.ts`). */
  states: string
}

/** A call about a withdrawal: to the gateway, or to ask the merchant. Kept as long as raw webhooks. */
export interface WithdrawalCallRow {
  readonly user_reference_id: string
  readonly withdrawal_id: string
  readonly purpose: 'authorize' | 'withdraw'
  readonly started_ms: number
  readonly ended_ms: number
  /** HTTP status of the reply; null without a reply. */
  readonly status: number | null
  /** Why there is no usable reply; null if there is one. */
  readonly fault: string | null
  /** The body as sent; null if it was not sent. */
  readonly request: string | null
  /** The beginning of the reply as text, without secrets (`gateway/kept-text.ts`). */
  readonly reply: string | null
}

/** A call before it is known what it is about. */
export type KeptCall = Omit<WithdrawalCallRow, 'user_reference_id' | 'withdrawal_id' | 'purpose'>

type Call = (typeof CALL_STATES)[keyof typeof CALL_STATES]
type Outcome = (typeof OUTCOMES)[keyof typeof OUTCOMES]

/** The columns of a withdrawal with this call and this outcome. */
type ShapeOf<C extends Call, O extends Outcome> = {
  [K in keyof WithdrawalColumns]: K extends 'step'
    ? C['step']
    : K extends 'status'
      ? O['status'][number]
      : K extends (C | O)['has'][number]
        ? NonNullable<WithdrawalColumns[K]>
        : K extends (C | O)['may'][number] | 'user_message' | 'decided_by'
          ? WithdrawalColumns[K]
          : null extends WithdrawalColumns[K]
            ? null
            : WithdrawalColumns[K]
}

type WithOutcome<C extends Call, O extends Call['outcomes'][number]> = O extends unknown
  ? ShapeOf<C, (typeof OUTCOMES)[O]>
  : never
type WithCall<C extends Call> = C extends unknown ? WithOutcome<C, C['outcomes'][number]> : never

/** A withdrawal: only columns that its step and status allow have a value. */
export type WithdrawalRow = WithCall<Call>

/** The merchant is being asked. */
export type AuthorizingWithdrawal = WithCall<(typeof CALL_STATES)['authorizing']>
/** The merchant has postponed it, or a rule has caught it. */
export type PendingWithdrawal = WithCall<(typeof CALL_STATES)['pending']>
/** The gateway is being called. */
export type CallingWithdrawal = WithCall<(typeof CALL_STATES)['calling']>
/** The call has begun. */
export type CalledWithdrawal = WithCall<(typeof CALL_STATES)['calling' | 'called']>
export type UnknownWithdrawal = WithOutcome<(typeof CALL_STATES)['called'], 'unknown'>

/** Whose a payout is; null: nobody's yet, so a person is asked. */
export type PayoutOwner =
  /** A withdrawal of ours. */
  | 'withdrawal'
  /** A person says that it belongs to no withdrawal. */
  | 'acknowledged'
  /** The gateway made it before `LEDGER_START`. */
  | 'before'
  | null

/** A payout that the gateway's list, or a confirmed event, has shown. */
export interface PayoutRow {
  transaction_uuid: string
  user_reference_id: string
  currency_id: string
  currency_code: string
  network: string
  amount: Decimal | null
  /** 1 if the amount came as a JSON number. */
  inexact: SqlBoolean
  to_address: string | null
  status: StatusOf<'payout'>
  /** When the gateway's list says that it was made; null while only events have shown it. */
  inserted_ms: number | null
  inserted_at: string | null
  first_seen_ms: number
  updated_ms: number
  owner: PayoutOwner
  /** The withdrawal, if that is the owner. */
  withdrawal_id: string | null
  /** What a person wrote. */
  note: string | null
  /** 1 while only unconfirmed events show it, and it fits a withdrawal: a person is asked only if the list is silent. */
  awaits_list: SqlBoolean
  /** 1 if it was acknowledged before the user's books were compared after a restore, which may have lost its withdrawal. */
  unbooked: SqlBoolean
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
  /** The purchase that was settled first and names the user: it uses the session up. */
  settled_uuid: string | null
  /** The merchant's own data as JSON, from the session. */
  metadata?: string | null | undefined
  /** The user's own address to which the coins go; null if they go to the account. */
  wallet_address?: string | null | undefined
  created_ms: number
  updated_ms: number
}

/** A record of the gateway's list as last seen: the history while the gateway is down. */
export interface RecordRow {
  user_reference_id: string
  transaction_uuid: string
  type: string
  status: string
  inserted_ms: number
  inserted_at: string
  /** The record's cursor in the gateway's list. */
  cursor: string
  /** The record as JSON. */
  record: string
  /** Since when the list has said of the transfer what it says now. */
  seen_ms: number
}

/** An event that was not applied, or a report, when it enters quarantine. */
export interface QuarantineLine {
  readonly reason: QuarantineReason
  readonly received_ms: number
  readonly event_name: string | null
  readonly user_reference_id: string | null
  readonly transaction_uuid: string | null
  /** The webhook's body; for a report, the record or webhook that named the payout. */
  readonly event: string
}

/** A raw signed webhook. */
export interface WebhookRow {
  readonly received_ms: number
  readonly sent_s: number
  readonly body: string
  readonly outcome: WebhookOutcome
  /** The transaction that it names; null if it names none. */
  readonly transaction_uuid: string | null
}

/** A user whose row is locked. */
export interface LockedUser {
  readonly user_reference_id: string
  /** 1 from the user's first session on. */
  readonly known: SqlBoolean
  /** Since when the user is stored: after an erasure, since they came back. */
  readonly created_ms?: number
  /**
   * Since a backup was restored: whether the user's whole list was compared with the books, or is not waited for, since
   * it cannot be read (`unread`); null if no backup was, or the user's withdrawals were allowed since.
   */
  readonly since_restore?: 'unchecked' | 'checked' | 'unread' | null
}
