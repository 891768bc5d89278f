/** What is known of one purchase: what the stream told last, or the history's row. */
import type { CashierStatus, TransactionsPage } from '#lib/contract/cashier.ts'
import type { LiveTransactions } from './live-transactions.ts'
import { withLive } from './live-transactions.ts'
import { cashierStatusOf } from './transaction-status.ts'

export interface Purchase {
  readonly status: CashierStatus
  /** Crypto that arrived; null until it has. */
  readonly amount: string | null
}

/** The query that finds it, should its events have been missed. */
export const PURCHASES_QUERY = 'first=20&transaction_types=Deposit'

export function purchaseOf(id: string, page: TransactionsPage | undefined, live: LiveTransactions): Purchase {
  const node = page?.edges.map((edge) => edge.node).find(({ session_reference }) => session_reference === id)
  if (node) {
    const { cashier_status: status, amount } = withLive(node, live)
    return { status, amount: status === 'succeeded' ? amount : null }
  }
  const event = live.find(({ session_reference }) => session_reference === id)
  return event ? { status: cashierStatusOf(event.status), amount: event.amount } : { status: 'pending', amount: null }
}
