/** The statuses of withdrawals, as tables: a status that a table lacks does not compile. */
import type { WithdrawalStatus } from '#lib/contract/cashier.ts'
import { statusesIn, type Phase } from './phases.ts'

/** An `unknown` withdrawal has a check of its own (`reconcile/check-unknown-withdrawals.ts`). */
const WITHDRAWAL_PHASES: Readonly<Record<WithdrawalStatus, Phase>> = {
  pending_authorization: 'waiting',
  processing: 'open',
  awaiting_approval: 'open',
  unknown: 'waiting',
  succeeded: 'ended',
  failed: 'ended',
}

export const OPEN_WITHDRAWAL_STATUSES = statusesIn(WITHDRAWAL_PHASES, 'open')
export const ENDED_WITHDRAWAL_STATUSES = statusesIn(WITHDRAWAL_PHASES, 'ended')
export const isOpenWithdrawal = (status: WithdrawalStatus): boolean => WITHDRAWAL_PHASES[status] === 'open'
export const hasWithdrawalEnded = (status: WithdrawalStatus): boolean => WITHDRAWAL_PHASES[status] === 'ended'

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
