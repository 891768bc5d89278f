import type { Withdrawal, WithdrawalStatus } from '#lib/contract/cashier.ts'
import type { Tone } from '#lib/browser/transaction-status.ts'
import type { MessageKey } from '#lib/i18n/translator.ts'

export type StepState = 'done' | 'now' | 'todo' | 'failed'

export interface TimelineStep {
  readonly word: MessageKey
  readonly state: StepState
}

export interface StatusScreen {
  readonly tone: Tone
  readonly body: MessageKey
  readonly steps: readonly TimelineStep[]
}

const step = (word: MessageKey, state: StepState): TimelineStep => ({ word, state })
const requested = step('withdraw.step.requested', 'done')
const sent = step('withdraw.step.sent', 'todo')
const arrived = step('withdraw.step.arrived', 'todo')

/** Each state of a withdrawal: what it means for the money, and where it stands on its way. */
export const STATUS_SCREENS: Readonly<Record<WithdrawalStatus, StatusScreen>> = {
  pending_authorization: {
    tone: 'plain',
    body: 'withdraw.state.pendingAuthorization',
    steps: [requested, step('withdraw.step.approval', 'now'), sent, arrived],
  },
  awaiting_approval: {
    tone: 'plain',
    body: 'withdraw.state.awaitingApproval',
    steps: [requested, step('withdraw.step.approval', 'now'), sent, arrived],
  },
  processing: {
    tone: 'plain',
    body: 'withdraw.state.processing',
    steps: [requested, step('withdraw.step.sending', 'now'), arrived],
  },
  unknown: {
    tone: 'unsure',
    body: 'withdraw.state.unknown',
    steps: [requested, step('withdraw.step.checking', 'now'), sent, arrived],
  },
  succeeded: {
    tone: 'ok',
    body: 'withdraw.state.succeeded',
    steps: [requested, step('withdraw.step.sent', 'done'), step('withdraw.step.arrived', 'done')],
  },
  failed: {
    tone: 'bad',
    body: 'withdraw.state.failed',
    steps: [requested, step('withdraw.step.failed', 'failed')],
  },
}

/** Why it failed, in our words; the server's codes of `failure_reason`. */
const FAILURES: Readonly<Record<string, MessageKey>> = {
  declined: 'withdraw.reason.declined',
  refused: 'withdraw.reason.refused',
  refused_amount: 'withdraw.reason.amount',
  refused_wallet_address: 'withdraw.reason.address',
  not_sent: 'withdraw.reason.notSent',
  gateway_failed: 'withdraw.reason.failed',
}

export const failureReason = ({ failure_reason: reason }: Pick<Withdrawal, 'failure_reason'>): MessageKey =>
  reason !== null && Object.hasOwn(FAILURES, reason)
    ? (FAILURES[reason] ?? 'withdraw.reason.service')
    : 'withdraw.reason.service'
