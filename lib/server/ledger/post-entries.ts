import { add, equals, isNegative, isPositive, isZero, subtract, sum } from '#lib/contract/money.ts'
import {
  balanceAfter,
  entriesOf,
  postingOf,
  type BalanceRow,
  type BookingRequest,
  type OverdraftReason,
  type Posting,
} from './accounts.ts'
import { assertInvariant } from './invariant.ts'
import type { UnitOfWork } from './unit-of-work.ts'

/**
 * Checks a posting against the balances before and after it. It uses the posting's entries, which `balanceAfter` does
 * not read.
 *
 * @throws BrokenInvariant
 */
export function checkPosting(posting: Posting, before: BalanceRow, after: BalanceRow): void {
  const { posting_key } = posting
  const entries = entriesOf(posting)
  const own = entries.filter(({ account }) => account === 'available' || account === 'held')
  const changed = subtract(add(after.available, after.held), add(before.available, before.held))
  assertInvariant(isPositive(posting.amount) || posting.kind === 'adjustment', 'amount_positive', posting_key)
  assertInvariant(
    isZero(sum(entries.map(({ amount }) => amount))) && equals(changed, sum(own.map(({ amount }) => amount))),
    'sums_to_zero',
    posting_key,
  )
  assertInvariant(!isNegative(after.held), 'held_not_negative', posting_key)
  assertInvariant(!isNegative(after.available) || after.overdraft !== null, 'overdraft_has_reason', posting_key)
}

/** Posts a booking for a user who is locked, publishes the new balance and returns it. */
export function post(unit: UnitOfWork, request: BookingRequest, overdraft: OverdraftReason | null = null): BalanceRow {
  const posting = postingOf(request)
  const before = unit.balance(request.user_reference_id, request.currency_id)
  const balance = balanceAfter(before, posting, overdraft)
  checkPosting(posting, before, balance)
  unit.post(posting, balance)
  unit.outbox.setBalance(request.user_reference_id, {
    currency_id: request.currency_id,
    available: balance.available,
    held: balance.held,
  })
  return balance
}

/**
 * A posting's key. From the second posting of a transaction or withdrawal on, it has a number, before what it is about: a
 * gateway's id may end in anything.
 */
export const postingKey = (booking: string, about: string, number: number): string =>
  number === 1 ? `${booking}:${about}` : `${booking}:${String(number)}:${about}`

/** The kind and id of the transaction, or the id of the withdrawal, that a posting's key is about. */
export const subjectOf = (posting_key: string): string => posting_key.replace(/^[a-z_]+:(?:\d+:)?/, '')
