import { describe, expect, test } from 'vitest'
import { decimal } from '#lib/contract/money.ts'
import { matchPayout } from './match-payout.ts'
import type { WithdrawalRow } from './rows.ts'
import { sampleWithdrawal } from '../store/testing/sample-rows.ts'
import { settle, type Evidence } from './withdrawal-states.ts'

const UUID = '9b2f0f0e-6d0b-4e2c-8c6f-0a1b2c3d4e5f'

const REPLY = { amount: decimal('10'), transaction_uuid: null }
const PAYOUT = {
  amount_key: decimal('10'),
  insertedMs: null,
  listedMs: null,
  clockOffset: null,
  succeeded: true,
  nowMs: 2000,
}
const AT = (insertedMs: number) => ({ ...PAYOUT, insertedMs })

const row = (change: Partial<WithdrawalRow> = {}): WithdrawalRow =>
  sampleWithdrawal({
    amount: decimal('10'),
    amount_key: decimal('10'),
    step: 'calling',
    driver: 'i',
    called_ms: 1000,
    ...change,
  })

const STATES = {
  pending: row({ status: 'pending_authorization', step: 'pending', funds: 'none', called_ms: null }),
  calling: row(),
  accepted: row({ step: 'ended' }),
  awaiting: row({ status: 'awaiting_approval', step: 'ended', requires_approval: 1 }),
  unknown: row({ status: 'unknown', step: 'ended' }),
  linked: row({ step: 'ended', transaction_uuid: UUID, record_status: 'processing' }),
  named: row({ step: 'ended', transaction_uuid: UUID }),
  refused: row({ status: 'failed', failure: 'refused', failure_reason: 'refused', step: 'ended' }),
  absent: row({ status: 'failed', failure: 'absent', failure_reason: 'not_sent', step: 'ended' }),
  errorReply: row({
    status: 'failed',
    failure: 'error_reply',
    failure_reason: 'gateway_failed',
    step: 'ended',
    transaction_uuid: UUID,
  }),
  recordFailed: row({ status: 'failed', failure: 'record', step: 'ended', transaction_uuid: UUID }),
  declined: row({ status: 'failed', failure: 'declined', step: 'ended', called_ms: null }),
  succeeded: row({ status: 'succeeded', step: 'ended', transaction_uuid: UUID }),
} satisfies Record<string, WithdrawalRow>

const EVIDENCE = {
  approved: { kind: 'approved' },
  postponed: { kind: 'postponed' },
  declined: { kind: 'declined', user_message: null, during_request: true },
  accepted: { kind: 'accepted', requires_approval: false, status: 'other', ...REPLY },
  needsApproval: { kind: 'accepted', requires_approval: true, status: 'other', ...REPLY },
  acceptedFailed: { kind: 'accepted', requires_approval: false, status: 'failed', ...REPLY },
  refused: { kind: 'refused', failure: 'refused', reason: 'refused' },
  unreachable: { kind: 'refused', failure: 'unreachable', reason: 'gateway_unreachable' },
  replyFailed: { kind: 'error_reply', transaction_uuid: UUID, status: 'failed' },
  replyOther: { kind: 'error_reply', transaction_uuid: UUID, status: 'processing' },
  replySilent: { kind: 'error_reply', transaction_uuid: UUID, status: null },
  uncertain: { kind: 'uncertain' },
  payoutNew: { kind: 'payout', transaction_uuid: UUID, status: 'processing' },
  payoutOther: { kind: 'payout', transaction_uuid: UUID, status: 'other' },
  payoutAwaits: { kind: 'payout', transaction_uuid: UUID, status: 'awaiting_approval' },
  payoutDone: { kind: 'payout', transaction_uuid: UUID, status: 'succeeded' },
  payoutFailed: { kind: 'payout', transaction_uuid: UUID, status: 'failed' },
  absent: { kind: 'absent' },
} satisfies Record<string, Evidence>

const [PEND, PROC, AWAIT, UNKN, SUCC, FAIL] = [
  'pending_authorization',
  'processing',
  'awaiting_approval',
  'unknown',
  'succeeded',
  'failed',
]

type Table = Record<keyof typeof STATES, Record<keyof typeof EVIDENCE, string | undefined>>

/** Every pair: the state of a withdrawal, the evidence, and the state that follows. */
const TABLE: Table = {
  pending: {
    approved: PROC,
    postponed: PEND,
    declined: FAIL,
    accepted: PROC,
    needsApproval: AWAIT,
    acceptedFailed: FAIL,
    refused: FAIL,
    unreachable: FAIL,
    replyFailed: FAIL,
    replyOther: PROC,
    replySilent: PROC,
    uncertain: PEND,
    payoutNew: PROC,
    payoutOther: PROC,
    payoutAwaits: AWAIT,
    payoutDone: SUCC,
    payoutFailed: FAIL,
    absent: PEND,
  },
  calling: {
    approved: PROC,
    postponed: PROC,
    declined: PROC,
    accepted: PROC,
    needsApproval: AWAIT,
    acceptedFailed: FAIL,
    refused: FAIL,
    unreachable: FAIL,
    replyFailed: FAIL,
    replyOther: PROC,
    replySilent: PROC,
    uncertain: UNKN,
    payoutNew: PROC,
    payoutOther: PROC,
    payoutAwaits: AWAIT,
    payoutDone: SUCC,
    payoutFailed: FAIL,
    absent: PROC,
  },
  accepted: {
    approved: PROC,
    postponed: PROC,
    declined: PROC,
    accepted: PROC,
    needsApproval: AWAIT,
    acceptedFailed: FAIL,
    refused: FAIL,
    unreachable: FAIL,
    replyFailed: FAIL,
    replyOther: PROC,
    replySilent: PROC,
    uncertain: UNKN,
    payoutNew: PROC,
    payoutOther: PROC,
    payoutAwaits: AWAIT,
    payoutDone: SUCC,
    payoutFailed: FAIL,
    absent: PROC,
  },
  awaiting: {
    approved: AWAIT,
    postponed: AWAIT,
    declined: AWAIT,
    accepted: PROC,
    needsApproval: AWAIT,
    acceptedFailed: FAIL,
    refused: FAIL,
    unreachable: FAIL,
    replyFailed: FAIL,
    replyOther: PROC,
    replySilent: PROC,
    uncertain: AWAIT,
    payoutNew: AWAIT,
    payoutOther: AWAIT,
    payoutAwaits: AWAIT,
    payoutDone: SUCC,
    payoutFailed: FAIL,
    absent: AWAIT,
  },
  unknown: {
    approved: UNKN,
    postponed: UNKN,
    declined: UNKN,
    accepted: PROC,
    needsApproval: AWAIT,
    acceptedFailed: FAIL,
    refused: FAIL,
    unreachable: FAIL,
    replyFailed: FAIL,
    replyOther: PROC,
    replySilent: PROC,
    uncertain: UNKN,
    payoutNew: PROC,
    payoutOther: PROC,
    payoutAwaits: AWAIT,
    payoutDone: SUCC,
    payoutFailed: FAIL,
    absent: FAIL,
  },
  linked: {
    approved: PROC,
    postponed: PROC,
    declined: PROC,
    accepted: PROC,
    needsApproval: AWAIT,
    acceptedFailed: PROC,
    refused: PROC,
    unreachable: PROC,
    replyFailed: PROC,
    replyOther: PROC,
    replySilent: PROC,
    uncertain: PROC,
    payoutNew: PROC,
    payoutOther: PROC,
    payoutAwaits: AWAIT,
    payoutDone: SUCC,
    payoutFailed: FAIL,
    absent: PROC,
  },
  named: {
    approved: PROC,
    postponed: PROC,
    declined: PROC,
    accepted: PROC,
    needsApproval: AWAIT,
    acceptedFailed: PROC,
    refused: PROC,
    unreachable: PROC,
    replyFailed: PROC,
    replyOther: PROC,
    replySilent: PROC,
    uncertain: PROC,
    payoutNew: PROC,
    payoutOther: PROC,
    payoutAwaits: AWAIT,
    payoutDone: SUCC,
    payoutFailed: FAIL,
    absent: FAIL,
  },
  refused: {
    approved: FAIL,
    postponed: FAIL,
    declined: FAIL,
    accepted: PROC,
    needsApproval: AWAIT,
    acceptedFailed: FAIL,
    refused: FAIL,
    unreachable: FAIL,
    replyFailed: FAIL,
    replyOther: PROC,
    replySilent: PROC,
    uncertain: FAIL,
    payoutNew: PROC,
    payoutOther: PROC,
    payoutAwaits: AWAIT,
    payoutDone: SUCC,
    payoutFailed: FAIL,
    absent: FAIL,
  },
  absent: {
    approved: FAIL,
    postponed: FAIL,
    declined: FAIL,
    accepted: PROC,
    needsApproval: AWAIT,
    acceptedFailed: FAIL,
    refused: FAIL,
    unreachable: FAIL,
    replyFailed: FAIL,
    replyOther: PROC,
    replySilent: PROC,
    uncertain: FAIL,
    payoutNew: PROC,
    payoutOther: PROC,
    payoutAwaits: AWAIT,
    payoutDone: SUCC,
    payoutFailed: FAIL,
    absent: FAIL,
  },
  errorReply: {
    approved: FAIL,
    postponed: FAIL,
    declined: FAIL,
    accepted: FAIL,
    needsApproval: FAIL,
    acceptedFailed: FAIL,
    refused: FAIL,
    unreachable: FAIL,
    replyFailed: FAIL,
    replyOther: FAIL,
    replySilent: FAIL,
    uncertain: FAIL,
    payoutNew: PROC,
    payoutOther: PROC,
    payoutAwaits: AWAIT,
    payoutDone: SUCC,
    payoutFailed: FAIL,
    absent: FAIL,
  },
  recordFailed: {
    approved: FAIL,
    postponed: FAIL,
    declined: FAIL,
    accepted: FAIL,
    needsApproval: FAIL,
    acceptedFailed: FAIL,
    refused: FAIL,
    unreachable: FAIL,
    replyFailed: FAIL,
    replyOther: FAIL,
    replySilent: FAIL,
    uncertain: FAIL,
    payoutNew: FAIL,
    payoutOther: FAIL,
    payoutAwaits: FAIL,
    payoutDone: SUCC,
    payoutFailed: FAIL,
    absent: FAIL,
  },
  declined: {
    approved: FAIL,
    postponed: FAIL,
    declined: FAIL,
    accepted: PROC,
    needsApproval: AWAIT,
    acceptedFailed: FAIL,
    refused: FAIL,
    unreachable: FAIL,
    replyFailed: FAIL,
    replyOther: PROC,
    replySilent: PROC,
    uncertain: FAIL,
    payoutNew: PROC,
    payoutOther: PROC,
    payoutAwaits: AWAIT,
    payoutDone: SUCC,
    payoutFailed: FAIL,
    absent: FAIL,
  },
  succeeded: {
    approved: SUCC,
    postponed: SUCC,
    declined: SUCC,
    accepted: SUCC,
    needsApproval: SUCC,
    acceptedFailed: SUCC,
    refused: SUCC,
    unreachable: SUCC,
    replyFailed: SUCC,
    replyOther: SUCC,
    replySilent: SUCC,
    uncertain: SUCC,
    payoutNew: SUCC,
    payoutOther: SUCC,
    payoutAwaits: SUCC,
    payoutDone: SUCC,
    payoutFailed: SUCC,
    absent: SUCC,
  },
}

const pairs = Object.entries(TABLE).flatMap(([state, outcomes]) =>
  Object.entries(outcomes).map(([evidence, status]) => ({ state, evidence, status })),
)

test.each(pairs)('$state and $evidence: $status', ({ state, evidence, status }) => {
  const outcome = settle(STATES[state as keyof typeof STATES], EVIDENCE[evidence as keyof typeof EVIDENCE])
  expect(outcome.status).toBe(status)
  expect(outcome.failure === null).toBe(status !== 'failed')
})

test('an approval counts as given once the record no longer waits for it', () => {
  const waiting = { ...STATES.awaiting, transaction_uuid: UUID, record_status: 'awaiting_approval' as const }
  expect(settle(waiting, EVIDENCE.payoutNew).status).toBe('processing')
})

test('a reply that asks for approval still counts after the list, unless the list has said so before', () => {
  const waited = { ...STATES.linked, requires_approval: 1, record_status: 'processing' } as const
  expect(settle(waited, EVIDENCE.needsApproval).status).toBe('processing')
})

test('a payout goes to the surely accepted withdrawal first, then to the oldest', () => {
  const uncertain = row({ id: 'a', status: 'unknown', step: 'ended', created_ms: 1 })
  const older = row({ id: 'b', step: 'ended', created_ms: 2 })
  const newer = row({ id: 'c', step: 'ended', created_ms: 3 })
  expect(matchPayout([uncertain, newer, older], PAYOUT)?.id).toBe('b')
  expect(
    matchPayout([uncertain, { ...older, transaction_uuid: 'x' }, { ...newer, transaction_uuid: 'y' }], PAYOUT)?.id,
  ).toBe('a')
})

test('a payout goes to an open withdrawal before a failed one, and never to one that was not sent', () => {
  const absent = row({ ...STATES.absent, id: 'absent', created_ms: 1 })
  const open = row({ id: 'open', status: 'unknown', step: 'ended', created_ms: 9 })
  expect(matchPayout([absent, open], PAYOUT)?.id).toBe('open')
  expect(matchPayout([absent], PAYOUT)?.id).toBe('absent')
  expect(matchPayout([STATES.declined, STATES.pending, STATES.succeeded], PAYOUT)).toBeNull()
})

test('a record from over five minutes before the call belongs to another withdrawal', () => {
  const sent = row({ step: 'ended', called_ms: 1_000_000 })
  expect(matchPayout([sent], AT(1_000_000 - 300_000))).toBe(sent)
  expect(matchPayout([sent], AT(1_000_000 - 300_001))).toBeNull()
})

test('an event belongs to another withdrawal if the list had its payout over five minutes before the call', () => {
  const sent = row({ step: 'ended', called_ms: 1_000_000, clock_offset_ms: 60_000 })
  expect(matchPayout([sent], { ...PAYOUT, listedMs: 1_000_000 - 300_000 })).toBe(sent)
  expect(matchPayout([sent], { ...PAYOUT, listedMs: 1_000_000 - 300_001 })).toBeNull()
})

test("the time of a call is measured by the gateway's clock", () => {
  const sent = row({ step: 'ended', called_ms: 1_000_000 })
  expect(matchPayout([sent], { ...AT(640_000), clockOffset: -360_000 })).toBe(sent)
  const known = { ...sent, clock_offset_ms: 0 }
  expect(matchPayout([known], { ...AT(640_000), clockOffset: -360_000 })).toBeNull()
})

test('of two withdrawals that match, the payout goes to the one whose reply had its amount', () => {
  const asked = row({ id: 'asked', step: 'ended', created_ms: 1, reply_amount_key: decimal('9') })
  const replied = row({ id: 'replied', step: 'ended', created_ms: 2, reply_amount_key: decimal('10') })
  expect(matchPayout([asked, replied], PAYOUT)?.id).toBe('replied')
})

test('a refused withdrawal takes a payout for seven days after its refusal, an absent one at any time', () => {
  const WEEK = 7 * 86_400_000
  const refused = row({ ...STATES.refused, call_ended_ms: 1000 })
  expect(matchPayout([refused], { ...PAYOUT, nowMs: 1000 + WEEK })).toBe(refused)
  expect(matchPayout([refused], { ...PAYOUT, nowMs: 1001 + WEEK })).toBeNull()
  expect(matchPayout([STATES.absent], { ...PAYOUT, nowMs: 100 * WEEK })).toBe(STATES.absent)
  // A connection that could not be opened counts as a refusal.
  const unreachable = { ...refused, failure: 'unreachable' } as const
  expect(matchPayout([unreachable], { ...PAYOUT, nowMs: 1000 + WEEK })).toBe(unreachable)
  expect(matchPayout([unreachable], { ...PAYOUT, nowMs: 1001 + WEEK })).toBeNull()
})

describe('a withdrawal that failed by its own record', () => {
  const WEEK = 7 * 86_400_000
  const failures = [STATES.recordFailed, STATES.errorReply]

  test.each(failures)('takes a succeeded payout of another uuid within seven days of its failure: $failure', (own) => {
    expect(matchPayout([own], PAYOUT)).toBe(own)
    expect(matchPayout([own], { ...PAYOUT, succeeded: false })).toBeNull()
    expect(matchPayout([own], { ...PAYOUT, nowMs: own.updated_ms + WEEK })).toBe(own)
    expect(matchPayout([own], { ...PAYOUT, nowMs: own.updated_ms + WEEK + 1 })).toBeNull()
    expect(matchPayout([own], AT(own.created_ms - 300_001))).toBeNull()
  })

  test('comes after every other withdrawal with the same details', () => {
    const own = { ...STATES.recordFailed, created_ms: 0 }
    for (const other of [STATES.accepted, STATES.unknown, STATES.absent, STATES.refused])
      expect(matchPayout([own, other], PAYOUT)).toBe(other)
    expect(matchPayout([own, STATES.succeeded, STATES.declined, STATES.pending], PAYOUT)).toBe(own)
    expect(matchPayout([STATES.recordFailed, own], PAYOUT)).toBe(own)
  })

  test('takes none while another open withdrawal may have the payout, even if that one has another payout', () => {
    const waiting = row({ id: 'other', step: 'ended', transaction_uuid: 'named', called_ms: 1_000_000 })
    expect(matchPayout([STATES.recordFailed, waiting], AT(1_000_000))).toBeNull()
    expect(matchPayout([STATES.recordFailed, waiting], AT(1_000))).toBe(STATES.recordFailed)
  })
})
