/** How each state of a transaction looks and what it is called: one table, which all screens read. */
import type { CashierStatus, TransactionNode } from '#lib/contract/cashier.ts'
import type { TransactionEvent } from '#lib/contract/stream.ts'
import type { MessageKey } from '#lib/i18n/translator.ts'

/** Waiting, done, failed, not sure, and neither. Each has a colour, a sign and a word of its own. */
export type Tone = 'wait' | 'ok' | 'bad' | 'unsure' | 'plain'

export type TransactionKind = TransactionEvent['kind']

export interface StatusLook {
  readonly tone: Tone
  readonly word: MessageKey
  /** Nothing more will happen by itself. */
  readonly settled: boolean
}

const failed: StatusLook = { tone: 'bad', word: 'status.failed', settled: true }
const unknown: StatusLook = { tone: 'unsure', word: 'status.checking', settled: false }
const other: StatusLook = { tone: 'plain', word: 'status.other', settled: false }
const approval: StatusLook = { tone: 'wait', word: 'status.awaitingApproval', settled: false }

export const STATUS_LOOKS: Readonly<Record<TransactionKind, Readonly<Record<CashierStatus, StatusLook>>>> = {
  deposit: {
    pending: { tone: 'wait', word: 'status.detected', settled: false },
    processing: { tone: 'wait', word: 'status.confirming', settled: false },
    awaiting_approval: approval,
    unknown,
    succeeded: { tone: 'ok', word: 'status.credited', settled: true },
    failed,
    other,
  },
  payout: {
    pending: { tone: 'wait', word: 'status.awaitingAuthorization', settled: false },
    processing: { tone: 'wait', word: 'status.processing', settled: false },
    awaiting_approval: approval,
    unknown,
    succeeded: { tone: 'ok', word: 'status.done', settled: true },
    failed,
    other,
  },
  onramp: {
    pending: { tone: 'wait', word: 'status.awaitingPayment', settled: false },
    processing: { tone: 'wait', word: 'status.processing', settled: false },
    awaiting_approval: approval,
    unknown,
    succeeded: { tone: 'ok', word: 'status.done', settled: true },
    failed,
    other,
  },
}

/** What the stream says in `status`, as the history's word for it. */
const EVENT_STATUS: Readonly<Record<string, CashierStatus>> = {
  pending: 'pending',
  pending_authorization: 'pending',
  processing: 'processing',
  awaiting_approval: 'awaiting_approval',
  unknown: 'unknown',
  succeeded: 'succeeded',
  failed: 'failed',
}

export const cashierStatusOf = (status: string): CashierStatus =>
  Object.hasOwn(EVENT_STATUS, status) ? (EVENT_STATUS[status] ?? 'other') : 'other'

/** A row is a purchase where it names our session; else its type says. Types that we do not know are shown as deposits are. */
export function kindOf(node: Pick<TransactionNode, 'type' | 'session_reference'>): TransactionKind {
  if (node.session_reference !== undefined) return 'onramp'
  return node.type.toLowerCase() === 'payout' ? 'payout' : 'deposit'
}
