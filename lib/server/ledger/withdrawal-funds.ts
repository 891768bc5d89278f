import type { WithdrawalStatus } from '#lib/contract/cashier.ts'
import type { Tx, WithdrawalRow } from '../store/port.ts'
import type { Booking } from './accounts.ts'
import { post } from './post-entries.ts'
import type { Funds } from './transaction-states.ts'

/**
 * The bookings that lead from one state of the funds to the next. Money that was released is taken again when the
 * payout shows up after all: available may go below zero then. What was paid stays paid.
 */
const STEPS: Readonly<Record<Funds, Partial<Record<Funds, Booking>>>> = {
  none: {},
  held: { released: 'release', paid: 'payout' },
  released: { held: 'hold', paid: 'late_payout' },
  paid: {},
}

/** Where the funds belong when a withdrawal has this status. */
const FUNDS_FOR: Readonly<Record<WithdrawalStatus, Funds>> = {
  pending_authorization: 'held',
  processing: 'held',
  awaiting_approval: 'held',
  unknown: 'held',
  succeeded: 'paid',
  failed: 'released',
}

/** A payout is booked once; a hold may be taken again after a release, under a key of its own. */
async function freshKey(tx: Tx, booking: Booking, withdrawalId: string): Promise<string> {
  const key = `${booking}:${withdrawalId}`
  if (booking === 'payout' || (await tx.ledger.findPosting(key)) === null) return key
  return `${key}:${String(tx.now)}`
}

/** Moves the funds to where the status wants them. Returns where they are then. */
export async function moveFunds(tx: Tx, withdrawal: WithdrawalRow, status: WithdrawalStatus): Promise<Funds> {
  const from = withdrawal.funds
  const to = FUNDS_FOR[status]
  const booking = STEPS[from][to]
  if (booking === undefined) return from
  await post(
    tx,
    {
      booking,
      posting_key: await freshKey(tx, to === 'paid' ? 'payout' : booking, withdrawal.id),
      user_reference_id: withdrawal.user_reference_id,
      currency_id: withdrawal.currency_id,
      amount: withdrawal.amount,
    },
    from === 'released' ? 'late_payout' : null,
  )
  return to
}
