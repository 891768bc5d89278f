/** The statuses of the gateway's transactions, as tables: a status that a table lacks does not compile. */
import type { TransactionKind } from '#lib/contract/stream.ts'
import { statusesIn, type Phase } from './phases.ts'

export const TRANSACTION_STATUSES = [
  'other',
  'pending',
  'processing',
  'awaiting_approval',
  'failed',
  'succeeded',
] as const
export type TransactionStatus = (typeof TRANSACTION_STATUSES)[number]

interface StatusByKind {
  readonly deposit: Exclude<TransactionStatus, 'pending' | 'awaiting_approval'>
  readonly payout: Exclude<TransactionStatus, 'pending'>
  readonly onramp: Exclude<TransactionStatus, 'other' | 'awaiting_approval'>
}
export type StatusOf<K extends TransactionKind> = StatusByKind[K]

/**
 * A higher rank replaces a lower one, in any order of arrival. Only the gateway's list reports `failed` for a deposit
 * or payout; `other` is a status in that list that we do not know. Money that moved outranks a failure.
 */
const RANKS: { readonly [K in TransactionKind]: Readonly<Record<StatusOf<K>, number>> } = {
  deposit: { other: 0, processing: 1, failed: 2, succeeded: 3 },
  payout: { other: 0, awaiting_approval: 1, processing: 2, failed: 3, succeeded: 4 },
  onramp: { pending: 0, processing: 1, failed: 2, succeeded: 3 },
}

export const TRANSACTION_KINDS = ['deposit', 'payout', 'onramp'] as const satisfies readonly TransactionKind[]

export const isStatusOf = <K extends TransactionKind>(kind: K, status: string): status is StatusOf<K> =>
  Object.hasOwn(RANKS[kind], status)

/** The rank of a status within its kind, or null if the kind has no such status. */
export function rankOf(kind: TransactionKind, status: string): number | null {
  const ranks: Readonly<Record<string, number>> = RANKS[kind]
  return Object.hasOwn(ranks, status) ? (ranks[status] ?? null) : null
}

const TRANSACTION_PHASES: Readonly<Record<TransactionStatus, Phase>> = {
  other: 'open',
  pending: 'waiting',
  processing: 'open',
  awaiting_approval: 'open',
  failed: 'ended',
  succeeded: 'ended',
}

export const OPEN_TRANSACTION_STATUSES = statusesIn(TRANSACTION_PHASES, 'open')
export const isOpenTransaction = (status: TransactionStatus): boolean => TRANSACTION_PHASES[status] === 'open'
export const hasTransactionEnded = (status: TransactionStatus): boolean => TRANSACTION_PHASES[status] === 'ended'

/** Whether a transaction may be booked. */
export type Standing =
  /** It is this merchant's: its webhook says so, or the list, which we read as this merchant. */
  | 'confirmed'
  /** Only webhooks that do not name this merchant report it: reconciliation reads the list. */
  | 'unconfirmed'
  /**
   * As `unconfirmed`, and not published until it is confirmed: a payout that fits a withdrawal; and, where the merchant
   * keeps the books and would credit it, a succeeded deposit.
   */
  | 'withheld'
  /** The gateway made it before `LEDGER_START`: it is booked nowhere and published nowhere. */
  | 'before'
  /** Webhook and list disagree about amount, currency or user, or the list took it back: nothing more is booked. */
  | 'disputed'

export const UNCONFIRMED_STANDINGS: readonly Standing[] = ['unconfirmed', 'withheld']
