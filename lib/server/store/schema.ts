/**
 * The tables. Times are milliseconds since 1970 (`_ms`) unless they are the gateway's own text; amounts are decimal
 * text; JSON is text; flags are 0 or 1. The same in SQLite and PostgreSQL.
 */
import type { Generated } from 'kysely'

export interface UsersTable {
  user_reference_id: string
  /** 1 from the first session on. */
  known: number
  created_ms: number
  /** Last sequence number of this user's stream. */
  stream_seq: Generated<number>
  /** Newest sequence number that was forgotten; a reader at or above it has missed nothing. */
  stream_floor: Generated<number>
  last_seen_ms: number
  /** When the user's list is to be compared next; null: not asked for. */
  reconcile_at_ms: number | null
  reconciled_ms: number | null
}

export interface CurrenciesTable {
  id: string
  currency_code: string
  name: string
  symbol: string
  network: string
  currency_icon: string | null
  /** 1 while the gateway lists it; 0 where it is known from webhooks or was listed before. */
  listed: number
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
  flows: string
  locale: string | null
  theme: string | null
  tokens: string | null
  support_url: string | null
  country: string | null
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

/** What was said about a transaction under one status; never pruned, so duplicates are known for ever. */
export interface FactsTable {
  kind: string
  transaction_uuid: string
  status: string
  source: string
  content: string
  recorded_ms: number
}

/** The projection: one row a transaction, folded from its facts. */
export interface TransactionsTable {
  kind: string
  transaction_uuid: string
  user_reference_id: string | null
  status: string
  amount: string | null
  currency_id: string | null
  currency_code: string
  network: string
  to_address: string | null
  from_address: string | null
  tx_hash: string | null
  /** The hash as two records are compared by it. */
  tx_hash_key: string | null
  amount_usd: string | null
  payment_method: string | null
  provider_transaction_id: string | null
  from_amount: string | null
  from_currency: string | null
  correlation_key: string | null
  session_reference: string | null
  withdrawal_id: string | null
  onramp_session_id: string | null
  /** What the ledger has credited for it; `0` for nothing. */
  credited: Generated<string>
  occurred_at: string
  created_ms: number
  updated_ms: number
}

/** The gateway's list as last seen, for the history when the gateway is away. */
export interface RecordsTable {
  user_reference_id: string
  transaction_uuid: string
  type: string
  status: string
  inserted_ms: number
  inserted_at: string
  /** The cursor that the gateway's list gave it. */
  cursor: string
  record: string
  seen_ms: number
}

export interface OnrampSessionsTable {
  id: string
  user_reference_id: string
  currency_id: string
  currency_code: string
  network: string
  amount: string
  fiat_currency: string
  country: string
  correlation_key: string | null
  link: string | null
  expires_at: string | null
  status: string
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
  amount: string
  wallet_address: string
  /** The address and amount as two withdrawals are compared by them. */
  address_key: string
  amount_key: string
  status: string
  /** authorizing, pending, calling, ended: where the five steps stand. */
  step: string
  /** Which instance drives the step. */
  driver: string | null
  /** none, held, released, paid: what the ledger has booked. */
  funds: string
  requires_approval: number
  transaction_uuid: string | null
  /** How it failed: refused, unreachable, declined, absent, error_reply, record; null while it has not. */
  failure: string | null
  failure_reason: string | null
  user_message: string | null
  /** Declined while the request was still open: a replay is answered 403. */
  declined_at_request: number
  record_status: string | null
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
}

export interface PostingsTable {
  id: Generated<number>
  /** Names the booking once and for ever, such as `credit:deposit:<uuid>`. */
  posting_key: string
  user_reference_id: string
  currency_id: string
  kind: string
  created_ms: number
  detail: string | null
}

export interface EntriesTable {
  posting_key: string
  account: string
  user_reference_id: string
  currency_id: string
  amount: string
}

export interface BalancesTable {
  user_reference_id: string
  currency_id: string
  available: string
  held: string
  /** Why available may be below zero: late_payout, credit_replaced; null: it may not. */
  overdraft: string | null
}

/** Raw signed webhooks, kept for a time. */
export interface WebhooksTable {
  id: string
  received_ms: number
  sent_s: number
  body: string
  outcome: string
}

export interface QuarantineTable {
  id: Generated<number>
  reason: string
  received_ms: number
  event_name: string | null
  user_reference_id: string | null
  transaction_uuid: string | null
  event: string
}

export interface StreamEventsTable {
  user_reference_id: string
  seq: number
  type: string
  data: string
  created_ms: number
}

export interface MerchantEventsTable {
  cursor: number
  /** The transaction that the event is about: deliveries keep their order within it. */
  entity: string
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
  /** pending, dead; what was delivered is gone. */
  state: string
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
}
