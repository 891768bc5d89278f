/**
 * The tables, the same in SQLite and PostgreSQL, which also has `rate_limits`. Times are milliseconds since 1970 (`_ms`) unless they are the
 * gateway's own text; amounts are decimal text; JSON is text. Only the store writes rows, so their types can be
 * trusted.
 */
import type { Generated } from 'kysely'
import type { Theme } from '#lib/contract/cashier.ts'
import type { ProposalKind, ProposalOutcome } from '#lib/contract/operate/decide.ts'
import type { Locale } from '#lib/contract/locales.ts'
import type { OperatorRole } from '#lib/contract/operate/operators.ts'
import type { ViewedList } from '#lib/contract/operate/views.ts'
import type { Decimal } from '#lib/contract/money.ts'
import type { StreamEvent, TransactionKind } from '#lib/contract/stream.ts'
import type { Account, BalanceRow, Booking } from '../../ledger/accounts.ts'
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
  WithdrawalCallRow,
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

/** Keys of the merchant API, beside `MERCHANT_API_KEY`. */
export interface MerchantKeysTable {
  id: string
  /** Unique without regard to case, by `name_key`, and never given again. */
  name: string
  name_key: string
  /** JSON */
  scopes: string
  /** SHA-256 of the key, hexadecimal. */
  key_hash: string
  /** The key's first characters. */
  shown: string
  created_ms: number
  /** An operator's name. */
  created_by: string
  /** Stored once a minute at most. */
  last_used_ms: number | null
  revoked_ms: number | null
  revoked_by: string | null
}

export interface TransactionsTable extends Omit<TransactionRow, 'user_reference_id'> {
  /** Empty if it has none. */
  user_reference_id: string
  /** A fact for each status and source (`ledger/stored-facts.ts`); never deleted, so that duplicates are recognized. */
  facts: Generated<string>
}

/** The facts of transactions that have no row yet: only another user's list has shown them. */
export interface UnplacedFactsTable {
  kind: TransactionKind
  transaction_uuid: string
  /** `ledger/stored-facts.ts` */
  facts: string
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
  /** Which records of its transaction were known when it was settled. */
  records_seen: Generated<string | null>
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

/** What was sent to the merchant's webhook and what came back; deleted after seven days. */
export interface DeliveryAttemptsTable {
  id: Generated<number>
  /** The event's; null for a test event. */
  cursor: number | null
  /** 1 for the first attempt, and for the first after the event was queued again. */
  attempt: number
  began_ms: number
  ended_ms: number
  /** The status of the reply, such as `204`, or in a word why none came (`merchant/call-fault.ts`). */
  outcome: string
  /** Why it failed; null if it was delivered. */
  error: string | null
  webhook_id: string
  /** The header `webhook-signature`. */
  signature: string
  body: string
  /** The reply's headers, one in a line, and the beginning of its body; null without a reply. Without secrets. */
  reply_head: string | null
  reply_body: string | null
}

/** Embedded views of deliveries. Both hashes are SHA-256. */
export interface DeliveryViewsTable {
  token_hash: string
  /** Until then the token begins a session, once. */
  expires_ms: number
  /** When it did; the session is counted from here. */
  used_ms: number | null
  session_hash: string | null
}

export interface LeasesTable {
  name: string
  holder: string
  expires_ms: number
}

/**
 * Values that the instances share: `alive`, `catch_up`, `calls` (`reconciliation-state.ts`); `ledger_start`, the time
 * before which nothing is booked; `restored`, when a backup was last restored; `lost`, when commits were lost that the
 * gateway's lists may not show yet; `stream_base`, the least last number of each stream (`unseen-numbers.ts`);
 * `measured` and `tallied`, the feed's last event that was measured (`measurements.ts`) and counted (`tallies.ts`).
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
    | 'tallied'
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

/** What an instance reports of its surroundings. */
export type InstanceReport =
  /** Three calls of the gateway in a row had no answer, and none has succeeded since. */
  | 'gateway_down'
  /** The gateway refuses our key or our signature. */
  | 'gateway_refuses'
  /** A webhook was refused: its signature did not match, or it could not be read. */
  | 'webhook_refused'
  /** The gateway's list told what no webhook had told. */
  | 'list_news'

/** What the instances know and no other table does (`runtime/instance-reports.ts`). Times are the database's. */
export interface InstanceReportsTable {
  instance: string
  what: InstanceReport
  /** When it happened first, of an unbroken row. */
  since_ms: number
  /** When it happened last, or was last known to go on. */
  last_ms: number
  count: number
  detail: string | null
}

/** What succeeded in a quarter of an hour, by the time when we learned of it. No row concerns a user. */
export interface TalliesTable {
  slot_ms: number
  kind: TransactionKind
  currency_code: string
  network: string
  count: number
  amount: Decimal
}

/** Under which slot and amount a success was counted: the gateway may correct its amount later. */
export interface TalliedEventsTable {
  /** The transaction, as the feed names it. */
  entity: string
  slot_ms: number
  currency_code: string
  network: string
  amount: Decimal
}

/** Sums over all users, taken at `taken_ms` (`operate/exceptions/book-totals-job.ts`). */
export interface BookTotalsTable {
  currency_id: string
  available: Decimal
  held: Decimal
  /** The sums of the users' last control totals, and for how many users they differ. */
  gateway: Decimal
  ledger: Decimal
  differing: number
  taken_ms: number
}

/** What a request of the page or of the merchant has made. */
export interface RequestEffectsTable {
  request_id: string
  kind: 'withdrawal' | 'session' | 'adjustment'
  /** Id of the withdrawal or the session; an adjustment's reference. */
  name: string
  user_reference_id: string
  created_ms: number
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

/** A person who uses the console. Their entries of the audit log stay when they leave, so rows are never deleted. */
export interface OperatorsTable {
  id: string
  /** Unique without regard to case, by `name_key`. */
  name: string
  name_key: string
  role: OperatorRole
  created_ms: number
  /** From then on the operator may not sign in. */
  disabled_ms: number | null
}

export interface OperatorSessionsTable {
  id: string
  operator_id: string
  created_ms: number
  last_used_ms: number
  /** When the operator last used a passkey in this session. */
  touched_ms: number
  ended_ms: number | null
}

/** A view of a list that an operator has saved: at most `MOST_VIEWS` each. */
export interface OperatorViewsTable {
  id: string
  operator_id: string
  list: ViewedList
  /** Unique among the operator's views of the list. */
  name: string
  /** The query of the list's address. */
  query: string
  created_ms: number
}

export interface OperatorPasskeysTable {
  id: string
  operator_id: string
  /** As the authenticator names it; base64url. */
  credential_id: string
  /** COSE; base64url. */
  public_key: string
  /** Of the authenticator's uses; 0 if it counts none. */
  counter: number
  /** JSON: how the browser may reach it. */
  transports: string
  name: string
  created_ms: number
  last_used_ms: number
  revoked_ms: number | null
}

/** Links that invite an operator to a passkey, until they are used. */
export interface OperatorInvitationsTable {
  /** SHA-256, base64url. */
  token_hash: string
  operator_id: string
  created_ms: number
  expires_ms: number
}

/** Challenges that a passkey has signed, until they would be refused anyway. */
export interface OperatorChallengesTable {
  challenge: string
  expires_ms: number
}

/** One row for each act of an operator and each look at a person's data; rows are only added, and never changed. */
export interface AuditEntriesTable {
  /** 1, 2, 3, … without gaps. */
  seq: number
  at_ms: number
  operator_id: string | null
  operator_name: string
  action: string
  about_kind: string | null
  /** Null, as the four columns below, once the person was erased; of a row that stays, its id stays too. */
  about_id: string | null
  user_reference_id: string | null
  reason: string | null
  /** JSON */
  detail: string | null
  /** Of `personal_digest`. */
  salt: string | null
  /** The digest of what may be erased. */
  personal_digest: string
  outcome: 'begun' | 'done' | 'refused' | 'failed'
  /** The entry whose outcome this one tells. */
  begun_seq: number | null
  /** The hash of the entry before; of the first, the empty text. */
  previous_hash: string
  hash: string
}

/** One row: the end of the chain, which each new entry locks. */
export interface AuditHeadTable {
  id: number
  entries: number
  hash: string
  at_ms: number
}

/** What an operator has proposed, and a second one must confirm (`operate/decide/`). */
export interface DecisionProposalsTable {
  id: string
  kind: ProposalKind
  /** The id of a withdrawal, or the uuid of a payout. */
  subject: string
  user_reference_id: string
  /** The act, as JSON. */
  content: string
  /** The state that the proposer saw, as text: if it changes, the proposal is void. */
  subject_state: string
  reason: string
  proposed_id: string
  proposed_name: string
  proposed_ms: number
  expires_ms: number
  /** Null while it waits; nobody if its time was over. */
  decided_id: string | null
  decided_name: string | null
  decided_ms: number | null
  outcome: ProposalOutcome | null
  detail: string | null
}

export interface Tables {
  users: UsersTable
  currencies: CurrenciesTable
  deposit_addresses: DepositAddressesTable
  address_notes: AddressNotesTable
  sessions: SessionsTable
  launch_tokens: LaunchTokensTable
  merchant_keys: MerchantKeysTable
  unplaced_facts: UnplacedFactsTable
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
  withdrawal_calls: WithdrawalCallRow
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
  delivery_attempts: DeliveryAttemptsTable
  delivery_views: DeliveryViewsTable
  leases: LeasesTable
  reconciliation: ReconciliationTable
  measurements: MeasurementsTable
  decision_proposals: DecisionProposalsTable
  commit_marks: CommitMarksTable
  instance_reports: InstanceReportsTable
  tallies: TalliesTable
  tallied_events: TalliedEventsTable
  book_totals: BookTotalsTable
  request_effects: RequestEffectsTable
  operators: OperatorsTable
  operator_sessions: OperatorSessionsTable
  operator_views: OperatorViewsTable
  operator_passkeys: OperatorPasskeysTable
  operator_invitations: OperatorInvitationsTable
  operator_challenges: OperatorChallengesTable
  audit_entries: AuditEntriesTable
  audit_head: AuditHeadTable
}
