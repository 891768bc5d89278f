/** Sums that the console shows, over all users. */
import type { Decimal } from '#lib/contract/money.ts'
import type { TransactionKind } from '#lib/contract/stream.ts'

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
