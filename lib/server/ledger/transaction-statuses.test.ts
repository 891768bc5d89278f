import { expect, test } from 'vitest'
import { isStatusOf, rankOf, TRANSACTION_KINDS } from './transaction-statuses.ts'

test.each(TRANSACTION_KINDS)('a %s has ranks for its own statuses, and no inherited property counts', (kind) => {
  expect(rankOf(kind, 'succeeded')).not.toBeNull()
  expect(isStatusOf(kind, 'succeeded')).toBe(true)
  for (const name of ['constructor', 'toString', '']) {
    expect(rankOf(kind, name)).toBeNull()
    expect(isStatusOf(kind, name)).toBe(false)
  }
})

test('a status of another kind has no rank', () => {
  expect(isStatusOf('onramp', 'awaiting_approval')).toBe(false)
  expect(isStatusOf('deposit', 'awaiting_approval')).toBe(false)
  expect(isStatusOf('payout', 'pending')).toBe(false)
})
