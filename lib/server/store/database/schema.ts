/**
 * The tables, the same in SQLite and PostgreSQL, which also has `rate_limits`. Times are milliseconds since 1970 (`_ms`)
 * unless they are the gateway's own text; amounts are decimal text; JSON is text. Only the store writes rows, so their
 * types can be trusted. The rows stand in `schema/`, or in the ledger if it reads them.
 */
import type { RowUser } from '../../ledger/row-users.ts'
import type { OnrampRow, PayoutRow, RecordRow, WithdrawalCallRow, WithdrawalColumns } from '../../ledger/rows.ts'
import type { AuditEntriesTable, AuditHeadTable } from './schema/audit.ts'
import type { CurrenciesTable, MeasurementsTable } from './schema/currencies.ts'
import type { DeliveriesTable, DeliveryAttemptsTable, DeliveryViewsTable } from './schema/deliveries.ts'
import type {
  CountersTable,
  FeedEpochTable,
  MerchantEventsTable,
  StreamEventsTable,
  UnnumberedEventsTable,
} from './schema/events.ts'
import type { CommitMarksTable, InstanceReportsTable, LeasesTable, ReconciliationTable } from './schema/instances.ts'
import type {
  BalancesTable,
  ControlTotalsTable,
  PostingsTable,
  QuarantineTable,
  TransactionsTable,
  UnplacedFactsTable,
  WebhooksTable,
} from './schema/ledger.ts'
import type { ListScansTable, ScannedRecordsTable } from './schema/list-scans.ts'
import type {
  DecisionProposalsTable,
  OperatorChallengesTable,
  OperatorInvitationsTable,
  OperatorPasskeysTable,
  OperatorSessionsTable,
  OperatorViewsTable,
  OperatorsTable,
} from './schema/operators.ts'
import type { LaunchTokensTable, MerchantKeysTable, RequestEffectsTable, SessionsTable } from './schema/sessions.ts'
import type { BookTotalsTable, TalliedEventsTable, TalliesTable } from './schema/totals.ts'
import type { AddressNotesTable, DepositAddressesTable, UsersTable } from './schema/users.ts'

export type * from './schema/audit.ts'
export type * from './schema/currencies.ts'
export type * from './schema/deliveries.ts'
export type * from './schema/events.ts'
export type * from './schema/instances.ts'
export type * from './schema/ledger.ts'
export type * from './schema/list-scans.ts'
export type * from './schema/operators.ts'
export type * from './schema/sessions.ts'
export type * from './schema/totals.ts'
export type * from './schema/users.ts'

export interface Tables {
  users: UsersTable
  currencies: CurrenciesTable
  deposit_addresses: DepositAddressesTable
  address_notes: AddressNotesTable
  sessions: SessionsTable
  launch_tokens: LaunchTokensTable
  merchant_keys: MerchantKeysTable
  /** One row for each transaction, with its facts, and with what they say together. */
  transactions: TransactionsTable
  unplaced_facts: UnplacedFactsTable
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
