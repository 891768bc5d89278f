import { expect, test } from 'vitest'
import { createStatusReader } from './status-words.ts'
import { STATUSES } from './testing/sample-record.ts'

test.each([
  ['TXN_NEW', 'processing'],
  ['TXN_PROVIDER_SUCCEEDED', 'succeeded'],
  ['TXN_PROVIDER_FAILED', 'failed'],
  ['rejected', 'failed'],
  ['Declined', 'failed'],
  ['TXN_CANCELLED', 'failed'],
  ['txn_expired', 'failed'],
  ['payment failure', 'failed'],
  ['txn-canceled', 'failed'],
  ['txn_new', 'other'],
  ['TXN_PENDING', 'other'],
  ['', 'other'],
  ['constructor', 'other'],
  // They only contain a failing word.
  ['TXN_FAILOVER_PROVIDER', 'other'],
  ['CANCEL_REQUESTED', 'other'],
  ['TXN_EXPIRING', 'other'],
  ['UNREJECTED', 'other'],
  ['TXN_COMPLETED', 'other'],
])('the status %s is %s', (status, expected) => {
  expect(STATUSES.record(status)).toBe(expected)
  expect(STATUSES.payout(status)).toBe(expected)
})

test.each([
  ['TXN_AWAITING_APPROVAL', 'awaiting_approval'],
  ['pending-manual approval', 'awaiting_approval'],
  ['REQUIRES_APPROVAL', 'awaiting_approval'],
  ['AwaitingApproval', 'awaiting_approval'],
  ['TXN_APPROVED', 'other'],
  ['APPROVAL_NOT_REQUIRED', 'other'],
  ['DEPENDING_APPROVALS', 'other'],
  ['PENDING_APPROVAL_EXPIRED', 'failed'],
])('a payout with the status %s is %s', (status, expected) => {
  expect(STATUSES.payout(status)).toBe(expected)
})

test('what the installation has learned comes first: whole statuses, in any case', () => {
  const statuses = createStatusReader(
    new Map([
      ['TXN_COMPLETED', 'succeeded'],
      ['TXN_FAILED', 'processing'],
      ['REFUNDED', 'failed'],
    ]),
  )
  expect(['TXN_COMPLETED', 'txn_completed', 'TXN_FAILED', 'Refunded'].map(statuses.record)).toEqual([
    'succeeded',
    'succeeded',
    'processing',
    'failed',
  ])
  expect(['TXN_COMPLETED_LATER', 'COMPLETED', 'TXN_REFUNDED'].map(statuses.record)).toEqual(['other', 'other', 'other'])
  expect(statuses.record('TXN_PROVIDER_FAILED')).toBe('failed')
  expect([statuses.isLearned('txn_completed'), statuses.isLearned('TXN_NEW')]).toEqual([true, false])
})
