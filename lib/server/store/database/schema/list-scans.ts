/** Scans of the gateway's lists that take several rounds. */
import type { SqlBoolean } from '../../../ledger/rows.ts'

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
