/**
 * The tables, the same in SQLite and PostgreSQL, which also has `rate_limits`. Times are milliseconds since 1970 (`_ms`) unless they are the
 * gateway's own text; amounts are decimal text; JSON is text. Only the store writes rows, so their types can be
 * trusted.
 */
import type { Generated } from 'kysely'
import type { Theme } from '#lib/contract/cashier.ts'
import type { Locale } from '#lib/contract/locales.ts'
import type { Decimal } from '#lib/contract/money.ts'
import type { StreamEvent } from '#lib/contract/stream.ts'
import type { Account, BalanceRow, Booking } from '../../ledger/accounts.ts'
import type { FactColumns } from '../../ledger/facts.ts'
import type { RowUser } from '../../ledger/row-users.ts'
import type {
  OnrampRow,
  PayoutRow,
  QuarantineLine,
  RecordRow,
  SettledBy,
  SqlBoolean,
  TransactionRow,
  WebhookRow,
  WithdrawalColumns,
} from '../../ledger/rows.ts'

export interface UsersTable {
  user_reference_id: string
  /** 1 from the user's first session on. */
  known: SqlBoolean
  created_ms: number
  /** Last sequence number of this user's stream. */
  stream_seq: Generated<number>
  /** The newest deleted sequence number; a reader at or above it has missed nothing. */
  stream_floor: Generated<number>
  last_seen_ms: number
  /** When the user is reconciled next, by the database's time; null: not scheduled, or in progress. */
  reconcile_at_ms: number | null
  /** The `RECONCILE_PRIORITY` of `reconcile_at_ms`. */
  reconcile_priority: Generated<number>
  /** When the last complete scan began, by the gateway's clock. */
  reconciled_ms: number | null
  /** Until when an instance has claimed this user's list, by the database's time; null: not claimed. */
  claimed_until_ms: Generated<number | null>
  /** The earliest time of the next check of the user's `unknown` withdrawals, by the database's time. */
  check_after_ms: Generated<number>
  /** Since when a part of the user's list is unreadable, by the database's time; null: all is readable. */
  unreadable_ms: Generated<number | null>
  /** Since when reads of the user's whole list were tried and none was complete, by the database's time. */
  incomplete_ms: Generated<number | null>
  /** How many such reads were tried since then. */
  incomplete_reads: Generated<number>
  /** When the last read of the user's whole list began that reached its end, by our clock. */
  whole_ms: Generated<number | null>
  /** When the control totals were last compared with the whole list, by the database's time. */
  totals_ms: Generated<number | null>
  /** When withdrawals were allowed again after a backup was restored, by the database's time. */
  cleared_ms: Generated<number | null>
}

export interface CurrenciesTable {
  id: string
  currency_code: string
  name: string
  symbol: string
  network: string
  currency_icon: string | null
  network_icon: string | null
  /** 1 while it is offered; 0 if it is known from webhooks, was listed before, or `listed_as` is not null. */
  listed: SqlBoolean
  position: number
  updated_ms: number
  /** JSON: another currency that the gateway's list gave this id to, until it is taken (`readCurrencyList`). */
  listed_as: string | null
}

export interface DepositAddressesTable {
  user_reference_id: string
  currency_id: string
  address: string
  currency: string
  network: string
  created_ms: number
}

/** What a user noted about an address that they sent to (`cashier/sent-addresses.ts`). */
export interface AddressNotesTable {
  user_reference_id: string
  /** The id of the address on its network (`addressId`). */
  address_id: string
  name: string | null
  /** The address is left out until a withdrawal that was requested after this time. */
  forgotten_ms: number | null
  updated_ms: number
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
  /** Set by the launch. */
  time_zone: Generated<string | null>
  account_label: string | null
  merchant_name: string | null
  /** JSON */
  metadata: string | null
  own_wallet: Generated<SqlBoolean>
  created_ms: number
  /** When it was launched; null until the token is redeemed. The session's age counts from `created_ms`. */
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

/** A transaction's fact for each status and source; never deleted, so that duplicates are always recognized. */
export interface FactsTable extends FactColumns {
  /** The user of the transaction; empty if it has none. */
  user_reference_id: string
  recorded_ms: number
}

export interface TransactionsTable extends Omit<TransactionRow, 'user_reference_id'> {
  /** Empty if it has none. */
  user_reference_id: string
}

export interface PostingsTable {
  id: Generated<number>
  /** Unique for ever among those of the user, such as `credit:deposit:<uuid>`. */
  posting_key: string
  user_reference_id: string
  currency_id: string
  kind: Booking
  /** A posting moves one amount from one account to another: these columns are its two entries. */
  from_account: Account
  to_account: Account
  amount: Decimal
  created_ms: number
  /** JSON */
  detail: string | null
}

export type BalancesTable = BalanceRow

/** The last comparison of the gateway's account with what the gateway's list says. */
export interface ControlTotalsTable {
  user_reference_id: string
  currency_id: string
  /** What the gateway says it took in, minus what it paid out. */
  gateway: Decimal
  /** The same by our postings. */
  ledger: Decimal
  /** The difference that a person was told about; `0` if there is none. */
  difference: Decimal
  /** The transactions of the difference, as JSON. */
  transactions: string
  checked_ms: number
}

/** Raw signed webhooks; deleted after their retention. */
export interface WebhooksTable extends WebhookRow {
  id: Generated<number>
}

export interface QuarantineTable extends Omit<QuarantineLine, 'user_reference_id'> {
  id: Generated<number>
  /** Empty if it concerns none. */
  user_reference_id: string
  /** When it was applied or dismissed; null: open. */
  settled_ms: Generated<number | null>
  settled_by: Generated<SettledBy | null>
  /** The merchant's own note. */
  note: Generated<string | null>
  /** For an open event that may be applied automatically: when that is tried next. */
  release_ms: Generated<number>
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
  /** The transaction of the event. Deliveries about one transaction keep their order. */
  entity: string
  /** The event as JSON. */
  data: string
  created_ms: number
  /** 1 if the event was queued for `MERCHANT_WEBHOOK_URL` when it was written. */
  for_delivery: Generated<SqlBoolean>
}

/** Events of the feed from their commit until they are numbered, on PostgreSQL; empty on SQLite. */
export interface UnnumberedEventsTable extends Omit<MerchantEventsTable, 'cursor'> {
  id: Generated<number>
}

export interface CountersTable {
  name: string
  value: number
}

/** The epoch names this database's numbering of the feed, and changes after a backup was restored. */
export interface FeedEpochTable {
  /** `merchant_events`, as in `counters`. */
  name: string
  epoch: string
}

export interface DeliveriesTable {
  cursor: number
  entity: string
  /** A delivered event has no row. */
  state: 'pending' | 'dead'
  attempts: number
  next_ms: number
  first_ms: number | null
  last_error: string | null
  /** Who is sending it, until `next_ms`, and null between two attempts. */
  claim: string | null
}

export interface LeasesTable {
  name: string
  holder: string
  expires_ms: number
}

/**
 * Values that the instances share: `alive`, `catch_up`, `calls` (`reconciliation-state.ts`); `ledger_start`, the time
 * before which nothing is booked; `restored`, when a backup was last restored; `lost`, when commits were lost that the
 * gateway's lists may not show yet; `stream_base`, the least last number of
 * each stream (`unseen-numbers.ts`); `measured`, the feed's last event that was measured (`measurements.ts`).
 */
export interface ReconciliationTable {
  name:
    | 'alive'
    | 'catch_up'
    | 'calls'
    | 'ledger_start'
    | 'restored'
    | 'lost'
    | 'timeline'
    | 'recovered'
    | 'stream_base'
    | 'measured'
  value: number
}

export type Measure = 'deposit_time' | 'payout_time' | 'rate' | 'told_rate' | 'amount_min' | 'amount_max'

/** What was measured or told of a currency (`measures/samples.ts`). No row concerns a user. */
export interface MeasurementsTable {
  currency_id: string
  measure: Measure
  /** Code and network of the currency: samples of another meaning of its id do not count. */
  meaning: string
  /** JSON */
  samples: string
  updated_ms: number
}

/** PostgreSQL: the marks by which an instance knows its commits again (`commit-outcome.ts`). */
export interface CommitMarksTable {
  instance: string
  slot: number
  value: number
  at_ms: number
}

/** A scan of a user's list that takes more than one round (`reconcile/scan-state.ts`). */
export interface ListScansTable {
  user_reference_id: string
  /** Which job continues it: the check of `unknown` withdrawals, or the comparison of the list. */
  purpose: 'absence' | 'compare'
  /** When its first page was requested, by the clock of that instance, and the gateway's clock minus that clock. */
  began_ms: number
  clock_offset_ms: number | null
  /** The same by the database's time, if that instance did not know the gateway's time. */
  began_database_ms: number | null
  /** It ends after a page whose records are all older; null: it reads the whole list. */
  since_ms: number | null
  /**
   * `down` from the newest record; `top`: the newest records again, since some came meanwhile; `up` from the oldest
   * record, towards one that is unreadable.
   */
  phase: 'down' | 'top' | 'up'
  /** Where the next page begins; null: at the end of the list that `phase` begins with. */
  cursor: string | null
  /** Distinct records so far. */
  rows_seen: number
  /** The lowest and the last `total_count`; null before the first page. */
  fewest_total: number | null
  last_total: number | null
  /** 1 if `total_count` ever fell. */
  fell: SqlBoolean
  /** 1 if a record of another user was in the list. */
  has_foreign: SqlBoolean
  /** Records that `top` still has to read. */
  wanted: number
  /** How often the top was read again. */
  passes: number
  updated_ms: number
}

/** The records that such a scan has read. */
export interface ScannedRecordsTable {
  user_reference_id: string
  transaction_uuid: string
}

export interface Tables {
  users: UsersTable
  currencies: CurrenciesTable
  deposit_addresses: DepositAddressesTable
  address_notes: AddressNotesTable
  sessions: SessionsTable
  launch_tokens: LaunchTokensTable
  facts: FactsTable
  /** The projection: one row for each transaction, folded from its facts. */
  transactions: TransactionsTable
  /** Leads from a name to the user under whom its rows stand, and makes the name unique over all users. */
  row_users: RowUser
  /** The records of the gateway's list as last seen: the history while the gateway is down. */
  records: RecordRow
  list_scans: ListScansTable
  scanned_records: ScannedRecordsTable
  onramp_sessions: OnrampRow
  withdrawals: WithdrawalColumns
  payouts: PayoutRow
  postings: PostingsTable
  control_totals: ControlTotalsTable
  balances: BalancesTable
  webhooks: WebhooksTable
  quarantine: QuarantineTable
  stream_events: StreamEventsTable
  merchant_events: MerchantEventsTable
  unnumbered_events: UnnumberedEventsTable
  counters: CountersTable
  feed_epoch: FeedEpochTable
  deliveries: DeliveriesTable
  leases: LeasesTable
  reconciliation: ReconciliationTable
  measurements: MeasurementsTable
  commit_marks: CommitMarksTable
}
