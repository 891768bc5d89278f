/** The stream's events since the page was opened, and how they update lists that may lag behind the stream. */
import type { TransactionNode } from '#lib/contract/cashier.ts'
import type { TransactionEvent } from '#lib/contract/stream.ts'
import { cashierStatusOf, transactionKind, STATUS_DISPLAY } from './status-display.ts'

/** The last event of each of the newest transactions, oldest transaction first. */
export type LiveTransactions = readonly TransactionEvent[]

/** Withdrawals and purchases may have no transaction id yet; deposits have only that id. */
export const liveKey = (event: TransactionEvent): string =>
  event.withdrawal_id ?? event.session_reference ?? event.transaction_uuid ?? ''

const sameTransaction = (a: TransactionEvent, b: TransactionEvent): boolean =>
  liveKey(a) === liveKey(b) || (a.transaction_uuid !== null && a.transaction_uuid === b.transaction_uuid)

/** Older transactions are in the lists. Each event and each rendered row is compared with all of these. */
const MOST_LIVE = 200

/** The stream is in commit order, so the last event wins. An id that only an earlier event had stays. */
export function addLive(live: LiveTransactions, event: TransactionEvent): LiveTransactions {
  const at = live.findIndex((known) => sameTransaction(known, event))
  return at === -1 ? [...live.slice(1 - MOST_LIVE), event] : live.with(at, { ...live[at], ...event })
}

const concerns = (event: TransactionEvent, node: TransactionNode): boolean =>
  (event.transaction_uuid !== null && event.transaction_uuid === node.transaction_uuid) ||
  (event.withdrawal_id !== undefined && event.withdrawal_id === node.withdrawal_id) ||
  (event.session_reference !== undefined && event.session_reference === node.session_reference)

const isSettled = (node: TransactionNode): boolean => STATUS_DISPLAY[transactionKind(node)][node.cashier_status].settled

/** The node, updated by its latest event. A settled node is never moved back to an open status. */
export function mergeLive(node: TransactionNode, live: LiveTransactions): TransactionNode {
  const event = live.find((candidate) => concerns(candidate, node))
  if (!event) return node
  const status = cashierStatusOf(event.status)
  const later = Date.parse(event.updated_at) >= Date.parse(node.updated_at ?? node.inserted_at)
  const settles = STATUS_DISPLAY[event.kind][status].settled
  if (isSettled(node) ? !settles || !later : !settles && !later) return node
  return {
    ...node,
    cashier_status: status,
    amount: event.amount ?? node.amount,
    tx_hash: event.tx_hash ?? node.tx_hash,
    updated_at: event.updated_at,
  }
}

/** Events whose transaction is not in the list. */
export const unlisted = (live: LiveTransactions, nodes: readonly TransactionNode[]): LiveTransactions =>
  live.filter((event) => !nodes.some((node) => concerns(event, node)))
