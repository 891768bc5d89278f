import { expect, test } from 'vitest'
import { KINDS, payoutState, rankOf, recordState, WEBHOOK_EVENTS } from './states.ts'

test.each([
  ['TXN_NEW', 'processing'],
  ['TXN_PROVIDER_SUCCEEDED', 'succeeded'],
  ['TXN_PROVIDER_FAILED', 'failed'],
  ['rejected', 'failed'],
  ['Declined', 'failed'],
  ['TXN_CANCELLED', 'failed'],
  ['txn_expired', 'failed'],
  ['txn_new', 'other'],
  ['TXN_PENDING', 'other'],
  ['', 'other'],
])('the list’s %s is %s', (status, state) => {
  expect(recordState(status)).toBe(state)
})

test('a payout that waits for an approval is told apart from other words', () => {
  expect(payoutState('TXN_AWAITING_APPROVAL')).toBe('awaiting_approval')
  expect(payoutState('TXN_APPROVED')).toBe('other')
})

test('every status that a webhook may tell has a rank, and none that an object brings along', () => {
  for (const { kind, statuses } of Object.values(WEBHOOK_EVENTS))
    for (const status of statuses) expect(rankOf(kind, status)).not.toBeNull()
  for (const kind of KINDS) expect(rankOf(kind, 'constructor')).toBeNull()
})
