import type { Withdrawal, WithdrawalStatus } from '#lib/contract/cashier.ts'
import type { Tone } from '#lib/browser/status-display.ts'
import type { MessageKey } from '#lib/i18n/translator.ts'

export type StepState = 'done' | 'now' | 'todo' | 'failed'

export interface TimelineStep {
  readonly label: MessageKey
  readonly state: StepState
}

export interface StatusScreen {
  readonly tone: Tone
  readonly body: MessageKey
  readonly steps: readonly TimelineStep[]
}

const step = (label: MessageKey, state: StepState): TimelineStep => ({ label, state })
const requested = step('withdraw.step.requested', 'done')
const sent = step('withdraw.step.sent', 'todo')
const arrived = step('withdraw.step.arrived', 'todo')

/** What each status means for the user's money, and the steps of the timeline. */
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

const held = (label: MessageKey): StatusScreen => ({
  tone: 'plain',
  body: 'withdraw.state.held',
  steps: [requested, step(label, 'now'), sent, arrived],
})
const REVIEWED = held('withdraw.step.approval')
const WAITING = held('status.waiting')
const CANCELLED: StatusScreen = {
  tone: 'plain',
  body: 'withdraw.state.failed',
  steps: [requested, step('status.cancelled', 'failed')],
}

/** The screen of a withdrawal: by its status, what holds it, and how it ended. */
export function screenOf({
  status,
  failure_reason,
  review,
  awaits_decision,
}: Pick<Withdrawal, 'status' | 'failure_reason' | 'review' | 'awaits_decision'>): StatusScreen {
  if (status === 'failed' && failure_reason === 'cancelled') return CANCELLED
  if (status !== 'pending_authorization' || review.length === 0) return STATUS_SCREENS[status]
  return awaits_decision ? REVIEWED : WAITING
}

/**
 * Once an absence counts, two scans of the list prove it (`ABSENT_SCANS`). Each scan starts within 15 s and may take
 * some seconds.
 */
const PROOF_MS = 60_000

/**
 * @param requestedAt ISO 8601
 * @param absenceS seconds after which an absence counts (docs/explanation/money.md, "Absence")
 */
export const knownByMs = (requestedAt: string, absenceS: number): number =>
  Date.parse(requestedAt) + absenceS * 1000 + PROOF_MS

/** Messages for the server's codes in `failure_reason`. */
const FAILURE_MESSAGES: Readonly<Record<string, MessageKey>> = {
  declined: 'withdraw.reason.declined',
  cancelled: 'withdraw.reason.cancelled',
  refused: 'withdraw.reason.refused',
  refused_amount: 'withdraw.reason.amount',
  refused_wallet_address: 'withdraw.reason.address',
  not_sent: 'withdraw.reason.notSent',
  gateway_failed: 'withdraw.reason.failed',
}

export const failureReasonMessage = ({ failure_reason: reason }: Pick<Withdrawal, 'failure_reason'>): MessageKey =>
  reason !== null && Object.hasOwn(FAILURE_MESSAGES, reason)
    ? (FAILURE_MESSAGES[reason] ?? 'withdraw.reason.service')
    : 'withdraw.reason.service'
