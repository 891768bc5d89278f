import { describe, expect, test } from 'vitest'
import { decimal } from '#lib/contract/money.ts'
import { sampleWithdrawal } from '../../store/testing/sample-rows.ts'
import type { WithdrawalColumns, WithdrawalRow } from '../rows.ts'
import { matchPayout as match, type PayoutDetails } from './match-payout.ts'

const UUID = '9b2f0f0e-6d0b-4e2c-8c6f-0a1b2c3d4e5f'

interface Case extends PayoutDetails {
  readonly nowMs: number
  readonly offset: number | null
}

const PAYOUT: Case = {
  transaction_uuid: 'p',
  user_reference_id: 'u',
  currency_id: 'c1',
  currency_code: 'USDT',
  network: 'Tron',
  amount: decimal('10'),
  inexact: 0,
  to_address: 'TAddress',
  status: 'succeeded',
  inserted_ms: null,
  inserted_at: null,
  first_seen_ms: 2000,
  nowMs: 2000,
  offset: null,
}
const AT = (inserted_ms: number): Case => ({ ...PAYOUT, inserted_ms })

const matchPayout = (rows: readonly WithdrawalRow[], { nowMs, offset, ...payout }: Case): WithdrawalRow | null =>
  match(rows, payout, { nowMs, offset })

const row = (change: Partial<WithdrawalColumns> = {}): WithdrawalRow =>
  sampleWithdrawal({
    amount: decimal('10'),
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

test('a payout goes to the surely accepted withdrawal first, then to the oldest', () => {
  const uncertain = row({ id: 'a', status: 'unknown', step: 'ended', created_ms: 1 })
  const older = row({ id: 'b', step: 'ended', created_ms: 2 })
  const newer = row({ id: 'c', step: 'ended', created_ms: 3 })
  expect(matchPayout([uncertain, newer, older], PAYOUT)?.id).toBe('b')
  expect(
    matchPayout([uncertain, row({ ...older, transaction_uuid: 'x' }), row({ ...newer, transaction_uuid: 'y' })], PAYOUT)
      ?.id,
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

test('a payout that an event named over five minutes before the call belongs to another withdrawal', () => {
  const sent = row({ step: 'ended', called_ms: 1_000_000 })
  expect(matchPayout([sent], { ...PAYOUT, first_seen_ms: 1_000_000 - 300_000 })).toBe(sent)
  expect(matchPayout([sent], { ...PAYOUT, first_seen_ms: 1_000_000 - 300_001 })).toBeNull()
})

test('a payout that failed goes to a withdrawal that was called before it', () => {
  const failed = (ms: number): Case => ({ ...AT(ms), status: 'failed' })
  const refused = row({ ...STATES.refused, id: 'first', called_ms: 1_000_000, call_ended_ms: 1_000_000 })
  const again = row({ id: 'again', step: 'ended', called_ms: 1_001_000, created_ms: 9 })
  const now = { nowMs: 1_002_000 }
  expect(matchPayout([again, refused], { ...failed(1_000_500), ...now })).toBe(refused)
  expect(matchPayout([again, refused], { ...failed(1_001_000), ...now })).toBe(again)
  expect(matchPayout([again], { ...failed(1_001_000 - 2000), ...now })).toBe(again)
  expect(matchPayout([again], { ...failed(1_001_000 - 2001), ...now })).toBeNull()
  expect(matchPayout([again], { ...AT(1_001_000 - 2001), ...now })).toBe(again)
})

test("the time of a call is measured by the gateway's clock", () => {
  const sent = row({ step: 'ended', called_ms: 1_000_000 })
  expect(matchPayout([sent], { ...AT(640_000), offset: -360_000 })).toBe(sent)
  const known = row({ ...sent, clock_offset_ms: 0 })
  expect(matchPayout([known], { ...AT(640_000), offset: -360_000 })).toBeNull()
})

test('of two withdrawals that match, the payout goes to the one whose reply had its amount', () => {
  const asked = row({ id: 'asked', step: 'ended', created_ms: 1, reply_amount: decimal('9') })
  const replied = row({ id: 'replied', step: 'ended', created_ms: 2, reply_amount: decimal('10') })
  expect(matchPayout([asked, replied], PAYOUT)?.id).toBe('replied')
})

test('of two whose replies had its amount, the payout goes to the one in whose call it was made', () => {
  const replied = { step: 'ended', reply_amount: decimal('10') } as const
  const older = row({ ...replied, id: 'older', created_ms: 1, called_ms: 100_000, call_ended_ms: 101_000 })
  const newer = row({ ...replied, id: 'newer', created_ms: 9, called_ms: 170_000, call_ended_ms: 171_000 })
  expect(matchPayout([older, newer], AT(100_500))?.id).toBe('older')
  expect(matchPayout([older, newer], AT(168_000))?.id).toBe('newer')
  expect(matchPayout([older, newer], AT(173_000))?.id).toBe('newer')
  // By the gateway's clock.
  expect(matchPayout([older, newer], { ...AT(200_500), offset: 30_000 })?.id).toBe('newer')
  // Made in neither call, or at an unknown time: the oldest.
  for (const made of [AT(167_999), AT(173_001), PAYOUT])
    expect(matchPayout([older, newer], { ...made, first_seen_ms: 180_000 })?.id).toBe('older')
})

test('of two that nothing else tells apart, the payout goes to the one that asked for its amount', () => {
  const replied = { step: 'ended', reply_amount: decimal('10') } as const
  const net = row({ ...replied, id: 'net', created_ms: 1, amount: decimal('11') })
  const asked = row({ ...replied, id: 'asked', created_ms: 9 })
  expect(matchPayout([net, asked], PAYOUT)?.id).toBe('asked')
  // Made in its call.
  const called = row({ ...net, called_ms: 100_000, call_ended_ms: 101_000 })
  const later = row({ ...asked, called_ms: 170_000, call_ended_ms: 171_000 })
  expect(matchPayout([called, later], AT(100_500))?.id).toBe('net')
})

test('a refused withdrawal takes a payout for seven days after its refusal, an absent one at any time', () => {
  const WEEK = 7 * 86_400_000
  const refused = row({ ...STATES.refused, call_ended_ms: 1000 })
  expect(matchPayout([refused], { ...PAYOUT, nowMs: 1000 + WEEK })).toBe(refused)
  expect(matchPayout([refused], { ...PAYOUT, nowMs: 1001 + WEEK })).toBeNull()
  expect(matchPayout([STATES.absent], { ...PAYOUT, nowMs: 100 * WEEK })).toBe(STATES.absent)
  // A connection that could not be opened counts as a refusal.
  const unreachable = row({ ...refused, failure: 'unreachable' })
  expect(matchPayout([unreachable], { ...PAYOUT, nowMs: 1000 + WEEK })).toBe(unreachable)
  expect(matchPayout([unreachable], { ...PAYOUT, nowMs: 1001 + WEEK })).toBeNull()
})

describe('a withdrawal that failed by its own record', () => {
  const WEEK = 7 * 86_400_000
  const failures = [STATES.recordFailed, STATES.errorReply]

  test.each(failures)('takes a succeeded payout of another uuid within seven days of its failure: $failure', (own) => {
    expect(matchPayout([own], PAYOUT)).toBe(own)
    expect(matchPayout([own], { ...PAYOUT, status: 'failed' })).toBeNull()
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

  test('takes none while another open withdrawal may have the payout less a fee', () => {
    const own = row({ ...STATES.recordFailed, id: 'own', amount: decimal('10.5'), reply_amount: decimal('10') })
    const waiting = row({ id: 'other', step: 'ended', amount: decimal('10.5'), reply_amount: decimal('10.5') })
    expect(matchPayout([own, waiting], PAYOUT)).toBeNull()
    expect(matchPayout([own, row({ ...waiting, called_ms: 1_000_000 })], AT(1_000))).toBe(own)
    const elsewhere = row({ ...waiting, wallet_address: 'TOther' })
    const other = row({ ...waiting, currency_id: 'c2', currency_code: 'BTC' })
    for (const one of [elsewhere, other]) expect(matchPayout([own, one], PAYOUT)).toBe(own)
  })
})
