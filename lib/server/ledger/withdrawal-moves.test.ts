/** Whatever becomes known of a withdrawal, in whatever state it is, the result can be stored. */
import { expect, test } from 'vitest'
import { decimal } from '#lib/contract/money.ts'
import { completeWithdrawal, sampleWithdrawal } from '../store/testing/sample-rows.ts'
import type { WithdrawalColumns, WithdrawalRow } from './rows.ts'
import { settleWithdrawal, type Settlement } from './settle-withdrawal.ts'
import { UnitOfWork } from './unit-of-work.ts'
import { CALL_STATES, OUTCOMES } from './withdrawal-shapes.ts'

const FULL: WithdrawalColumns = {
  ...sampleWithdrawal(),
  ...{
    funds: 'none',
    postings: 0,
    driver: 'i',
    early_decision: 'approve',
    review: '[]',
    first_result: '{}',
    resolution: '{}',
  },
  ...{
    called_ms: 1,
    call_ended_ms: 2,
    wait_until_ms: 2,
    next_check_ms: 3,
    checked_ms: 3,
    clock_offset_ms: 0,
    overdue_ms: 4,
  },
  ...{ reply_amount: decimal('1'), reply_transaction_uuid: 'p1', failure: 'absent', failure_reason: 'not_sent' },
  ...{ transaction_uuid: 'p1', record_status: 'processing', paid_amount: decimal('1') },
}
const FAILURES = ['absent', 'record', 'error_reply', 'refused', 'unreachable', 'declined'] as const

/** Of each state: with all columns that it may have, and without each of them. */
const ROWS: readonly WithdrawalRow[] = Object.entries(CALL_STATES).flatMap(([call, { step, may, outcomes }]) =>
  outcomes.flatMap((name) => {
    const lacks = [null, ...may, ...OUTCOMES[name].may]
    const isUnnamed = name === 'undecided' || name === 'open' || name === 'failed'
    return OUTCOMES[name].status.flatMap((status) =>
      lacks.flatMap((column) =>
        FAILURES.map((failure) =>
          completeWithdrawal({
            ...FULL,
            ...(call === 'called' || call === 'calling' ? {} : { called_ms: null, call_ended_ms: null }),
            ...{ step, status, failure },
            ...(isUnnamed && { transaction_uuid: null }),
            ...(column !== null && { [column]: null }),
          }),
        ),
      ),
    )
  }),
)

const ENDED = { step: 'ended', driver: null, call_ended_ms: 9, clock_offset_ms: 0, checked_ms: null } as const
const UNCALLED = { step: 'ended', driver: null, early_decision: null } as const
const STATUSES = ['other', 'processing', 'awaiting_approval', 'failed', 'succeeded'] as const
type Move = Pick<Settlement, 'evidence' | 'also'>

const beforeCall = ({ step, status }: WithdrawalRow): readonly Move[] => {
  if (status !== 'pending_authorization') return []
  const pending = { step: 'pending', driver: null, early_decision: null } as const
  return [
    { evidence: { kind: 'declined', user_message: null, during_request: true }, also: UNCALLED },
    { evidence: { kind: 'postponed' }, also: pending },
    ...(step === 'pending' ? [{ evidence: { kind: 'cancelled' }, also: UNCALLED } as const] : []),
    ...(step === 'authorizing' ? [{ evidence: { kind: 'not_sent' }, also: UNCALLED } as const] : []),
  ]
}

const afterCall = (row: WithdrawalRow): readonly Move[] => [
  ...['p1', 'p2'].flatMap((transaction_uuid) =>
    STATUSES.flatMap((status): readonly Move[] => [
      { evidence: { kind: 'payout', transaction_uuid, status }, also: { record_status: status, paid_amount: null } },
      { evidence: { kind: 'error_reply', transaction_uuid, status }, also: ENDED },
    ]),
  ),
  ...[null, 'p1', 'p2'].flatMap((transaction_uuid) =>
    STATUSES.flatMap((status) =>
      [true, false].map((requires_approval): Move => {
        const amount = decimal('1')
        return { evidence: { kind: 'accepted', requires_approval, status, amount, transaction_uuid }, also: ENDED }
      }),
    ),
  ),
  { evidence: { kind: 'refused', failure: 'refused', reason: 'refused' }, also: ENDED },
  { evidence: { kind: 'uncertain' }, also: ENDED },
  { evidence: { kind: 'not_sent' }, also: ENDED },
  { evidence: { kind: 'not_sent' } },
  { evidence: { kind: 'payout', transaction_uuid: row.transaction_uuid ?? 'p1', status: 'succeeded' } },
  ...(row.status === 'unknown' ? [{ evidence: { kind: 'absent' } } as const] : []),
]

test('each evidence leaves a withdrawal that fits its step', () => {
  const moves = ROWS.flatMap((row) =>
    (row.called_ms === null ? beforeCall(row) : afterCall(row)).map((move) => ({ row, move })),
  )
  const broken = moves.filter(({ row, move }) => {
    const unit = new UnitOfWork(10)
    unit.load({ withdrawals: [row] })
    try {
      settleWithdrawal(unit, row, { ...move, source: 'cashier' })
      return false
    } catch {
      return true
    }
  })
  expect(moves.length).toBeGreaterThan(10_000)
  expect(broken).toEqual([])
})
