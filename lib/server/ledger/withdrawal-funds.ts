import type { WithdrawalStatus } from '#lib/contract/cashier.ts'
import type { Booking } from './accounts.ts'
import { assertInvariant } from './invariant.ts'
import { post, postingKey } from './post-entries.ts'
import type { WithdrawalRow } from './rows.ts'
import type { Funds } from './withdrawal-statuses.ts'
import type { UnitOfWork } from './unit-of-work.ts'

/**
 * The bookings that lead from one state of the funds to the next. If the payout shows up after the money was released,
 * the money is taken again: the available balance may go below zero then. Paid money stays paid.
 */
const STEPS: Readonly<Record<Funds, Partial<Record<Funds, Booking>>>> = {
  none: {},
  held: { released: 'release', paid: 'payout' },
  released: { held: 'hold', paid: 'late_payout' },
  paid: {},
}

/** The state of the funds that belongs to each status of a withdrawal. */
const FUNDS_FOR: Readonly<Record<WithdrawalStatus, Funds>> = {
  pending_authorization: 'held',
  processing: 'held',
  awaiting_approval: 'held',
  unknown: 'held',
  succeeded: 'paid',
  failed: 'released',
}

type FundsState = Pick<WithdrawalRow, 'funds' | 'postings'>

/** Moves the funds to the state that belongs to the status. Returns that state and the number of postings so far. */
export function moveFunds(unit: UnitOfWork, withdrawal: WithdrawalRow, status: WithdrawalStatus): FundsState {
  const { funds: from, postings } = withdrawal
  const to = FUNDS_FOR[status]
  const booking = STEPS[from][to]
  // The merchant keeps the balance of a withdrawal whose funds are `none`.
  assertInvariant(booking !== undefined || from === to || from === 'none', 'funds_may_follow', withdrawal.id)
  if (booking === undefined) return { funds: from, postings }
  // A payout is booked once, late or not. A hold may be taken again after a release, under another key.
  const name = to === 'paid' ? 'payout' : booking
  const isFirst = to === 'paid' || postings === (name === 'hold' ? 0 : 1)
  post(
    unit,
    {
      booking,
      posting_key: postingKey(name, withdrawal.id, isFirst ? 1 : postings + 1),
      user_reference_id: withdrawal.user_reference_id,
      currency_id: withdrawal.currency_id,
      amount: withdrawal.amount,
    },
    from === 'released' ? 'late_payout' : null,
  )
  return { funds: to, postings: postings + 1 }
}
