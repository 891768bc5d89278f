/**
 * Deposits of this visit, from the list and the stream: newest first, each once. Each load of the merchant's page
 * starts a new session, so an older deposit that is still on its way belongs to the visit, and so does its credit.
 */
import type { CashierStatus, TransactionNode, TransactionsPage } from '#lib/contract/cashier.ts'
import { withoutTrailingZeros } from '#lib/i18n/short-decimal.ts'
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
  /** The gateway's value in US dollars; null until it is known. */
  readonly usd: string | null
  /** Names the transaction to support. */
  readonly reference: string | null
}

/** Detected and not credited yet, without a status that the user must read about. */
export const ON_THE_WAY: ReadonlySet<CashierStatus> = new Set(['pending', 'processing'])

/** The query for them; server rendering uses it too. */
export const SESSION_DEPOSITS_QUERY = 'first=20&transaction_types=Deposit'

export function sessionDeposits(
  page: TransactionsPage | undefined,
  live: LiveTransactions,
  startedAt: string,
): SessionDeposit[] {
  const nodes = (page?.edges ?? [])
    .map(({ node }) => mergeLive(node, live))
    .filter((node) => transactionKind(node) === 'deposit' && isOfVisit(node, Date.parse(startedAt)))
  const listed = (page?.edges ?? []).map(({ node }) => node)
  const events = unlisted(live, listed).filter(({ kind }) => kind === 'deposit')
  return [...events.map(fromEvent), ...nodes.map(fromNode)].sort((a, b) => Date.parse(b.at) - Date.parse(a.at))
}

const isOfVisit = ({ cashier_status, updated_at, inserted_at }: TransactionNode, startedMs: number): boolean =>
  ON_THE_WAY.has(cashier_status) || Date.parse(updated_at ?? inserted_at) >= startedMs

const fromNode = (node: TransactionNode): SessionDeposit => ({
  key: node.transaction_uuid ?? node.inserted_at,
  amount: withoutTrailingZeros(node.amount),
  code: node.currency.code,
  network: node.currency.network,
  status: node.cashier_status,
  txHash: node.tx_hash,
  at: node.inserted_at,
  usd: node.amount_usd,
  reference: node.transaction_uuid,
})

const fromEvent = (event: LiveTransactions[number]): SessionDeposit => ({
  key: liveKey(event),
  amount: withoutTrailingZeros(event.amount ?? '0'),
  code: event.currency_code,
  network: event.network,
  status: cashierStatusOf(event.status),
  txHash: event.tx_hash,
  at: event.updated_at,
  usd: null,
  reference: event.transaction_uuid,
})
