import { expect, test } from 'vitest'
import { WITHDRAWAL_STATUSES } from '#lib/contract/cashier.ts'
import { decimal } from '#lib/contract/money.ts'
import { sampleWithdrawal } from '../store/testing/sample-rows.ts'
import { merchantWithdrawalView } from './withdrawal-view.ts'

test.each(WITHDRAWAL_STATUSES)('the paid amount of a withdrawal that is %s', (status) => {
  const row = sampleWithdrawal({ status, paid_amount: decimal('1.4') })
  expect(merchantWithdrawalView(row, [], 0).paid_amount).toBe(status === 'succeeded' ? '1.4' : null)
})

test.each([
  [null, null],
  [
    { outcome: 'not_sent', resolved_at: '2026-01-01T00:00:00.000Z' },
    {
      outcome: 'not_sent',
      transaction_uuid: null,
      note: null,
      resolved_at: '2026-01-01T00:00:00.000Z',
      settled_by: 'merchant',
    },
  ],
  [
    {
      outcome: 'sent',
      transaction_uuid: 't',
      note: 'Less a fee.',
      resolved_at: '2026-01-01T00:00:00.000Z',
      settled_by: 'operator:Ada',
    },
    {
      outcome: 'sent',
      transaction_uuid: 't',
      note: 'Less a fee.',
      resolved_at: '2026-01-01T00:00:00.000Z',
      settled_by: 'operator:Ada',
    },
  ],
])('how a person settled a withdrawal: %j', (stored, shown) => {
  const row = sampleWithdrawal({ resolution: stored === null ? null : JSON.stringify(stored) })
  expect(merchantWithdrawalView(row, [], 0).resolution).toEqual(shown)
})
