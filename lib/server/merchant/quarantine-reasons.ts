import { Problem } from '#lib/contract/problems.ts'
import type { QuarantineReason } from '../store/types.ts'

/**
 * Whether an event with this reason may be applied later. Events with the other reasons contradict, or report, applied
 * events.
 */
export const CAN_APPLY: Readonly<Record<QuarantineReason, boolean>> = {
  stale: true,
  unknown_event: true,
  unknown_status: true,
  unknown_user: true,
  unknown_currency: true,
  unreadable: false,
  conflict: false,
  list_conflict: false,
  other_merchant: false,
  late_payout: false,
  implausible: true,
  contradiction: false,
  unmatched_payout: false,
  overdue: false,
  totals_differ: false,
  foreign_record: false,
  lost_commits: false,
}

const isReason = (text: string): text is QuarantineReason => Object.hasOwn(CAN_APPLY, text)

/** The reason in a query. @throws Problem `invalid_request` with `errors.reason` for an unknown reason */
export function readReason(text: string | null): QuarantineReason | null {
  if (text === null || isReason(text)) return text
  throw new Problem('invalid_request', 'Not valid: reason.', {
    errors: { reason: [`must be one of ${Object.keys(CAN_APPLY).join(', ')}`] },
  })
}
