/** The statuses of withdrawals, as tables: a status that a table lacks does not compile. */
import type { WithdrawalStatus } from '#lib/contract/cashier.ts'
import { statusesIn, type Phase } from './phases.ts'

/** An `unknown` withdrawal is checked separately (`reconcile/check-unknown-withdrawals.ts`). */
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

/** The steps of a withdrawal. */
export type WithdrawalStep = 'authorizing' | 'pending' | 'calling' | 'ended'

/** What the ledger has booked for a withdrawal; `none` if the merchant keeps the balances. */
export type Funds = 'none' | 'held' | 'released' | 'paid'

/** How a withdrawal failed. Later evidence may change some failures. */
export type WithdrawalFailure =
  /** The gateway refused it in a reply that we could read. */
  | 'refused'
  /** The connection could not be opened, so the gateway cannot have made it. */
  | 'unreachable'
  /** The merchant declined. */
  | 'declined'
  /** The user cancelled it before it was sent. */
  | 'cancelled'
  /** Two complete scans of the user's list did not have it. */
  | 'absent'
  /** An error reply named its transaction with a failed status. */
  | 'error_reply'
  /** The gateway's record of it has a failed status. */
  | 'record'

/** Failures that were seen without a payout: a payout that shows up later belongs to the withdrawal. */
export const LATE_FAILURES: readonly WithdrawalFailure[] = ['refused', 'unreachable', 'absent']
