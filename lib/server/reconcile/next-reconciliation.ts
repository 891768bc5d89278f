import { RECONCILE_OPEN_AFTER_MS } from '../ledger/schedule-reconciliation.ts'
import type { NextReconciliation } from '../store/types.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/** For a day an open transaction is reconciled within each minute; the shares leave time to wait for a turn. */
const OPEN_SHARE = 20
const YOUNG_FOR_MS = DAY_MS
const YOUNG_EVERY_MS = 45_000
/** After a day it is reconciled less often, down to once a day. */
const OLD_SHARE = 96

/** A user who was seen in this time is reconciled once a day, also with nothing open. */
export const SEEN_FOR_MS = 30 * DAY_MS

/** The next round of a scan follows soon, after the users with an open state. */
const NEXT_ROUND_MS = 1000

/** A partly unreadable list costs several calls: without a new open transaction it comes after all others. */
const UNREADABLE_EVERY_MS = 5 * MINUTE_MS

/** The time between two reads for a transaction that has been open this long. */
const openEveryMs = (openForMs: number): number =>
  openForMs < YOUNG_FOR_MS
    ? Math.max(RECONCILE_OPEN_AFTER_MS, Math.min(openForMs / OPEN_SHARE, YOUNG_EVERY_MS))
    : Math.min(openForMs / OLD_SHARE, DAY_MS)

export interface Compared {
  /**
   * When the newest of the user's open states began; null if nothing is open. An old open state does not delay a new
   * one.
   */
  readonly newestOpenMs: number | null
  readonly lastSeenMs: number
  /** True if a part of the list could not be read. */
  readonly unreadable: boolean
  /** True if a scan of the list goes on with the next round. */
  readonly more?: boolean
}

/**
 * When this user is reconciled next (docs/explanation/money.md, "Reconciliation"); null: not until something happens.
 */
export function nextReconciliation(
  nowMs: number,
  { newestOpenMs, lastSeenMs, unreadable, more = false }: Compared,
): NextReconciliation | null {
  if (more && newestOpenMs === null) return { inMs: NEXT_ROUND_MS, priority: 'sweep' }
  const seen = nowMs - lastSeenMs < SEEN_FOR_MS
  if (newestOpenMs === null && !unreadable) return seen ? { inMs: DAY_MS, priority: 'sweep' } : null
  const inMs = newestOpenMs === null ? DAY_MS : openEveryMs(nowMs - newestOpenMs)
  if (!unreadable) return { inMs, priority: 'open' }
  const young = newestOpenMs !== null && nowMs - newestOpenMs < YOUNG_FOR_MS
  return young
    ? { inMs: YOUNG_EVERY_MS, priority: 'open' }
    : { inMs: Math.max(inMs, UNREADABLE_EVERY_MS), priority: 'sweep' }
}
