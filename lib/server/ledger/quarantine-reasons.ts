import { QUARANTINE_REASONS } from '#lib/contract/operate/lists.ts'
import type { QuarantineReason } from './rows.ts'

/**
 * By reason, whether the `event` of a line is the body of a webhook that was not applied: a person may book by hand what
 * it tells. The other lines are reports.
 */
export const IS_UNAPPLIED_EVENT: Readonly<Record<QuarantineReason, boolean>> = {
  stale: true,
  unreadable: true,
  unknown_event: true,
  unknown_status: true,
  unknown_user: true,
  unknown_currency: true,
  conflict: true,
  other_merchant: true,
  implausible: true,
  list_conflict: false,
  contradiction: false,
  late_payout: false,
  unmatched_payout: false,
  overdue: false,
  totals_differ: false,
  foreign_record: false,
  lost_commits: false,
}

export const UNAPPLIED_REASONS = QUARANTINE_REASONS.filter((reason) => IS_UNAPPLIED_EVENT[reason])

/**
 * The reasons of lines about a transfer by which a person may book it by hand before it is booked: its events, and a
 * failure that may be followed by a success.
 */
export const BOOKED_BY_REASONS: readonly QuarantineReason[] = [...UNAPPLIED_REASONS, 'contradiction']
