/** A withdrawal whose call has begun may take a payout: it is an attempt. */
import { isDecimal } from '#lib/contract/money.ts'
import { compareAddresses, compareAmounts } from '../compare.ts'
import { saidIn, textOf, type KnownLine } from '../quarantine-set.ts'
import type { PayoutRow, WithdrawalRow } from '../rows.ts'
import { hasWithdrawalEnded, isOpenWithdrawal, LATE_FAILURES } from '../withdrawal-statuses.ts'

/** A payout may still turn out to belong to a withdrawal that failed up to this long ago. */
export const LATE_FOR_MS = 7 * 86_400_000
const DAY_MS = 86_400_000

/** Whether the withdrawal's own payout failed a short time ago: the gateway may have paid under another uuid. */
const mayBeReplaced = (row: WithdrawalRow, nowMs: number): boolean =>
  row.status === 'failed' && row.transaction_uuid !== null && nowMs - row.updated_ms <= LATE_FOR_MS

/** Whether the withdrawal failed without a payout, and its payout may still show up. */
const mayBeLate = (row: WithdrawalRow, nowMs: number): boolean => {
  if (row.status !== 'failed' || row.transaction_uuid !== null) return false
  if (row.failure === 'absent') return true
  return LATE_FAILURES.includes(row.failure) && nowMs - (row.call_ended_ms ?? row.updated_ms) <= LATE_FOR_MS
}

/** Whether the gateway has shown a payout of this withdrawal that did not fail. */
export const hasPayout = ({ status, transaction_uuid, record_status }: WithdrawalRow): boolean =>
  status === 'succeeded' || (status !== 'failed' && transaction_uuid !== null && record_status !== null)

/** Why a withdrawal may take a payout; the table of `matchPayout` orders the reasons. */
export type Opening = 'accepted' | 'uncertain' | 'absent' | 'refused' | 'replaced'

/** Why this withdrawal may take a payout; null if it may not. */
export function openingOf(row: WithdrawalRow, nowMs: number): Opening | null {
  if (row.called_ms === null) return null
  if (mayBeReplaced(row, nowMs)) return 'replaced'
  if (row.transaction_uuid !== null) return null
  if (row.status === 'unknown' || (row.status === 'processing' && row.step !== 'ended')) return 'uncertain'
  if (!hasWithdrawalEnded(row.status)) return 'accepted'
  if (!mayBeLate(row, nowMs)) return null
  return row.failure === 'absent' ? 'absent' : 'refused'
}

/**
 * Whether a payout without an owner may be this withdrawal's, so that a person must look at both. Amount, address,
 * currency and network do not count: the gateway may spell or round them otherwise. A payout from over a day before the
 * call does not count, even if clocks differ; nor does a payout for which the list is awaited.
 */
export function mayBePaidBy(row: WithdrawalRow, payout: PayoutRow, nowMs: number): boolean {
  // The list has not shown the transaction that a reply named.
  const isUnlisted = isOpenWithdrawal(row.status) && row.record_status === null
  if (payout.awaits_list === 1 || row.called_ms === null || (openingOf(row, nowMs) === null && !isUnlisted))
    return false
  return (payout.inserted_ms ?? payout.first_seen_ms) >= row.called_ms - DAY_MS
}

/**
 * Whether an open event that may tell of a payout which is not stored may tell of this withdrawal's. One that names no
 * user does by its address or, without an address, its amount.
 */
export function mayBeToldBy(
  row: WithdrawalRow,
  line: Pick<KnownLine, 'user_reference_id' | 'event' | 'received_ms'>,
): boolean {
  if (line.user_reference_id !== null) return true
  if (row.called_ms === null || line.received_ms < row.called_ms - DAY_MS) return false
  const said = saidIn(line.event)
  const address = compareAddresses(row.network, row.wallet_address, textOf(said.to_address) || null)
  if (address !== 'unknown') return address === 'agree'
  const amount = textOf(said.amount)
  const told = { amount: isDecimal(amount) ? amount : null, inexact: true } as const
  return [row.amount, row.reply_amount].some((own) => compareAmounts({ amount: own }, told) === 'agree')
}
