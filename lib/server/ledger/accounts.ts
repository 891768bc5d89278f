import { add, canonical, isNegative, negate, type Decimal } from '#lib/contract/money.ts'
import type { BalanceRow, Posting } from '../store/port.ts'

/**
 * Double entry. A user's money in a currency is `available` or `held`; the counter-accounts say where it came from or
 * went: `gateway` (deposits in, payouts out) and `merchant` (its own adjustments). Each booking sums to zero.
 */
export const ACCOUNTS = ['available', 'held', 'gateway', 'merchant'] as const
export type Account = (typeof ACCOUNTS)[number]

/** Each kind of booking of a positive amount: from one account to another. */
const MOVES = {
  credit: { from: 'gateway', to: 'available' },
  reversal: { from: 'available', to: 'gateway' },
  hold: { from: 'available', to: 'held' },
  release: { from: 'held', to: 'available' },
  payout: { from: 'held', to: 'gateway' },
  late_payout: { from: 'available', to: 'gateway' },
  adjustment: { from: 'merchant', to: 'available' },
} as const satisfies Record<string, { readonly from: Account; readonly to: Account }>

export type Booking = keyof typeof MOVES

export interface BookingRequest {
  readonly booking: Booking
  /** Names it once and for ever. */
  readonly posting_key: string
  readonly user_reference_id: string
  readonly currency_id: string
  /** Positive; an adjustment may be negative. */
  readonly amount: Decimal
  readonly detail?: string
}

/** The posting of a booking: two entries that sum to zero. */
export function postingOf(request: BookingRequest): Posting {
  const { from, to } = MOVES[request.booking]
  return {
    posting_key: request.posting_key,
    user_reference_id: request.user_reference_id,
    currency_id: request.currency_id,
    kind: request.booking,
    entries: [
      { account: from, amount: negate(request.amount) },
      { account: to, amount: request.amount },
    ],
    ...(request.detail === undefined ? {} : { detail: request.detail }),
  }
}

/** The balance after a posting. `why` marks why available may now be below zero; it goes once it no longer is. */
export function balanceAfter(balance: BalanceRow, posting: Posting, why: string | null): BalanceRow {
  const change = (account: Account, before: Decimal): Decimal =>
    canonical(
      posting.entries
        .filter((entry) => entry.account === account)
        .reduce((total, entry) => add(total, entry.amount), before),
    )
  const available = change('available', balance.available)
  return {
    ...balance,
    available,
    held: change('held', balance.held),
    overdraft: isNegative(available) ? (why ?? balance.overdraft) : null,
  }
}
