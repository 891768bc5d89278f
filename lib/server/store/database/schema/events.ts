/** The events of the users' streams and of the merchant's feed, and their numbering. */
import type { Generated } from 'kysely'
import type { StreamEvent } from '#lib/contract/stream.ts'
import type { SqlBoolean } from '../../../ledger/rows.ts'

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

/**
 * The epoch names this database's numbering of the feed, and changes after a backup was restored. Cursors have its
 * beginning; the rest never leaves the database.
 */
export interface FeedEpochTable {
  /** `merchant_events`, as in `counters`. */
  name: string
  epoch: string
}
