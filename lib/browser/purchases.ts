/** The current state of one purchase, from the history and the stream. */
import type { CashierStatus, OnrampSession, TransactionsPage } from '#lib/contract/cashier.ts'
import type { LiveTransactions } from './live-transactions.ts'
import { mergeLive } from './live-transactions.ts'
import { cashierStatusOf } from './status-display.ts'

export interface Purchase {
  readonly status: CashierStatus
  /** Crypto that arrived; null before. */
  readonly amount: string | null
}

/** Finds the purchase where its events were missed. */
export const PURCHASES_QUERY = 'first=20&transaction_types=Deposit'

/** Its state when it was started or read stands where neither the history nor the stream has it. */
export function purchaseOf(
  { id, status: first }: Pick<OnrampSession, 'id' | 'status'>,
  page: TransactionsPage | undefined,
  live: LiveTransactions,
): Purchase {
  const node = page?.edges.map((edge) => edge.node).find(({ session_reference }) => session_reference === id)
  if (node) {
    const { cashier_status: status, amount } = mergeLive(node, live)
    return { status, amount: status === 'succeeded' ? amount : null }
  }
  const event = live.find(({ session_reference }) => session_reference === id)
  return { status: cashierStatusOf(event?.status ?? first), amount: event?.amount ?? null }
}

/** The theme for the provider's page: the one that the user sees. Where the page follows the device it is the device's. */
export function shownTheme(page: Pick<Window, 'document' | 'matchMedia'>): 'light' | 'dark' {
  const { theme } = page.document.documentElement.dataset
  if (theme === 'light' || theme === 'dark') return theme
  return page.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
}
