/** How each status of a transaction is displayed: one table for all screens. */
import type { CashierStatus, TransactionNode, WithdrawalStatus } from '#lib/contract/cashier.ts'
import type { TransactionKind } from '#lib/contract/stream.ts'
import type { MessageKey } from '#lib/i18n/translator.ts'

/** Each tone has its own colour and icon. `unsure`: the outcome is not known yet. */
export type Tone = 'wait' | 'ok' | 'bad' | 'unsure' | 'plain'

export interface StatusDisplay {
  readonly tone: Tone
  readonly label: MessageKey
  /** The status is final. */
  readonly settled: boolean
}

const failed: StatusDisplay = { tone: 'bad', label: 'status.failed', settled: true }
const declined: StatusDisplay = { ...failed, label: 'status.declined' }
const cancelled: StatusDisplay = { tone: 'plain', label: 'status.cancelled', settled: true }
const waiting: StatusDisplay = { tone: 'wait', label: 'status.waiting', settled: false }
const unknown: StatusDisplay = { tone: 'unsure', label: 'status.checking', settled: false }
const other: StatusDisplay = { tone: 'plain', label: 'status.other', settled: false }
const approval: StatusDisplay = { tone: 'wait', label: 'status.awaitingApproval', settled: false }

export const STATUS_DISPLAY: Readonly<Record<TransactionKind, Readonly<Record<CashierStatus, StatusDisplay>>>> = {
  deposit: {
    pending: { tone: 'wait', label: 'status.detected', settled: false },
    processing: { tone: 'wait', label: 'status.confirming', settled: false },
    awaiting_approval: approval,
    unknown,
    succeeded: { tone: 'ok', label: 'status.credited', settled: true },
    failed,
    other,
  },
  payout: {
    pending: { tone: 'wait', label: 'status.awaitingAuthorization', settled: false },
    processing: { tone: 'wait', label: 'status.processing', settled: false },
    awaiting_approval: approval,
    unknown,
    succeeded: { tone: 'ok', label: 'status.done', settled: true },
    failed,
    other,
  },
  onramp: {
    pending: { tone: 'wait', label: 'status.awaitingPayment', settled: false },
    processing: { tone: 'wait', label: 'status.processing', settled: false },
    awaiting_approval: approval,
    unknown,
    succeeded: { tone: 'ok', label: 'status.done', settled: true },
    failed,
    other,
  },
}

/** Ends that are no failures. */
const ENDINGS: ReadonlyMap<string | null, StatusDisplay> = new Map([
  ['declined', declined],
  ['cancelled', cancelled],
])

/**
 * From the table, except for a withdrawal that the merchant declined or the user cancelled, which is not a failure.
 * @param onlyWaits a withdrawal waits for a time alone, and not for a person
 */
export function statusDisplay(
  kind: TransactionKind,
  status: CashierStatus,
  failureReason: string | null,
  onlyWaits = false,
): StatusDisplay {
  const usual = STATUS_DISPLAY[kind][status]
  if (kind !== 'payout') return usual
  if (status === 'pending' && onlyWaits) return waiting
  return status === 'failed' ? (ENDINGS.get(failureReason) ?? usual) : usual
}

/** `status` of an event: a withdrawal's status, or `pending` of a purchase. */
const EVENT_STATUS: Readonly<Record<WithdrawalStatus | 'pending', CashierStatus>> = {
  pending: 'pending',
  pending_authorization: 'pending',
  processing: 'processing',
  awaiting_approval: 'awaiting_approval',
  unknown: 'unknown',
  succeeded: 'succeeded',
  failed: 'failed',
}

const isEventStatus = (status: string): status is keyof typeof EVENT_STATUS => Object.hasOwn(EVENT_STATUS, status)

/** The history's status for an event's; a status that only a newer server knows is `other`. */
export const cashierStatusOf = (status: string): CashierStatus =>
  isEventStatus(status) ? EVENT_STATUS[status] : 'other'

/** A purchase if it has a session reference, otherwise by its type. Unknown types are displayed as deposits. */
export function transactionKind(node: Pick<TransactionNode, 'type' | 'session_reference'>): TransactionKind {
  if (node.session_reference !== undefined) return 'onramp'
  return node.type.toLowerCase() === 'payout' ? 'payout' : 'deposit'
}
