import type { Booking } from './accounts.ts'
import { subjectOf } from './post-entries.ts'

/**
 * What a posting's key names after its kind (`credit:deposit:<uuid>`, `hold:<withdrawal>`,
 * `adjustment:<user>:<reference>`).
 */
export interface AboutEntry {
  readonly reason: string
  readonly transaction_uuid?: string
  readonly withdrawal_id?: string
  /** The merchant's reference of an adjustment. */
  readonly reference?: string
}

/** The part of a text before its first colon, and the rest. */
const splitOnce = (text: string): readonly [string, string] => {
  const at = text.indexOf(':')
  return [text.slice(0, at), text.slice(at + 1)]
}

const ofTransaction = (reason: (kind: string) => string) => (key: string) => {
  const [kind, transaction_uuid] = splitOnce(subjectOf(key))
  return { reason: reason(kind), transaction_uuid }
}
const ofWithdrawal = (reason: string) => (key: string) => ({ reason, withdrawal_id: subjectOf(key) })

const ABOUT: Readonly<Record<Booking, (key: string) => AboutEntry>> = {
  credit: ofTransaction((kind) => kind),
  reversal: ofTransaction(() => 'reversal'),
  hold: ofWithdrawal('withdrawal'),
  release: ofWithdrawal('release'),
  payout: ofWithdrawal('payout'),
  late_payout: ofWithdrawal('late_payout'),
  // A user's name has no colon, a reference may have some.
  adjustment: (key) => ({ reason: 'adjustment', reference: splitOnce(splitOnce(key)[1])[1] }),
}

/** Why an entry was booked, and what its posting's key names. */
export const aboutEntry = ({
  kind,
  posting_key,
}: {
  readonly kind: Booking
  readonly posting_key: string
}): AboutEntry => ABOUT[kind](posting_key)
