import { canonical } from '#lib/contract/money.ts'
import {
  agrees,
  compareAddresses,
  compareAmounts,
  compareCurrencies,
  comparePaidOut,
  compareTexts,
  surelyAgrees,
} from '../compare.ts'
import { calledAt, type ClockOffset } from '../gateway-time.ts'
import type { PayoutRow, WithdrawalRow } from '../rows.ts'
import { hasWithdrawalEnded } from '../withdrawal-statuses.ts'
import { openingOf, type Opening } from './attempts.ts'

/** Five minutes: the allowed difference between two clocks. */
const RECORD_LEEWAY_MS = 300_000
/**
 * A payout that failed takes the hold of its withdrawal away. It may be that of an earlier withdrawal that the gateway
 * refused: the time of the call counts to the second.
 */
const FAILED_LEEWAY_MS = 2000
/** A record is made in the call, to the second of the gateway's clock. */
const CALL_LEEWAY_MS = 2000

/** Which withdrawal takes a payout first: surely accepted, uncertain, failed. */
const ORDER: Readonly<Record<Opening, number>> = { accepted: 0, uncertain: 1, absent: 2, refused: 3, replaced: 4 }

/** What a payout is matched by. */
export type PayoutDetails = Omit<
  PayoutRow,
  'owner' | 'withdrawal_id' | 'note' | 'awaits_list' | 'unbooked' | 'updated_ms'
>

const hasAmount = (amount: WithdrawalRow['reply_amount'], payout: PayoutDetails): boolean =>
  surelyAgrees(compareAmounts({ amount }, { amount: payout.amount, ...(payout.inexact === 1 && { inexact: true }) }))

const isOfPayee = (row: WithdrawalRow, payout: PayoutDetails): boolean =>
  surelyAgrees(
    compareTexts(row.user_reference_id, payout.user_reference_id),
    compareCurrencies(row, payout),
    compareAddresses(row.network, row.wallet_address, payout.to_address),
  )

/** Whether user, currency and address agree, and the amount is the requested one or that of the gateway's reply. */
const hasDetailsOf = (row: WithdrawalRow, payout: PayoutDetails): boolean =>
  isOfPayee(row, payout) && (hasAmount(row.amount, payout) || hasAmount(row.reply_amount, payout))

/**
 * Whether a payout without an owner, made since the withdrawal was recorded, has all its details, perhaps less a fee. That
 * of a withdrawal which was not sent is known only after the database lost what it knew.
 */
export function isShownPaid(row: WithdrawalRow, payout: PayoutRow, offset: ClockOffset): boolean {
  const { status, amount, inserted_ms, first_seen_ms } = payout
  const madeMs = inserted_ms === null ? first_seen_ms : inserted_ms - (offset ?? 0)
  return (
    status !== 'failed' &&
    isOfPayee(row, payout) &&
    agrees(comparePaidOut(amount, row.amount)) &&
    madeMs >= row.created_ms - RECORD_LEEWAY_MS
  )
}

/** When the match is made, and what is known of the clocks. */
export interface MatchTimes {
  readonly nowMs: number
  readonly offset: ClockOffset
  /** The event's own date of the payout, if it can be read. */
  readonly datedMs?: number | null
}

/**
 * Whether the payout is no older than the withdrawal's call. The list's time counts by the gateway's clock. While only
 * an event names the payout, the time counts when we first saw it, and the event's own date: an event may come late.
 */
function isInTime(
  row: WithdrawalRow,
  { inserted_ms, first_seen_ms }: PayoutDetails,
  { offset, datedMs = null }: MatchTimes,
  leewayMs: number,
): boolean {
  const called = calledAt(row, offset)
  if (called === null || row.called_ms === null) return false
  const made = inserted_ms ?? datedMs
  const isSeenSince = inserted_ms !== null || first_seen_ms >= row.called_ms - leewayMs
  return isSeenSince && (made === null || made >= called - leewayMs)
}

/**
 * Whether the gateway may have made this payout in place of the withdrawal's own, which failed: it is of its currency, and
 * no older than its call. The gateway may take a fee, and spell the address otherwise.
 */
export const mayReplace = (row: WithdrawalRow, payout: PayoutDetails): boolean =>
  surelyAgrees(compareCurrencies(row, payout)) && isInTime(row, payout, { nowMs: 0, offset: null }, RECORD_LEEWAY_MS)

/** Whether the payout's record was made during the withdrawal's call, by the gateway's clock. */
function isMadeInCall(row: WithdrawalRow, { inserted_ms }: PayoutDetails, offset: ClockOffset): boolean {
  const called = calledAt(row, offset)
  if (called === null || row.called_ms === null || row.call_ended_ms === null || inserted_ms === null) return false
  const ended = called + row.call_ended_ms - row.called_ms
  return inserted_ms >= called - CALL_LEEWAY_MS && inserted_ms <= ended + CALL_LEEWAY_MS
}

/** Whether this withdrawal may take this payout now. A failed withdrawal takes no second payout that failed. */
const openingFor = (row: WithdrawalRow, { status }: PayoutDetails, nowMs: number): Opening | null => {
  const opening = openingOf(row, nowMs)
  return opening === 'replaced' && status !== 'succeeded' ? null : opening
}

/**
 * The withdrawal that a payout belongs to: the best by `ORDER`, then the withdrawal whose reply had this amount, then
 * the withdrawal in whose call the record was made, then one that asked for this amount, then the oldest. A withdrawal
 * whose own payout failed does not match while another of its currency and address is still open: the payout may be that
 * withdrawal's, less a fee, even if the gateway has named another payout for it. A payout that failed goes to a withdrawal
 * that was called before it.
 */
export function matchPayout(
  attempts: readonly WithdrawalRow[],
  payout: PayoutDetails,
  times: MatchTimes,
): WithdrawalRow | null {
  const { nowMs, offset } = times
  const isFailed = payout.status === 'failed'
  const leewayMs = isFailed ? FAILED_LEEWAY_MS : RECORD_LEEWAY_MS
  const near = attempts.filter((row) => isInTime(row, payout, times, leewayMs))
  const called = (row: WithdrawalRow): number => (isFailed && !isInTime(row, payout, times, 0) ? 1 : 0)
  const replied = (row: WithdrawalRow): number =>
    row.reply_amount !== null && payout.amount !== null && canonical(row.reply_amount) === canonical(payout.amount)
      ? 0
      : 1
  const made = (row: WithdrawalRow): number => (isMadeInCall(row, payout, offset) ? 0 : 1)
  const asked = (row: WithdrawalRow): number => (hasAmount(row.amount, payout) ? 0 : 1)
  const isOpenBeside = (row: WithdrawalRow): boolean =>
    !hasWithdrawalEnded(row.status) &&
    agrees(compareCurrencies(row, payout), compareAddresses(row.network, row.wallet_address, payout.to_address))
  const matches = near
    .filter((row) => hasDetailsOf(row, payout))
    .flatMap((row) => {
      const opening = openingFor(row, payout, nowMs)
      return opening === null ? [] : [{ row, opening }]
    })
  matches.sort(
    (a, b) =>
      called(a.row) - called(b.row) ||
      ORDER[a.opening] - ORDER[b.opening] ||
      replied(a.row) - replied(b.row) ||
      made(a.row) - made(b.row) ||
      asked(a.row) - asked(b.row) ||
      a.row.created_ms - b.row.created_ms ||
      (a.row.id < b.row.id ? -1 : 1),
  )
  const [best] = matches
  if (best === undefined) return null
  return best.opening === 'replaced' && near.some(isOpenBeside) ? null : best.row
}
