/** What the instances share or report: leases, values, marks of commits. */

export interface LeasesTable {
  name: string
  holder: string
  expires_ms: number
}

/**
 * Values that the instances share: `alive`, `catch_up`, `calls` (`reconciliation-state.ts`); `ledger_start`, the time
 * before which nothing is booked; `books`, who keeps the books (`reconciliation-state.ts`); `restored`, when a backup was last restored; `lost`, when commits were lost that the
 * gateway's lists may not show yet; `stream_base`, the least last number of each stream (`unseen-numbers.ts`);
 * `measured` and `tallied`, the feed's last event that was measured (`measurements.ts`) and counted (`tallies.ts`).
 */
export interface ReconciliationTable {
  name:
    | 'alive'
    | 'catch_up'
    | 'calls'
    | 'ledger_start'
    | 'books'
    | 'restored'
    | 'lost'
    | 'timeline'
    | 'recovered'
    | 'stream_base'
    | 'measured'
    | 'tallied'
  value: number
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
