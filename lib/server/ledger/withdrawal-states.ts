import type { WithdrawalStatus } from '#lib/contract/cashier.ts'
import type { Decimal } from '#lib/contract/money.ts'
import { assertInvariant } from './invariant.ts'
import type { WithdrawalRow } from './rows.ts'
import type { StatusOf } from './transaction-statuses.ts'
import { isOpenWithdrawal, type WithdrawalFailure, type WithdrawalStep } from './withdrawal-statuses.ts'

type PayoutStatus = StatusOf<'payout'>

/** Something that became known about a withdrawal. */
export type Evidence =
  | { readonly kind: 'approved' }
  | { readonly kind: 'declined'; readonly user_message: string | null; readonly during_request: boolean }
  | { readonly kind: 'postponed' }
  /** By the user, before it is sent. */
  | { readonly kind: 'cancelled' }
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
const isNamedByErrorAlone = (row: WithdrawalRow): boolean =>
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
  if (row.status === 'succeeded') return unchanged(row)
  if (status === 'succeeded') return withStatus(row, 'succeeded')
  if (status === 'failed') return failed(row, 'record', row.failure_reason ?? 'gateway_failed')
  if (row.failure === 'record' && row.transaction_uuid === uuid) return unchanged(row)
  if (status === 'awaiting_approval') return { ...withStatus(row, 'awaiting_approval'), requires_approval: true }
  const waits = row.status === 'awaiting_approval' && row.record_status !== 'awaiting_approval'
  return withStatus(row, waits ? 'awaiting_approval' : 'processing')
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

/** A withdrawal's state, as far as the next state depends on it. */
type State =
  /** It waits for the merchant, a person or a time. */
  | 'pending'
  /** Its call is under way, or the gateway has accepted it and named no transaction. */
  | 'processing'
  /** The gateway waits for an approval, and has named no transaction. */
  | 'awaiting'
  | 'unknown'
  /** An error reply alone has named its transaction. */
  | 'named'
  /** It follows its transaction. */
  | 'linked'
  /** It failed, and no transaction is named. */
  | 'failed'
  /** It failed with its transaction. */
  | 'failed_linked'
  | 'succeeded'

function stateOf(row: WithdrawalRow): State {
  if (row.status === 'pending_authorization') return 'pending'
  if (row.status === 'succeeded' || row.status === 'unknown') return row.status
  if (row.status === 'failed') return isLinked(row) ? 'failed_linked' : 'failed'
  if (isNamedByErrorAlone(row)) return 'named'
  if (isLinked(row)) return 'linked'
  return row.status === 'awaiting_approval' ? 'awaiting' : 'processing'
}

type Kind = Evidence['kind']
type Move<K extends Kind> = (row: WithdrawalRow, evidence: Extract<Evidence, { kind: K }>) => WithdrawalOutcome

const stay = (row: WithdrawalRow): WithdrawalOutcome => unchanged(row)
const follow: Move<'payout'> = (row, { transaction_uuid, status }) => ({
  ...followPayout(row, transaction_uuid, status),
  transaction_uuid,
})
const send: Move<'approved'> = (row) => withStatus(row, 'processing')
const decline: Move<'declined'> = (row) => failed(row, 'declined', 'declined')
const cancel: Move<'cancelled'> = (row) => failed(row, 'cancelled', 'cancelled')
const refuse: Move<'refused'> = (row, { failure, reason }) => failed(row, failure, reason)
const doubt: Move<'uncertain'> = (row) => withStatus(row, 'unknown')
const miss = (row: WithdrawalRow): WithdrawalOutcome => failed(row, 'absent', 'not_sent')
/** Its own record, if the list has one, counts as failed until it says that the money has left. */
const giveUp: Move<'not_sent'> = (row) => failed(row, row.record_status === null ? 'absent' : 'record', 'not_sent')
const accept: Move<'accepted'> = (row, evidence) =>
  evidence.transaction_uuid === null
    ? acceptedAs(row, evidence)
    : { ...acceptedAs(row, evidence), transaction_uuid: evidence.transaction_uuid }
const askApproval: Move<'accepted'> = (row, evidence) => ({
  ...approvalAsked(row, evidence),
  requires_approval: evidence.requires_approval,
})
const link: Move<'error_reply'> = (row, { transaction_uuid, status }) => ({
  ...(status === 'failed' ? failed(row, 'error_reply', 'gateway_failed') : withStatus(row, 'processing')),
  transaction_uuid,
})

/** The reply to the call counts until a transaction is named; a webhook or a record of the list outranks any reply. */
const REPLIES = { accepted: accept, refused: refuse, error_reply: link, payout: follow } as const
const AFTER_LINK = { accepted: askApproval, refused: stay, error_reply: stay, payout: follow } as const
/** The merchant decides, and the user cancels, only while it waits. */
const DECIDED = { approved: stay, declined: stay, postponed: stay, cancelled: stay } as const
const ENDED = { ...DECIDED, uncertain: stay, absent: stay, not_sent: stay } as const

/**
 * The whole state machine of withdrawals: what each evidence does in each state (docs/explanation/money.md, "Withdrawal
 * steps"). A pair that is missing does not compile. What is booked follows from the status (`withdrawal-funds.ts`).
 */
const TABLE: { readonly [S in State]: { readonly [K in Kind]: Move<K> } } = {
  pending: {
    ...REPLIES,
    approved: send,
    declined: decline,
    postponed: stay,
    cancelled: cancel,
    uncertain: stay,
    absent: stay,
    not_sent: giveUp,
  },
  processing: { ...REPLIES, ...DECIDED, uncertain: doubt, absent: stay, not_sent: giveUp },
  awaiting: { ...REPLIES, ...DECIDED, uncertain: stay, absent: stay, not_sent: giveUp },
  unknown: { ...REPLIES, ...DECIDED, uncertain: stay, absent: miss, not_sent: giveUp },
  named: { ...AFTER_LINK, ...DECIDED, uncertain: stay, absent: miss, not_sent: giveUp },
  linked: { ...AFTER_LINK, ...DECIDED, uncertain: stay, absent: stay, not_sent: giveUp },
  failed: { ...REPLIES, ...ENDED },
  failed_linked: { ...AFTER_LINK, ...ENDED },
  succeeded: { ...AFTER_LINK, ...ENDED },
}

/** What a withdrawal becomes by evidence. `succeeded` is final. */
export function settle(row: WithdrawalRow, evidence: Evidence): WithdrawalOutcome {
  const move = TABLE[stateOf(row)][evidence.kind] as (row: WithdrawalRow, evidence: Evidence) => WithdrawalOutcome
  return move(row, evidence)
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
