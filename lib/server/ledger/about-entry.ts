import type { Booking } from './accounts.ts'

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

const ofTransaction = (reason: (kind: string) => string) => (key: readonly string[]) => ({
  reason: reason(key[1] ?? ''),
  ...(key[2] !== undefined && { transaction_uuid: key[2] }),
})
const ofWithdrawal = (reason: string) => (key: readonly string[]) => ({
  reason,
  ...(key[1] !== undefined && { withdrawal_id: key[1] }),
})

const ABOUT: Readonly<Record<Booking, (key: readonly string[]) => AboutEntry>> = {
  credit: ofTransaction((kind) => kind),
  reversal: ofTransaction(() => 'reversal'),
  hold: ofWithdrawal('withdrawal'),
  release: ofWithdrawal('release'),
  payout: ofWithdrawal('payout'),
  late_payout: ofWithdrawal('late_payout'),
  // A reference may contain colons.
  adjustment: (key) => ({ reason: 'adjustment', reference: key.slice(2).join(':') }),
}

/** Why an entry was booked, and what its posting's key names. */
export const aboutEntry = ({
  kind,
  posting_key,
}: {
  readonly kind: Booking
  readonly posting_key: string
}): AboutEntry => ABOUT[kind](posting_key.split(':'))
