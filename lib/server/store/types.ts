/** The store's types for the other modules, so that no other module imports Kysely. `store.ts` implements the store. */
export type { Store, Tx } from './store.ts'
export type { Reader } from './reader.ts'
export type { WholeLedger } from './tables/whole-ledger.ts'
export type { CashierSession, LaunchAppearance, NewSession, StoredSession } from './tables/sessions.ts'
export type { StoredMerchantEvent, StoredStreamEvent } from './tables/events.ts'
export type { DueDelivery, DuePlace } from './tables/deliveries.ts'
export type { AttemptSummary, DeliveryAttemptRow, NewDeliveryAttempt } from './tables/delivery-attempts.ts'
export type { CursorRange, DeliveryFilter, DeliveryRow } from './tables/delivery-list.ts'
export type { MeasurementRow } from './tables/measurements.ts'
export type { FeedPosition } from './tables/feed-epoch.ts'
export type { Measure } from './database/schema.ts'
export type { ListScan } from './tables/list-scans.ts'
export type { ClaimedUser } from './tables/reconcile-queue.ts'
export type { SeenPlace } from './tables/due-users.ts'
export type { WaitingUsers } from './tables/reconciliation-delays.ts'
export type { ReconcilePriority } from '../ledger/reconcile-priority.ts'
export type { NextReconciliation } from './tables/users.ts'
export type { InvitationRow } from './tables/operator-invitations.ts'
export type { PasskeyRow } from './tables/operator-passkeys.ts'
export type { AuditSubject, NewAuditEntry } from './tables/audit-chain.ts'
export type { AuditFilter, ListedAuditRow } from './tables/audit-list.ts'
export type { OperatorOfSession, OperatorRow } from './tables/operators.ts'
export type { ListPlace, ListStep, ListStepRequest } from './lists/list-steps.ts'
export type { OperatorViewRow } from './tables/operator-views.ts'
export type { StoredListRows } from './lists/operator-lists.ts'
export type { NewDepositAddress } from './tables/deposit-addresses.ts'
export type { AddressNote } from './tables/address-notes.ts'
export type { StoredCurrency } from './tables/currencies.ts'
export type { NewProposal, ProposalRow } from './tables/proposals.ts'
export type { ListReads } from './tables/users.ts'
export type { ActiveMerchantKey, MerchantKeyRow } from './tables/merchant-keys.ts'
export type { QuarantineRow } from './tables/quarantine.ts'
export type { HeldPurchase, StoryRows } from './tables/story-rows.ts'
export type { ReleasableReason } from './tables/quarantine-releases.ts'
export type { ExportedRecord, ExportedEntries, PostingPlace, RecordPlace } from './tables/exports.ts'
export type { OwnCurrency, OwnOnramp, OwnWithdrawal, OwnRows, OwnWithdrawalRow } from './tables/user-history.ts'
export type { CommitSignals } from './database/commit-signals.ts'
export type { BookPlace, BookTotal } from './tables/book-totals.ts'
export type { StoredReport } from './tables/instance-reports.ts'
export type { RequestEffect } from './tables/request-effects.ts'
export type { FoundDelivery, FoundSession, FoundUser, SearchText } from './tables/search.ts'
export type { TalliedEvent, Tally, TallySum } from './tables/tallies.ts'
export type { InstanceReport } from './database/schema.ts'
export type { UnitKeys } from './unit/unit-keys.ts'
export type { KnownCurrency } from '../ledger/unit-of-work.ts'
export type {
  AuthorizingWithdrawal,
  CallingWithdrawal,
  KeptCall,
  OnrampRow,
  PayoutRow,
  PendingWithdrawal,
  QuarantineReason,
  CalledWithdrawal,
  Decider,
  SettledBy,
  TransactionRow,
  UnknownWithdrawal,
  WebhookOutcome,
  WithdrawalCallRow,
  WithdrawalRow,
} from '../ledger/rows.ts'
