import type { Tx } from '../store/port.ts'
import { balanceAfter, postingOf, type BookingRequest } from './accounts.ts'

/** Books inside a transaction that has locked the user, and tells the new balance. Gives it. */
export async function book(tx: Tx, request: BookingRequest, why: string | null = null) {
  const posting = postingOf(request)
  await tx.books.post(posting, tx.now)
  const balance = balanceAfter(await tx.books.balance(request.user_reference_id, request.currency_id), posting, why)
  await tx.books.setBalance(balance)
  tx.outgoing.balance(request.user_reference_id, {
    currency_id: request.currency_id,
    available: balance.available,
    held: balance.held,
  })
  return balance
}
