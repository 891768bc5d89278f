/** Deposits since the session started, from the list and the stream: newest first, each once. */
import type { TransactionNode, TransactionsPage } from '#lib/contract/cashier.ts'
import type { CashierStatus } from '#lib/contract/cashier.ts'
import { liveKey, unlisted, mergeLive, type LiveTransactions } from './live-transactions.ts'
import { cashierStatusOf, transactionKind } from './status-display.ts'

export interface SessionDeposit {
  readonly key: string
  readonly amount: string
  readonly code: string
  readonly network: string
  readonly status: CashierStatus
  readonly txHash: string | null
  readonly at: string
}

/** The query for them; server rendering uses it too. */
export const SESSION_DEPOSITS_QUERY = 'first=20&transaction_types=Deposit'

export function sessionDeposits(
  page: TransactionsPage | undefined,
  live: LiveTransactions,
  startedAt: string,
): SessionDeposit[] {
  const start = Date.parse(startedAt)
  const nodes = (page?.edges ?? [])
    .map(({ node }) => mergeLive(node, live))
    .filter((node) => transactionKind(node) === 'deposit' && Date.parse(node.inserted_at) >= start)
  const listed = (page?.edges ?? []).map(({ node }) => node)
  const events = unlisted(live, listed).filter(({ kind }) => kind === 'deposit')
  return [...events.map(fromEvent), ...nodes.map(fromNode)].sort((a, b) => Date.parse(b.at) - Date.parse(a.at))
}

const fromNode = (node: TransactionNode): SessionDeposit => ({
  key: node.transaction_uuid ?? node.inserted_at,
  amount: node.amount,
  code: node.currency.code,
  network: node.currency.network,
  status: node.cashier_status,
  txHash: node.tx_hash,
  at: node.inserted_at,
})

const fromEvent = (event: LiveTransactions[number]): SessionDeposit => ({
  key: liveKey(event),
  amount: event.amount ?? '0',
  code: event.currency_code,
  network: event.network,
  status: cashierStatusOf(event.status),
  txHash: event.tx_hash,
  at: event.updated_at,
})
