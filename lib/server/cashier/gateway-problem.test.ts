import { expect, test } from 'vitest'
import { ValidationError } from '../gateway/errors.ts'
import { gatewayProblem } from './gateway-problem.ts'

test.each([
  ['transaction_types', 'transaction_types', 'The payment gateway does not accept this value; known: Deposit, Payout.'],
  [
    'transaction_types.0',
    'transaction_types.0',
    'The payment gateway does not accept this value; known: Deposit, Payout.',
  ],
  ['after', 'after', 'The payment gateway does not accept this value; give a cursor from an earlier answer.'],
  ['before', 'before', 'The payment gateway does not accept this value; give a cursor from an earlier answer.'],
  ['amount', 'amount', 'The payment gateway does not accept this value.'],
  ['custom_wallet_address', 'wallet_address', 'The payment gateway does not accept this value.'],
])('a problem names a refused %s, and the accepted values where they are known', (field, ours, message) => {
  const refused = new ValidationError('refused', { [field]: ['<b>raw</b>'] }, { operation: 'list' })
  expect(gatewayProblem(refused)).toMatchObject({ code: 'invalid_request', extras: { errors: { [ours]: [message] } } })
})
