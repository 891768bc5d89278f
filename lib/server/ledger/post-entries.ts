import type { Tx } from '../store/port.ts'
import { balanceAfter, postingOf, type BalanceRow, type BookingRequest, type OverdraftReason } from './accounts.ts'

/** Posts a booking inside a transaction that has locked the user, and publishes the new balance, which it returns. */
export async function post(
  tx: Tx,
  request: BookingRequest,
  overdraft: OverdraftReason | null = null,
): Promise<BalanceRow> {
  const posting = postingOf(request)
  await tx.ledger.insertPosting(posting, tx.now)
  const before = await tx.ledger.balance(request.user_reference_id, request.currency_id)
  const balance = balanceAfter(before, posting, overdraft)
  await tx.ledger.setBalance(balance)
  tx.outbox.balance(request.user_reference_id, {
    currency_id: request.currency_id,
    available: balance.available,
    held: balance.held,
  })
  return balance
}
