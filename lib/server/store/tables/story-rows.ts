/** The rows that a story is told from: everything that is stored about a few transactions and their withdrawal. */
import type { Selectable } from 'kysely'
import type { AuditOutcome, AuditRow } from './audit-chain.ts'
import type { DeliveryAttemptRow } from './delivery-attempts.ts'
import type { QuarantineRow } from './quarantine.ts'
import type { ControlTotalsTable, DeliveriesTable, MerchantEventsTable, PostingsTable } from '../database/schema.ts'
import type { RecordedFact } from '../../ledger/facts.ts'
import type {
  OnrampRow,
  PayoutRow,
  RecordRow,
  TransactionRow,
  WebhookRow,
  WithdrawalCallRow,
  WithdrawalRow,
} from '../../ledger/rows.ts'

/** An event of the feed that is or was queued for the merchant's webhook; delivered if it has no delivery. */
export interface StoryDelivery extends Pick<MerchantEventsTable, 'cursor' | 'entity' | 'data' | 'created_ms'> {
  /** Oldest first. */
  readonly attempts: readonly Pick<
    DeliveryAttemptRow,
    'began_ms' | 'ended_ms' | 'outcome' | 'error' | 'reply_head' | 'reply_body'
  >[]
  readonly delivery:
    | (Pick<DeliveriesTable, 'state' | 'attempts' | 'first_ms'> & {
        /** Milliseconds until the next attempt. */
        readonly next_in_ms: number
      })
    | null
}

/** An act in the console, or a look at it; `ended` is null while the outcome of an act is not stored. */
export interface StoryAct extends AuditRow {
  readonly ended: AuditOutcome | null
}

/** What is known of a user's list. */
export interface StoryUser {
  readonly user_reference_id: string
  /** Milliseconds until the list is read next; null: that is not scheduled, or it is being read. */
  readonly reconcile_in_ms: number | null
  readonly is_claimed: boolean
  /** When the last complete read of the whole list began. */
  readonly whole_ms: number | null
  readonly unreadable_ms: number | null
}

/** What the events of a purchase in quarantine name. */
export interface HeldPurchase {
  readonly users: readonly string[]
  /** References and keys of sessions. */
  readonly sessions: readonly string[]
  readonly keys: readonly string[]
  /** `TransactionRow.tx_hash_key` */
  readonly hashes: readonly string[]
}

export interface StoryWebhook extends WebhookRow {
  readonly id: number
}

export interface StoryRows {
  /** The transactions and the withdrawals that belong together; the first is the one that was asked for. */
  readonly uuids: readonly string[]
  readonly withdrawals: readonly WithdrawalRow[]
  readonly transactions: readonly TransactionRow[]
  readonly facts: readonly RecordedFact[]
  readonly payouts: readonly PayoutRow[]
  readonly onramps: readonly OnrampRow[]
  readonly records: readonly RecordRow[]
  readonly lines: readonly QuarantineRow[]
  readonly webhooks: readonly StoryWebhook[]
  readonly postings: readonly Selectable<PostingsTable>[]
  readonly calls: readonly WithdrawalCallRow[]
  readonly deliveries: readonly StoryDelivery[]
  readonly acts: readonly StoryAct[]
  readonly users: readonly StoryUser[]
  readonly totals: readonly ControlTotalsTable[]
  /** Of some kind of row only the newest were read. */
  readonly is_cut: boolean
}
