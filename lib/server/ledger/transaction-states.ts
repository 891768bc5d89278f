/** The states of transactions and withdrawals, as tables: a status that a table lacks does not compile. */
import type { WithdrawalStatus } from '#lib/contract/cashier.ts'
import type { TransactionKind } from '#lib/contract/stream.ts'

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
 * A higher rank replaces a lower one, in whatever order they arrive. `failed` of a deposit or payout comes from the
 * gateway's list alone; `other` is a status in that list that we do not know. Money that moved outranks a failure.
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

/** `open`: the gateway's list will say more, so reconciliation follows it. `waiting`: somebody has to act first. */
type Phase = 'waiting' | 'open' | 'ended'

const TRANSACTION_PHASES: Readonly<Record<TransactionStatus, Phase>> = {
  other: 'open',
  pending: 'waiting',
  processing: 'open',
  awaiting_approval: 'open',
  failed: 'ended',
  succeeded: 'ended',
}

/** An `unknown` withdrawal has a check of its own (`reconcile/check-unknown-withdrawals.ts`). */
const WITHDRAWAL_PHASES: Readonly<Record<WithdrawalStatus, Phase>> = {
  pending_authorization: 'waiting',
  processing: 'open',
  awaiting_approval: 'open',
  unknown: 'waiting',
  succeeded: 'ended',
  failed: 'ended',
}

const statusesIn = <S extends string>(phases: Readonly<Record<S, Phase>>, phase: Phase): readonly S[] =>
  (Object.keys(phases) as S[]).filter((status) => phases[status] === phase)

export const OPEN_TRANSACTION_STATUSES = statusesIn(TRANSACTION_PHASES, 'open')
export const OPEN_WITHDRAWAL_STATUSES = statusesIn(WITHDRAWAL_PHASES, 'open')
export const ENDED_WITHDRAWAL_STATUSES = statusesIn(WITHDRAWAL_PHASES, 'ended')

export const isOpenTransaction = (status: TransactionStatus): boolean => TRANSACTION_PHASES[status] === 'open'
export const isOpenWithdrawal = (status: WithdrawalStatus): boolean => WITHDRAWAL_PHASES[status] === 'open'
export const hasTransactionEnded = (status: TransactionStatus): boolean => TRANSACTION_PHASES[status] === 'ended'
export const hasWithdrawalEnded = (status: WithdrawalStatus): boolean => WITHDRAWAL_PHASES[status] === 'ended'

/** Whether a transaction may be booked. */
export type Standing =
  /** It is this merchant's: its webhook says so, or our own call of the list. */
  | 'confirmed'
  /** Only webhooks that name no merchant of ours tell of it: the list is asked. */
  | 'unconfirmed'
  /**
   * The same, and not published before it is known: a payout that fits a withdrawal, and, where the merchant keeps the
   * books and would credit it, a deposit that has succeeded.
   */
  | 'withheld'
  /** Webhook and list disagree about amount, currency or user: nothing more is booked. */
  | 'disputed'

export const UNCONFIRMED_STANDINGS: readonly Standing[] = ['unconfirmed', 'withheld']

/** How far the five steps of a withdrawal have come. */
export type WithdrawalStep = 'authorizing' | 'pending' | 'calling' | 'ended'

/** What the ledger has booked for a withdrawal; `none` if the merchant keeps the balances. */
export type Funds = 'none' | 'held' | 'released' | 'paid'

/** How a withdrawal failed, and so what later evidence may still change. */
export type WithdrawalFailure =
  /** The gateway refused it in a reply that we could read. */
  | 'refused'
  /** The connection could not be opened, so the gateway cannot have made it. */
  | 'unreachable'
  /** The merchant declined. */
  | 'declined'
  /** Two complete scans of the user's list did not have it. */
  | 'absent'
  /** An error reply named its transaction with a failed status. */
  | 'error_reply'
  /** The gateway's record of it has a failed status. */
  | 'record'

/** Failures without a payout, by what we saw: one that shows up all the same is of this withdrawal. */
export const LATE_FAILURES: readonly WithdrawalFailure[] = ['refused', 'unreachable', 'absent']
