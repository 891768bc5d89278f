/** The store as the other modules see it: types only, so that nobody else imports Kysely. `store.ts` implements it. */
export type { Store, Tx, Reader } from './store.ts'
export type { Books } from './books.ts'
export type { CashierSession, LaunchAppearance, NewSession, StoredSession } from './sessions.ts'
export type { StoredMerchantEvent, StoredStreamEvent } from './events.ts'
export type { DueDelivery, DuePlace } from './deliveries.ts'
export type { FeedPosition } from './feed.ts'
export type { ClaimedUser } from './reconcile-queue.ts'
export type { SeenPlace, WaitingUsers } from './reconciliation-state.ts'
export type { ReconcilePriority } from '../ledger/reconcile-priority.ts'
export type { NextReconciliation } from './users.ts'
export type { QuarantineRow } from './inbox.ts'
export type { ReleasableReason } from './releases.ts'
export type { UserEntryRow } from './ledger-store.ts'
export type { OwnCurrency, OwnOnramp, OwnWithdrawal, OwnRows, OwnWithdrawalRow } from './user-history.ts'
export type { UnitKeys } from './unit-reader.ts'
export type { WithdrawalsPlace } from './withdrawals.ts'
export type { KnownCurrency } from '../ledger/unit-of-work.ts'
export type {
  OnrampRow,
  QuarantineReason,
  SettledBy,
  TransactionRow,
  WebhookOutcome,
  WithdrawalRow,
} from '../ledger/rows.ts'
