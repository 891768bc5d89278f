/** The users, and what belongs to them outside the ledger. */
import type { Generated } from 'kysely'
import type { SqlBoolean } from '../../../ledger/rows.ts'

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
  /** When a person was last told that the list is unreadable or was not read completely, by the database's time. */
  list_told_ms: Generated<number | null>
  /** When the last read of the user's whole list began that reached its end, by our clock. */
  whole_ms: Generated<number | null>
  /** When the control totals were last compared with the whole list, by the database's time. */
  totals_ms: Generated<number | null>
  /** When withdrawals were allowed again after a backup was restored, by the database's time. */
  cleared_ms: Generated<number | null>
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
