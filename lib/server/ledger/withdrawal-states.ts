import type { WithdrawalStatus } from '#lib/contract/cashier.ts'
import type { Decimal } from '#lib/contract/money.ts'
import { assertInvariant } from './invariant.ts'
import type { WithdrawalRow } from './rows.ts'
import type { StatusOf } from './transaction-statuses.ts'
import {
  hasWithdrawalEnded,
  isOpenWithdrawal,
  type WithdrawalFailure,
  type WithdrawalStep,
} from './withdrawal-statuses.ts'

type PayoutStatus = StatusOf<'payout'>

/** Something that became known about a withdrawal. */
export type Evidence =
  | { readonly kind: 'approved' }
  | { readonly kind: 'declined'; readonly user_message: string | null; readonly during_request: boolean }
  | { readonly kind: 'postponed' }
  | {
      readonly kind: 'accepted'
      readonly requires_approval: boolean
      readonly status: PayoutStatus
      /**
       * From the reply. A payout with this amount, and the transaction that the reply names, belong to the withdrawal.
       */
      readonly amount: Decimal
      readonly transaction_uuid: string | null
    }
  | { readonly kind: 'refused'; readonly failure: 'refused' | 'unreachable'; readonly reason: string }
  | { readonly kind: 'error_reply'; readonly transaction_uuid: string; readonly status: PayoutStatus | null }
  | { readonly kind: 'uncertain' }
  /** A webhook or a record of the list names it. */
  | { readonly kind: 'payout'; readonly transaction_uuid: string; readonly status: PayoutStatus }
  /** The list does not have it. */
  | { readonly kind: 'absent' }
  /** A person says that it was not sent. */
  | { readonly kind: 'not_sent' }

type Accepted = Extract<Evidence, { kind: 'accepted' }>

export interface WithdrawalOutcome {
  readonly status: WithdrawalStatus
  readonly failure: WithdrawalFailure | null
  readonly failure_reason: string | null
  readonly transaction_uuid: string | null
  readonly requires_approval: boolean
}

const unchanged = (row: WithdrawalRow): WithdrawalOutcome => ({
  status: row.status,
  failure: row.failure,
  failure_reason: row.failure_reason,
  transaction_uuid: row.transaction_uuid,
  requires_approval: row.requires_approval === 1,
})

const failed = (row: WithdrawalRow, failure: WithdrawalFailure, reason: string): WithdrawalOutcome => ({
  ...unchanged(row),
  status: 'failed',
  failure,
  failure_reason: reason,
})

/**
 * True while an error reply alone has named its transaction: no webhook and no record of the list has, and the gateway
 * has not accepted the withdrawal.
 */
export const isNamedByErrorAlone = (row: WithdrawalRow): boolean =>
  isOpenWithdrawal(row.status) &&
  row.transaction_uuid !== null &&
  row.record_status === null &&
  row.reply_amount === null

/**
 * True once its transaction is named. After that a reply to our call can only change the status to `awaiting_approval`.
 */
const isLinked = (row: WithdrawalRow): boolean => row.transaction_uuid !== null

const withStatus = (row: WithdrawalRow, status: WithdrawalStatus): WithdrawalOutcome => ({
  ...unchanged(row),
  status,
  failure: null,
  failure_reason: null,
})

/** The withdrawal follows its payout; a payout status that we do not know only proves that the payout exists. */
function followPayout(row: WithdrawalRow, uuid: string, status: PayoutStatus): WithdrawalOutcome {
  const linked = { ...row, transaction_uuid: uuid }
  if (row.status === 'succeeded') return unchanged(linked)
  if (status === 'succeeded') return withStatus(linked, 'succeeded')
  if (status === 'failed') return failed(linked, 'record', row.failure_reason ?? 'gateway_failed')
  if (row.failure === 'record') return unchanged(linked)
  if (status === 'awaiting_approval') return { ...withStatus(linked, 'awaiting_approval'), requires_approval: true }
  const waits = row.status === 'awaiting_approval' && row.record_status !== 'awaiting_approval'
  return withStatus(linked, waits ? 'awaiting_approval' : 'processing')
}

function acceptedAs(row: WithdrawalRow, { status, requires_approval }: Accepted): WithdrawalOutcome {
  if (status === 'failed') return failed(row, 'refused', 'refused')
  return { ...withStatus(row, requires_approval ? 'awaiting_approval' : 'processing'), requires_approval }
}

/** If the list was faster than the reply, and has not said that the payout waits for approval, the reply says so. */
const approvalAsked = (row: WithdrawalRow, { requires_approval }: Accepted): WithdrawalOutcome =>
  requires_approval && row.requires_approval !== 1 && row.status === 'processing'
    ? withStatus(row, 'awaiting_approval')
    : unchanged(row)

/**
 * The whole state machine of withdrawals, as a pure function: what a withdrawal becomes by evidence
 * (docs/explanation/money.md, "Withdrawal steps"). A webhook or a record of the list outranks any reply; `succeeded` is
 * final.
 */
export function settle(row: WithdrawalRow, evidence: Evidence): WithdrawalOutcome {
  switch (evidence.kind) {
    case 'approved':
      return row.status === 'pending_authorization' ? withStatus(row, 'processing') : unchanged(row)
    case 'postponed':
      return unchanged(row)
    case 'declined':
      return row.status === 'pending_authorization' ? failed(row, 'declined', 'declined') : unchanged(row)
    case 'accepted':
      if (isLinked(row)) return { ...approvalAsked(row, evidence), requires_approval: evidence.requires_approval }
      return evidence.transaction_uuid === null
        ? acceptedAs(row, evidence)
        : { ...acceptedAs(row, evidence), transaction_uuid: evidence.transaction_uuid }
    case 'refused':
      return isLinked(row) ? unchanged(row) : failed(row, evidence.failure, evidence.reason)
    case 'error_reply': {
      if (isLinked(row)) return unchanged(row)
      const linked = { ...row, transaction_uuid: evidence.transaction_uuid }
      return evidence.status === 'failed'
        ? failed(linked, 'error_reply', 'gateway_failed')
        : withStatus(linked, 'processing')
    }
    case 'uncertain':
      return isLinked(row) || row.status !== 'processing' ? unchanged(row) : withStatus(row, 'unknown')
    case 'payout':
      return followPayout(row, evidence.transaction_uuid, evidence.status)
    case 'absent': {
      const isUncertain = row.status === 'unknown' && !isLinked(row)
      return isUncertain || isNamedByErrorAlone(row) ? failed(row, 'absent', 'not_sent') : unchanged(row)
    }
    case 'not_sent':
      if (hasWithdrawalEnded(row.status)) return unchanged(row)
      // Its own record, if the list has one, counts as failed until it says that the money has left.
      return failed(row, row.record_status === null ? 'absent' : 'record', 'not_sent')
  }
}

/** The steps that may follow each step of a withdrawal; a step may also stay. */
const NEXT_STEPS: Readonly<Record<WithdrawalStep, readonly WithdrawalStep[]>> = {
  authorizing: ['pending', 'calling', 'ended'],
  pending: ['calling', 'ended'],
  calling: ['ended'],
  ended: [],
}

/** Checks every change to a stored withdrawal. @throws BrokenInvariant */
export function checkWithdrawalChange(before: WithdrawalRow, after: WithdrawalRow): void {
  const { id } = before
  const stays = after.step === before.step
  assertInvariant(stays || NEXT_STEPS[before.step].includes(after.step), 'step_may_follow', id)
  assertInvariant(before.called_ms === null || after.called_ms === before.called_ms, 'called_once', id)
  assertInvariant(before.status !== 'succeeded' || after.status === 'succeeded', 'success_is_final', id)
}
