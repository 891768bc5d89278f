/** What the stream told since the page was opened, and how it is laid over lists that may lag behind it. */
import type { TransactionNode } from '#lib/contract/cashier.ts'
import type { TransactionEvent } from '#lib/contract/stream.ts'
import { cashierStatusOf, kindOf, STATUS_LOOKS } from './transaction-status.ts'

/** The last event of each transaction, oldest transaction first. */
export type LiveTransactions = readonly TransactionEvent[]

/** A withdrawal has its own id before it has a transaction's, a purchase may; a deposit has only the latter. */
export const liveKey = (event: TransactionEvent): string =>
  event.withdrawal_id ?? event.session_reference ?? event.transaction_uuid ?? ''

const sameTransaction = (a: TransactionEvent, b: TransactionEvent): boolean =>
  liveKey(a) === liveKey(b) || (a.transaction_uuid !== null && a.transaction_uuid === b.transaction_uuid)

/** The stream is in commit order, so what comes last holds. A link that an earlier event gave is kept. */
export function addLive(live: LiveTransactions, event: TransactionEvent): LiveTransactions {
  const at = live.findIndex((known) => sameTransaction(known, event))
  return at === -1 ? [...live, event] : live.with(at, { ...live[at], ...event })
}

const concerns = (event: TransactionEvent, node: TransactionNode): boolean =>
  (event.transaction_uuid !== null && event.transaction_uuid === node.transaction_uuid) ||
  (event.withdrawal_id !== undefined && event.withdrawal_id === node.withdrawal_id) ||
  (event.session_reference !== undefined && event.session_reference === node.session_reference)

const isSettled = (node: TransactionNode): boolean => STATUS_LOOKS[kindOf(node)][node.cashier_status].settled

/** The row with what the stream knows of it. A row that has come to rest is not moved back. */
export function withLive(node: TransactionNode, live: LiveTransactions): TransactionNode {
  const event = live.find((candidate) => concerns(candidate, node))
  if (!event) return node
  const status = cashierStatusOf(event.status)
  const later = Date.parse(event.updated_at) >= Date.parse(node.updated_at ?? node.inserted_at)
  const settles = STATUS_LOOKS[event.kind][status].settled
  if (isSettled(node) ? !settles || !later : !settles && !later) return node
  return {
    ...node,
    cashier_status: status,
    amount: event.amount ?? node.amount,
    tx_hash: event.tx_hash ?? node.tx_hash,
    updated_at: event.updated_at,
  }
}

/** Events whose transaction no row of the list is about. */
export const notListed = (live: LiveTransactions, nodes: readonly TransactionNode[]): LiveTransactions =>
  live.filter((event) => !nodes.some((node) => concerns(event, node)))
