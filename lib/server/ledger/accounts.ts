import { add, canonical, isNegative, negate, subtract, type Decimal } from '#lib/contract/money.ts'

/**
 * Who decides about withdrawals and keeps balances: the embedded ledger, or the merchant (`MERCHANT_AUTHORIZE_URL`).
 */
export type LedgerMode = 'embedded' | 'merchant'

/**
 * Double entry. A user's money in a currency is `available` or `held`; the counter-accounts say where it came from or
 * went: `gateway` (deposits in, payouts out) and `merchant` (its own adjustments). Each posting sums to zero.
 */
export type Account = 'available' | 'held' | 'gateway' | 'merchant'

/** The accounts between which each kind of booking moves a positive amount. */
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

/** Why an available balance may be below zero. */
export type OverdraftReason = 'late_payout' | 'credit_replaced'

/** A user's balance in one currency. */
export interface BalanceRow {
  readonly user_reference_id: string
  readonly currency_id: string
  readonly available: Decimal
  readonly held: Decimal
  /** Null if the balance must not be below zero. */
  readonly overdraft: OverdraftReason | null
}

export interface BookingRequest {
  readonly booking: Booking
  /** Unique for ever, such as `credit:deposit:<uuid>`. */
  readonly posting_key: string
  readonly user_reference_id: string
  readonly currency_id: string
  /** Positive; an adjustment may be negative. */
  readonly amount: Decimal
  /** Further data as JSON, such as the content of an adjustment. */
  readonly detail?: string
}

/** One booking: an amount that leaves one account and enters another, so that its two entries sum to zero. */
export interface Posting extends Omit<BookingRequest, 'booking'> {
  readonly kind: Booking
  readonly from_account: Account
  readonly to_account: Account
}

/** The posting of a booking. */
export function postingOf({ booking, amount, ...rest }: BookingRequest): Posting {
  const { from, to } = MOVES[booking]
  return { ...rest, kind: booking, from_account: from, to_account: to, amount: canonical(amount) }
}

/** What one booking does to one account. */
export interface AccountEntry {
  readonly posting_key: string
  readonly account: Account
  readonly user_reference_id: string
  readonly currency_id: string
  /** Signed. */
  readonly amount: Decimal
}

/** The two entries of a posting: they sum to zero. */
export function entriesOf({
  posting_key,
  user_reference_id,
  currency_id,
  from_account,
  to_account,
  amount,
}: Omit<Posting, 'kind' | 'detail'>): readonly AccountEntry[] {
  const owner = { posting_key, user_reference_id, currency_id }
  return [
    { ...owner, account: from_account, amount: canonical(negate(amount)) },
    { ...owner, account: to_account, amount },
  ]
}

/**
 * The balance after a posting. `reason` says why `available` may be below zero; it is removed when `available` is zero
 * or more.
 */
export function balanceAfter(balance: BalanceRow, posting: Posting, reason: OverdraftReason | null): BalanceRow {
  const { from_account, to_account, amount } = posting
  const change = (account: Account, before: Decimal): Decimal => {
    if (account === from_account) return canonical(subtract(before, amount))
    return account === to_account ? canonical(add(before, amount)) : before
  }
  const available = change('available', balance.available)
  return {
    ...balance,
    available,
    held: change('held', balance.held),
    overdraft: isNegative(available) ? (reason ?? balance.overdraft) : null,
  }
}
