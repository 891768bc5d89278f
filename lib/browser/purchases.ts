/** The current state of one purchase, from the history and the stream. */
import type { CashierStatus, OnrampSession, TransactionsPage } from '#lib/contract/cashier.ts'
import type { LiveTransactions } from './live-transactions.ts'
import { mergeLive } from './live-transactions.ts'
import { cashierStatusOf } from './status-display.ts'

export interface Purchase {
  readonly status: CashierStatus
  /** The crypto amount that arrived; null before. */
  readonly amount: string | null
}

/** Finds the purchase if its events were missed. */
export const PURCHASES_QUERY = 'first=20&transaction_types=Deposit'

/** `status`, from when the purchase was started or read, counts if neither the history nor the stream has it. */
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

/** The theme for the provider's page: the theme that the user sees. `auto` is the theme of the device. */
export function shownTheme(page: Pick<Window, 'document' | 'matchMedia'>): 'light' | 'dark' {
  const { theme } = page.document.documentElement.dataset
  if (theme === 'light' || theme === 'dark') return theme
  return page.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
}
