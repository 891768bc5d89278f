/**
 * Transactions and the facts that they are folded from, webhooks and quarantine, postings and balances. The ledger's other
 * tables are its own row types.
 */
import type { Generated } from 'kysely'
import type { Decimal } from '#lib/contract/money.ts'
import type { TransactionKind } from '#lib/contract/stream.ts'
import type { Account, BalanceRow, Booking } from '../../../ledger/accounts.ts'
import type { QuarantineLine, SettledBy, TransactionRow, WebhookRow } from '../../../ledger/rows.ts'

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

/** Raw signed webhooks; deleted after their retention. */
export interface WebhooksTable extends Omit<WebhookRow, 'body'> {
  id: Generated<number>
  /** `database/packed-text.ts` */
  body: Uint8Array
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
