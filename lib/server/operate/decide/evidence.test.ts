import { expect, test } from 'vitest'
import { decimal } from '#lib/contract/money.ts'
import { samplePayout, sampleWithdrawal } from '../../store/testing/sample-rows.ts'
import { evidenceAbout, type Known } from './evidence.ts'

const NOW = Date.UTC(2026, 10, 21, 12)
const HOUR = 3_600_000
const UUID = '9b2f0f0e-6d0b-4e2c-8c6f-0a1b2c3d4e5f'

const lost = sampleWithdrawal({
  amount: decimal('100'),
  status: 'unknown',
  created_ms: NOW,
  called_ms: NOW,
  call_ended_ms: NOW,
  next_check_ms: NOW,
})
const UNREAD = { whole_ms: null, unreadable_ms: null, incomplete_ms: null, incomplete_reads: 0 }
const known = (more: Partial<Known> = {}): Known => ({
  withdrawal: lost,
  open: [],
  taken: [],
  unread: [],
  told: [],
  list: UNREAD,
  disputed_ms: null,
  restored_ms: null,
  clockOffset: 0,
  absenceMs: HOUR,
  nowMs: NOW + 2 * HOUR,
  ...more,
})
const said = (more: Partial<Known> = {}) =>
  evidenceAbout(known(more)).map(({ code, speaks_for }) => `${code}: ${speaks_for}`)

test('a lost call of which nothing is known says nothing for either', () => {
  expect(said()).toEqual(['no_reply: neither', 'no_open_payout: not_sent', 'list_not_read_since: neither'])
})

test('the reply to our call speaks for sent', () => {
  const accepted = sampleWithdrawal({ ...lost, status: 'processing', reply_amount: decimal('99.5'), overdue_ms: NOW })
  expect(evidenceAbout(known({ withdrawal: accepted }))[0]).toMatchObject({
    code: 'reply_accepted',
    speaks_for: 'sent',
    amount: '99.5',
    at: '2026-11-21T12:00:00.000Z',
  })
  const named = sampleWithdrawal({ ...accepted, reply_amount: null, reply_transaction_uuid: UUID })
  expect(evidenceAbout(known({ withdrawal: named }))[0]).toMatchObject({ code: 'reply_named', transaction_uuid: UUID })
  const calling = sampleWithdrawal({ step: 'calling', status: 'processing', called_ms: NOW, overdue_ms: NOW })
  expect(said({ withdrawal: calling })).toContain('call_under_way: neither')
})

test('what webhooks and the list said of its transaction comes in the order of its telling', () => {
  const told = [
    { source: 'reconciliation', status: 'failed', recorded_ms: NOW + 3 },
    { source: 'webhook', status: 'processing', recorded_ms: NOW + 1 },
    { source: 'webhook', status: 'succeeded', recorded_ms: NOW + 2 },
  ] as const
  expect(said({ told }).slice(1, 4)).toEqual([
    'webhook_open: sent',
    'webhook_succeeded: sent',
    'record_failed: not_sent',
  ])
})

test('a payout without an owner speaks for sent, whether or not it fits; one that failed speaks for nothing', () => {
  const fits = samplePayout({ transaction_uuid: 'p1', amount: decimal('100'), inserted_ms: NOW })
  const less = { ...fits, transaction_uuid: 'p2', amount: decimal('99.5') }
  const failed = { ...fits, transaction_uuid: 'p3', status: 'failed', to_address: 'TOther' } as const
  const found = evidenceAbout(known({ open: [failed, less, fits] })).filter(({ compared }) => compared.length > 0)
  expect(found.map(({ code, speaks_for, transaction_uuid }) => [code, speaks_for, transaction_uuid])).toEqual([
    ['open_payout_fits', 'sent', 'p1'],
    ['open_payout_differs', 'neither', 'p3'],
    ['open_payout_differs', 'sent', 'p2'],
  ])
  expect(found[2]?.compared).toContainEqual(expect.objectContaining({ field: 'amount', amount_over: '-0.5' }))
})

test('a payout that another user has speaks for neither, nor does a list without the withdrawal then', () => {
  const list = { ...UNREAD, whole_ms: NOW + HOUR }
  expect(said({ taken: [UUID], list })).toEqual([
    'no_reply: neither',
    'payout_of_another: neither',
    'list_read_without: neither',
  ])
  expect(evidenceAbout(known({ taken: [UUID] }))[1]).toMatchObject({ transaction_uuid: UUID })
})

test('an event that may tell of its payout speaks for neither, nor does a list without the withdrawal then', () => {
  const list = { ...UNREAD, whole_ms: NOW + HOUR }
  const unread = [{ transaction_uuid: UUID, received_ms: NOW }]
  expect(said({ unread, list })).toEqual([
    'no_reply: neither',
    'no_open_payout: not_sent',
    'event_unapplied: neither',
    'list_read_without: neither',
  ])
  expect(evidenceAbout(known({ unread }))[2]).toMatchObject({ transaction_uuid: UUID, at: '2026-11-21T12:00:00.000Z' })
})

test.each([
  ['read whole before the call', { whole_ms: NOW - 1 }, 'list_not_read_since: neither'],
  ['read whole before its absence counts', { whole_ms: NOW + 1 }, 'list_read_without: neither'],
  ['read whole since', { whole_ms: NOW + HOUR }, 'list_read_without: not_sent'],
  ['with an unreadable part', { unreadable_ms: NOW }, 'list_unreadable: neither'],
  ['never read to its end', { incomplete_ms: NOW, incomplete_reads: 4 }, 'list_unreadable: neither'],
])('a list that was %s', (_what, list, expected) => {
  expect(said({ list: { ...UNREAD, ...list } })).toContain(expected)
})

test('scans that prove its absence are counted', () => {
  const absent = sampleWithdrawal({ ...lost, absent_scans: 1 })
  const list = { ...UNREAD, whole_ms: NOW + HOUR }
  expect(evidenceAbout(known({ withdrawal: absent, list }))).toContainEqual(
    expect.objectContaining({ code: 'absent_scans', speaks_for: 'not_sent', count: 1 }),
  )
})

test('before its absence counts, the time is told at which it will', () => {
  expect(evidenceAbout(known({ nowMs: NOW + 1 }))).toContainEqual(
    expect.objectContaining({ code: 'absence_not_due', speaks_for: 'neither', at: '2026-11-21T13:00:00.000Z' }),
  )
})

test('doubts about what is stored are told', () => {
  expect(said({ disputed_ms: NOW, restored_ms: NOW + 1 })).toEqual(
    expect.arrayContaining(['disputed: neither', 'restored_since: neither']),
  )
  expect(said({ restored_ms: NOW - 1 })).not.toContain('restored_since: neither')
})
