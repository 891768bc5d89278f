import type { WithdrawalStatus } from '#lib/contract/cashier.ts'
import type { WithdrawalRow } from '../store/port.ts'
import { recordState } from './states.ts'

/** How a withdrawal failed, and so what may still be said of it. */
export type Failure =
  /** The gateway refused it in words that we could read. */
  | 'refused'
  /** The connection could not be opened: it cannot have been made. */
  | 'unreachable'
  /** The merchant declined. */
  | 'declined'
  /** Two complete scans of the user's list did not have it. */
  | 'absent'
  /** An error reply named its transaction with a failing word. */
  | 'error_reply'
  /** The gateway's record of it says so. */
  | 'record'

/** Something that became known about a withdrawal. */
export type Evidence =
  | { readonly kind: 'approved' }
  | { readonly kind: 'declined'; readonly user_message: string | null; readonly during_request: boolean }
  | { readonly kind: 'postponed' }
  | { readonly kind: 'accepted'; readonly requires_approval: boolean; readonly status: string }
  | { readonly kind: 'refused'; readonly failure: 'refused' | 'unreachable'; readonly reason: string }
  | { readonly kind: 'error_reply'; readonly transaction_uuid: string; readonly status: string | null }
  | { readonly kind: 'uncertain' }
  /** A webhook or a record of the list names it. */
  | { readonly kind: 'payout'; readonly transaction_uuid: string; readonly status: string }
  | { readonly kind: 'absent' }

export interface Verdict {
  readonly status: WithdrawalStatus
  readonly failure: Failure | null
  readonly failure_reason: string | null
  readonly transaction_uuid: string | null
  readonly requires_approval: boolean
}

const keep = (row: WithdrawalRow): Verdict => ({
  status: row.status as WithdrawalStatus,
  failure: row.failure as Failure | null,
  failure_reason: row.failure_reason,
  transaction_uuid: row.transaction_uuid,
  requires_approval: row.requires_approval === 1,
})

const failed = (row: WithdrawalRow, failure: Failure, reason: string): Verdict => ({
  ...keep(row),
  status: 'failed',
  failure,
  failure_reason: reason,
})

/** True once a webhook or the list has named it: no reply of our call says more. */
const named = (row: WithdrawalRow): boolean => row.transaction_uuid !== null

const alive = (row: WithdrawalRow, status: WithdrawalStatus): Verdict => ({
  ...keep(row),
  status,
  failure: null,
  failure_reason: null,
})

/** A payout's own state is what its withdrawal follows; an unread word is evidence that it exists, and no more. */
function followPayout(row: WithdrawalRow, uuid: string, status: string): Verdict {
  const linked = { ...row, transaction_uuid: uuid }
  if (row.status === 'succeeded') return keep(linked)
  if (status === 'succeeded') return alive(linked, 'succeeded')
  if (status === 'failed') return failed(linked, 'record', row.failure_reason ?? 'gateway_failed')
  if (row.failure === 'record') return keep(linked)
  if (status === 'awaiting_approval') return { ...alive(linked, 'awaiting_approval'), requires_approval: true }
  const waits = row.status === 'awaiting_approval' && row.record_status !== 'awaiting_approval'
  return alive(linked, waits ? 'awaiting_approval' : 'processing')
}

/**
 * Where a withdrawal stands once this is known (contract section 7, step 4 and 5). Pure: the whole state machine.
 * What a webhook or the list said holds against any reply; `succeeded` is final.
 */
export function settle(row: WithdrawalRow, evidence: Evidence): Verdict {
  switch (evidence.kind) {
    case 'approved':
      return row.status === 'pending_authorization' ? alive(row, 'processing') : keep(row)
    case 'postponed':
      return keep(row)
    case 'declined':
      return row.status === 'pending_authorization' ? failed(row, 'declined', 'declined') : keep(row)
    case 'accepted':
      if (named(row)) return { ...keep(row), requires_approval: evidence.requires_approval }
      if (recordState(evidence.status) === 'failed') return failed(row, 'refused', 'refused')
      return {
        ...alive(row, evidence.requires_approval ? 'awaiting_approval' : 'processing'),
        requires_approval: evidence.requires_approval,
      }
    case 'refused':
      return named(row) ? keep(row) : failed(row, evidence.failure, evidence.reason)
    case 'error_reply': {
      if (named(row)) return keep(row)
      const linked = { ...row, transaction_uuid: evidence.transaction_uuid }
      return evidence.status !== null && recordState(evidence.status) === 'failed'
        ? failed(linked, 'error_reply', 'gateway_failed')
        : alive(linked, 'processing')
    }
    case 'uncertain':
      return named(row) || row.status !== 'processing' ? keep(row) : alive(row, 'unknown')
    case 'payout':
      return followPayout(row, evidence.transaction_uuid, evidence.status)
    case 'absent':
      return row.status === 'unknown' && !named(row) ? failed(row, 'absent', 'not_sent') : keep(row)
  }
}

/** A payout that shows up although the withdrawal had failed without one: reported as `late_payout`. */
const isLate = (row: WithdrawalRow): boolean =>
  row.status === 'failed' && row.transaction_uuid === null && (row.failure === 'absent' || row.failure === 'refused')

/** Five minutes: what two clocks may differ by. */
const RECORD_LEEWAY_MS = 300_000

/** Which withdrawals a payout of the same details may be, best first: those surely accepted, uncertain ones, failed ones. */
function standing(row: WithdrawalRow): number | null {
  if (row.status === 'awaiting_approval') return 0
  if (row.status === 'processing') return row.step === 'ended' ? 0 : 1
  if (row.status === 'unknown') return 1
  if (isLate(row)) return row.failure === 'absent' ? 2 : 3
  return null
}

/**
 * The withdrawal that a payout belongs to: none that another payout has; by standing, then oldest first.
 * `insertedMs` is a list record's time: a record from over five minutes before our call is not of it.
 */
export function matchPayout(candidates: readonly WithdrawalRow[], insertedMs: number | null): WithdrawalRow | null {
  const open = candidates.flatMap((row) => {
    const rank = row.transaction_uuid === null && row.called_ms !== null ? standing(row) : null
    const fits = insertedMs === null || (row.called_ms ?? 0) - RECORD_LEEWAY_MS <= insertedMs
    return rank !== null && fits ? [{ row, rank }] : []
  })
  open.sort((a, b) => a.rank - b.rank || a.row.created_ms - b.row.created_ms || (a.row.id < b.row.id ? -1 : 1))
  return open[0]?.row ?? null
}
