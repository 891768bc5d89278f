import type { Withdrawal } from '#lib/contract/cashier.ts'
import { Problem } from '#lib/contract/problems.ts'
import { withdrawalView } from '../ledger/withdrawal-view.ts'
import type { CashierSession, Store } from '../store/types.ts'

/** `GET /api/cashier/withdrawals/{id}`: a withdrawal of the session's user; any other is `not_found`. */
export async function getWithdrawal(store: Store, session: CashierSession, id: string): Promise<Withdrawal> {
  const row = await store.withdrawals.ofUserById(session.user_reference_id, id)
  if (row === null) throw new Problem('not_found', 'There is no such withdrawal.')
  return withdrawalView(row)
}
