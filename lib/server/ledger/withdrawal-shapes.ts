/**
 * Which nullable columns a withdrawal has: by its call, and by its outcome. `has`: never null; `may`: perhaps null; all
 * others are null. The types of `rows.ts` and `parseWithdrawal` come from these tables; the constraint `fits_its_step`
 * says the same in SQL.
 */

/** By which rules it was caught, and until when it waits. */
const CAUGHT = ['review', 'wait_until_ms'] as const

export const CALL_STATES = {
  /** The merchant is being asked. */
  authorizing: { step: 'authorizing', has: [], may: ['driver', 'early_decision'], outcomes: ['undecided'] },
  /**
   * The merchant has postponed its decision, or a rule has caught it. With `early_decision` it is approved, and is sent
   * when its wait is over.
   */
  pending: { step: 'pending', has: [], may: ['first_result', 'early_decision', ...CAUGHT], outcomes: ['undecided'] },
  /** The gateway is being called. A payout or a person may tell the outcome meanwhile. */
  calling: {
    step: 'calling',
    has: ['called_ms'],
    may: ['driver', 'first_result', 'resolution', ...CAUGHT],
    outcomes: ['open', 'linked', 'succeeded', 'failed', 'failed_linked'],
  },
  /** It ended before a call. */
  uncalled: { step: 'ended', has: [], may: ['first_result', 'resolution', ...CAUGHT], outcomes: ['failed'] },
  /** The call has ended. */
  called: {
    step: 'ended',
    has: ['called_ms', 'call_ended_ms'],
    may: [
      ...(['first_result', 'resolution', 'clock_offset_ms', 'checked_ms', 'reply_amount'] as const),
      'reply_transaction_uuid',
      ...CAUGHT,
    ],
    outcomes: ['open', 'linked', 'unknown', 'succeeded', 'failed', 'failed_linked'],
  },
} as const

/** `linked`: the withdrawal has a transaction of the gateway. */
export const OUTCOMES = {
  /** A rule's withdrawal that nobody decides is overdue. */
  undecided: { status: ['pending_authorization'], has: [], may: ['overdue_ms'] },
  open: { status: ['processing', 'awaiting_approval'], has: [], may: ['overdue_ms'] },
  linked: {
    status: ['processing', 'awaiting_approval'],
    has: ['transaction_uuid'],
    may: ['record_status', 'paid_amount', 'overdue_ms'],
  },
  /** A person names its transaction before it follows that. */
  unknown: { status: ['unknown'], has: ['next_check_ms'], may: ['transaction_uuid', 'overdue_ms'] },
  succeeded: { status: ['succeeded'], has: ['transaction_uuid'], may: ['record_status', 'paid_amount'] },
  failed: { status: ['failed'], has: ['failure'], may: ['failure_reason'] },
  failed_linked: {
    status: ['failed'],
    has: ['failure', 'transaction_uuid'],
    may: ['failure_reason', 'record_status', 'paid_amount'],
  },
} as const
