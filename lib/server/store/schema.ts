/**
 * The tables. Times are milliseconds since 1970 (`_ms`) unless they are the gateway's own text; amounts are decimal
 * text; JSON is text. The same in SQLite and PostgreSQL. Only the store writes them, so their types are what it wrote.
 */
import type { Generated } from 'kysely'
import type { Locale, Theme, WithdrawalStatus } from '#lib/contract/cashier.ts'
import type { WithdrawalAttention } from '#lib/contract/merchant-requests.ts'
import type { Decimal } from '#lib/contract/money.ts'
import type { StreamEvent } from '#lib/contract/stream.ts'
import type { Account, BalanceRow, Booking } from '../ledger/accounts.ts'
import type { Fact } from '../ledger/facts.ts'
import type { Funds, Standing, StatusOf, WithdrawalFailure, WithdrawalStep } from '../ledger/transaction-states.ts'

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

export interface UsersTable {
  user_reference_id: string
  /** 1 from the first session on. */
  known: SqlBoolean
  created_ms: number
  /** Last sequence number of this user's stream. */
  stream_seq: Generated<number>
  /** Newest sequence number that was deleted; a reader at or above it has missed nothing. */
  stream_floor: Generated<number>
  last_seen_ms: number
  /** When the user is reconciled next, by the database's time; null: not scheduled, or under way. */
  reconcile_at_ms: number | null
  /** `RECONCILE_PRIORITY` of that. */
  reconcile_priority: Generated<number>
  /** When the last scan that read all it asked for began, by the gateway's clock. */
  reconciled_ms: number | null
  /** Until when an instance is asking for this user's list, by the database's time; null: none is. */
  claimed_until_ms: Generated<number | null>
  /** When the user's `unknown` withdrawals are looked for next at the earliest, by the database's time. */
  check_after_ms: Generated<number>
  /** Since when a part of the user's list cannot be read, by the database's time; null: all can. */
  unreadable_ms: Generated<number | null>
}

export interface CurrenciesTable {
  id: string
  currency_code: string
  name: string
  symbol: string
  network: string
  currency_icon: string | null
  /** 1 while the gateway lists it; 0 if it is known from webhooks or was listed before. */
  listed: SqlBoolean
  position: number
  updated_ms: number
}

export interface DepositAddressesTable {
  user_reference_id: string
  currency_id: string
  address: string
  currency: string
  network: string
  created_ms: number
}

export interface SessionsTable {
  id: string
  user_reference_id: string
  /** JSON */
  flows: string
  locale: Locale | null
  theme: Theme | null
  /** JSON */
  tokens: string | null
  support_url: string | null
  country: string | null
  /** JSON */
  currency_ids: string | null
  return_url: string | null
  created_ms: number
  /** When it was launched; null until the token is redeemed. Age counts from `created_ms`. */
  launched_ms: number | null
  last_used_ms: number
  ended_ms: number | null
}

export interface LaunchTokensTable {
  token_hash: string
  session_id: string
  expires_ms: number
  used_ms: number | null
}

/** A transaction's fact for each status and source; never deleted, so duplicates are known for ever. */
export interface FactsTable extends Pick<Fact, 'kind' | 'transaction_uuid' | 'status' | 'source'> {
  /** The `Fact` as JSON. */
  content: string
  recorded_ms: number
}

/** The projection: one row for each transaction, folded from its facts. */
export interface TransactionsTable extends Omit<Fact, 'source' | 'unconfirmed' | 'erased' | 'currency_id'> {
  currency_id: string | null
  /** The hash in the spelling that two records are compared by. */
  tx_hash_key: string | null
  withdrawal_id: string | null
  onramp_session_id: string | null
  /** Whether it may be booked. */
  standing: Standing
  /** What the ledger has credited for it; `0` for nothing. */
  credited: Generated<Decimal>
  created_ms: number
  updated_ms: number
}

/** The gateway's list as last seen, for the history while the gateway is down. */
export interface RecordsTable {
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

export interface OnrampSessionsTable {
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
  created_ms: number
  updated_ms: number
}

export interface WithdrawalsTable {
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
  /** What the merchant decided before its answer to our question was stored. */
  early_decision: 'approve' | 'decline' | null
  /** Why a person is asked for, while it is `unknown`. */
  attention: WithdrawalAttention | null
  /** JSON of the person's decision that settled it (`merchant/resolve-withdrawal.ts`). */
  resolution: string | null
}

export interface PostingsTable {
  id: Generated<number>
  /** Unique for ever, such as `credit:deposit:<uuid>`. */
  posting_key: string
  user_reference_id: string
  currency_id: string
  kind: Booking
  created_ms: number
  /** JSON */
  detail: string | null
}

export interface EntriesTable {
  posting_key: string
  account: Account
  user_reference_id: string
  currency_id: string
  amount: Decimal
}

export type BalancesTable = BalanceRow

/** Raw signed webhooks, kept for a time. */
export interface WebhooksTable {
  id: string
  received_ms: number
  sent_s: number
  body: string
  outcome: WebhookOutcome
}

export interface QuarantineTable {
  id: Generated<number>
  reason: QuarantineReason
  received_ms: number
  event_name: string | null
  user_reference_id: string | null
  transaction_uuid: string | null
  /** The webhook's body, or for a report the record or webhook that named the payout. */
  event: string
  /** When it was applied or dismissed; null: open. */
  settled_ms: Generated<number | null>
  settled_by: Generated<SettledBy | null>
  /** The merchant's own words. */
  note: Generated<string | null>
}

export interface StreamEventsTable {
  user_reference_id: string
  seq: number
  type: StreamEvent['type']
  /** The event as JSON. */
  data: string
  created_ms: number
}

export interface MerchantEventsTable {
  cursor: number
  /** The transaction that the event is about: deliveries keep their order within it. */
  entity: string
  /** The event as JSON. */
  data: string
  created_ms: number
}

export interface CountersTable {
  name: string
  value: number
}

export interface DeliveriesTable {
  cursor: number
  entity: string
  /** A delivered one is deleted. */
  state: 'pending' | 'dead'
  attempts: number
  next_ms: number
  first_ms: number | null
  last_error: string | null
}

export interface LeasesTable {
  name: string
  holder: string
  expires_ms: number
}

/** What the instances know together: `alive`, `catch_up`, `calls` (`reconciliation-state.ts`). */
export interface ReconciliationTable {
  name: 'alive' | 'catch_up' | 'calls'
  value: number
}

export interface Tables {
  users: UsersTable
  currencies: CurrenciesTable
  deposit_addresses: DepositAddressesTable
  sessions: SessionsTable
  launch_tokens: LaunchTokensTable
  facts: FactsTable
  transactions: TransactionsTable
  records: RecordsTable
  onramp_sessions: OnrampSessionsTable
  withdrawals: WithdrawalsTable
  postings: PostingsTable
  entries: EntriesTable
  balances: BalancesTable
  webhooks: WebhooksTable
  quarantine: QuarantineTable
  stream_events: StreamEventsTable
  merchant_events: MerchantEventsTable
  counters: CountersTable
  deliveries: DeliveriesTable
  leases: LeasesTable
  reconciliation: ReconciliationTable
}
