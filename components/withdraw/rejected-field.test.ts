import { expect, test } from 'vitest'
import { RequestFailure } from '#lib/browser/request-failure.ts'
import type { Withdrawal } from '#lib/contract/cashier.ts'
import { refusedFieldOf, rejectedFieldOf } from './rejected-field.ts'

const withdrawal = (status: Withdrawal['status'], failure_reason: string | null): Withdrawal => ({
  id: 'w1',
  status,
  amount: '1',
  currency: 'USDT',
  network: 'Tron',
  wallet_address: 'T1',
  requires_approval: false,
  transaction_uuid: null,
  failure_reason,
  user_message: null,
  review: [],
  wait_until: null,
  awaits_decision: false,
})

test.each([
  ['failed', 'refused_amount', 'amount'],
  ['failed', 'refused_wallet_address', 'address'],
  ['failed', 'refused', null],
  ['failed', 'declined', null],
  ['processing', null, null],
] as const)('a withdrawal that is %s for %s is shown at the field %s', (status, reason, field) => {
  expect(refusedFieldOf(withdrawal(status, reason))).toBe(field)
})

test.each([
  ['insufficient_balance', undefined, 'insufficient'],
  ['invalid_request', { amount: ['no'] }, 'amount'],
  ['invalid_request', { amount: ['no'], wallet_address: ['no'] }, 'address'],
  ['invalid_request', { currency_id: ['no'] }, null],
  ['declined', { amount: ['no'] }, null],
] as const)('%s with %j is shown at the field %s', (code, errors, field) => {
  const failure = new RequestFailure(code, { requestId: null, ...(errors && { errors }) })
  expect(rejectedFieldOf(failure)).toBe(field)
})
