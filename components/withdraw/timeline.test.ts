import { expect, test } from 'vitest'
import { cashierStatusOf, STATUS_DISPLAY } from '#lib/browser/status-display.ts'
import { WITHDRAWAL_STATUSES } from '#lib/contract/cashier.ts'
import english from '#lib/i18n/messages/en.json' with { type: 'json' }
import { failureReasonMessage, knownByMs, screenOf, STATUS_SCREENS } from './timeline.ts'

test.each([
  ['pending_authorization', ['done', 'now', 'todo', 'todo']],
  ['awaiting_approval', ['done', 'now', 'todo', 'todo']],
  ['processing', ['done', 'now', 'todo']],
  ['unknown', ['done', 'now', 'todo', 'todo']],
  ['succeeded', ['done', 'done', 'done']],
  ['failed', ['done', 'failed']],
] as const)('the steps of %s are %j', (status, states) => {
  expect(STATUS_SCREENS[status].steps.map(({ state }) => state)).toEqual(states)
})

test.each(WITHDRAWAL_STATUSES)(
  '%s: there is a current step only while the status is open, and each step has its own name',
  (status) => {
    const { steps } = STATUS_SCREENS[status]
    const { settled } = STATUS_DISPLAY.payout[cashierStatusOf(status)]
    expect(steps.filter(({ state }) => state === 'now')).toHaveLength(settled ? 0 : 1)
    expect(new Set(steps.map(({ label }) => label)).size).toBe(steps.length)
  },
)

test.each([
  ['the merchant has postponed it', {}, 'withdraw.state.pendingAuthorization', 'withdraw.step.approval'],
  ['a person checks it', { review: ['review_above'] }, 'withdraw.state.held', 'withdraw.step.approval'],
  [
    'it waits for a time alone',
    { review: ['wait_for_new_address'], awaits_decision: false },
    'withdraw.state.held',
    'status.waiting',
  ],
  [
    'the user cancelled it',
    { status: 'failed', failure_reason: 'cancelled', awaits_decision: false },
    'withdraw.state.failed',
    'status.cancelled',
  ],
  [
    'it failed',
    { status: 'failed', failure_reason: 'refused', awaits_decision: false },
    'withdraw.state.failed',
    'withdraw.step.failed',
  ],
] as const)('if %s', (_name, more, body, second) => {
  const pending = { status: 'pending_authorization', failure_reason: null, review: [], awaits_decision: true } as const
  const screen = screenOf({ ...pending, ...more, review: [...('review' in more ? more.review : [])] })
  expect([screen.body, screen.steps[1]?.label]).toEqual([body, second])
})

test.each([
  ['declined', 'withdraw.reason.declined'],
  ['cancelled', 'withdraw.reason.cancelled'],
  ['refused', 'withdraw.reason.refused'],
  ['refused_amount', 'withdraw.reason.amount'],
  ['refused_wallet_address', 'withdraw.reason.address'],
  ['not_sent', 'withdraw.reason.notSent'],
  ['gateway_failed', 'withdraw.reason.failed'],
  ['a code of a newer server', 'withdraw.reason.service'],
  ['constructor', 'withdraw.reason.service'],
  [null, 'withdraw.reason.service'],
])('failure_reason %s has the message %s', (failure_reason, key) => {
  expect(failureReasonMessage({ failure_reason })).toBe(key)
  expect(english).toHaveProperty([key])
})

test('an unknown outcome is known when its absence counts and two reads have proved it', () => {
  const at = new Date(knownByMs('2026-01-01T00:00:00Z', 3600)).toISOString()
  expect(at).toBe('2026-01-01T01:01:00.000Z')
})
