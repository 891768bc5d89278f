/** Deliveries of the feed's events to the merchant's webhook. */
import type { Generated } from 'kysely'

export interface DeliveriesTable {
  cursor: number
  entity: string
  /** A delivered event has no row. */
  state: 'pending' | 'dead'
  attempts: number
  next_ms: number
  first_ms: number | null
  last_error: string | null
  /** Who is sending it, until `next_ms`, and null between two attempts. */
  claim: string | null
}

/** What was sent to the merchant's webhook and what came back; deleted after seven days. */
export interface DeliveryAttemptsTable {
  id: Generated<number>
  /** The event's; null for a test event. */
  cursor: number | null
  /** 1 for the first attempt, and for the first after the event was queued again. */
  attempt: number
  began_ms: number
  ended_ms: number
  /** The status of the reply, such as `204`, or in a word why none came (`merchant/call-fault.ts`). */
  outcome: string
  /** Why it failed; null if it was delivered. */
  error: string | null
  webhook_id: string
  /** The header `webhook-signature`. */
  signature: string
  body: string
  /** The reply's headers, one in a line, and the beginning of its body; null without a reply. Without secrets. */
  reply_head: string | null
  reply_body: string | null
}

/** Embedded views of deliveries. Both hashes are SHA-256. */
export interface DeliveryViewsTable {
  token_hash: string
  /** Until then the token begins a session, once. */
  expires_ms: number
  /** When it did; the session is counted from here. */
  used_ms: number | null
  session_hash: string | null
}
