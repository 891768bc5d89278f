import type { Decimal } from '#lib/contract/money.ts'
import type { Tx, WithdrawalRow } from '../store/port.ts'
import type { Booking } from './accounts.ts'
import { book } from './book.ts'

/** What the ledger has booked for a withdrawal; `none` where the merchant keeps the books. */
export type Funds = 'none' | 'held' | 'released' | 'paid'

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
const fundsFor = (status: string): Funds =>
  status === 'succeeded' ? 'paid' : status === 'failed' ? 'released' : 'held'

/** A payout is booked once; a hold may be taken again after a release, under a key of its own. */
async function freshKey(tx: Tx, booking: string, withdrawalId: string): Promise<string> {
  const key = `${booking}:${withdrawalId}`
  if (booking === 'payout' || (await tx.books.findPosting(key)) === null) return key
  return `${key}:${String(tx.now)}`
}

/** Moves the funds to where the status wants them. Gives where they are then. */
export async function moveFunds(tx: Tx, withdrawal: WithdrawalRow, status: string): Promise<Funds> {
  const from = withdrawal.funds as Funds
  const to = fundsFor(status)
  const booking = STEPS[from][to]
  if (booking === undefined) return from
  await book(
    tx,
    {
      booking,
      posting_key: await freshKey(tx, to === 'paid' ? 'payout' : booking, withdrawal.id),
      user_reference_id: withdrawal.user_reference_id,
      currency_id: withdrawal.currency_id,
      amount: withdrawal.amount as Decimal,
    },
    from === 'released' ? 'late_payout' : null,
  )
  return to
}
