import { balanceAfter, postingOf, type BalanceRow, type BookingRequest, type OverdraftReason } from './accounts.ts'
import type { UnitOfWork } from './unit-of-work.ts'

/** Posts a booking for a user who is locked, and publishes the new balance, which it returns. */
export function post(unit: UnitOfWork, request: BookingRequest, overdraft: OverdraftReason | null = null): BalanceRow {
  const posting = postingOf(request)
  const before = unit.balance(request.user_reference_id, request.currency_id)
  const balance = balanceAfter(before, posting, overdraft)
  unit.post(posting, balance)
  unit.outbox.setBalance(request.user_reference_id, {
    currency_id: request.currency_id,
    available: balance.available,
    held: balance.held,
  })
  return balance
}

/** A posting's key: the first of a transaction or withdrawal has none but its own, each later one a number. */
export const postingKey = (booking: string, about: string, number: number): string =>
  number === 1 ? `${booking}:${about}` : `${booking}:${about}:${String(number)}`
