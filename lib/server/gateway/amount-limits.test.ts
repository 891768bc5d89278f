import { expect, test } from 'vitest'
import { amountLimits } from './amount-limits.ts'
import { RejectedError, ValidationError } from './errors.ts'

const refused = (...amount: string[]) =>
  amountLimits(new ValidationError('refused', { amount }, { operation: 'withdraw' }), 'BTC')

test.each([
  ['must be at least 10', { min: '10' }],
  ['Minimum withdrawal amount is 0.00050 BTC.', { min: '0.0005' }],
  ['is below the minimum of 25', { min: '25' }],
  ['must be greater than or equal to 5', { min: '5' }],
  ['The amount may not be less than 5.', { min: '5' }],
  ['cannot be less than 10', { min: '10' }],
  ['must be no less than 10', { min: '10' }],
  ['must not be below 10', { min: '10' }],
  ['must not exceed 5000', { max: '5000' }],
  ['cannot be above 5000', { max: '5000' }],
  ['must be at most 5000', { max: '5000' }],
  ['exceeds maximum 1200.50', { max: '1200.5' }],
  ['must be no more than 7', { max: '7' }],
  ['Minimum: 5 btc', { min: '5' }],
  ['The maximum amount allowed for a withdrawal is 100 BTC', { max: '100' }],
  // Not certain, so not told.
  ['is below the minimum', {}],
  ['must be greater than 10', {}],
  ['must be above 10', {}],
  ['must be between minimum 10 and maximum 20', {}],
  ['at least 1,000', {}],
  ['at least 1.000.000', {}],
  ['at least 0', {}],
  ['is invalid: 10', {}],
  ['must have at most 8 decimal places', {}],
  ['10 is below the minimum', {}],
  ['10 is below the minimum amount.', {}],
  ['exceeds the maximum by 5', {}],
  ['at most 500 per day', {}],
  ['maximum daily amount is 500', {}],
  ['must be at least 5%', {}],
  ['Minimum amount is 10 USD', {}],
  ['at least .5', {}],
  ['at least -5', {}],
])('“%s” says %j', (message, limits) => {
  expect(refused(message)).toEqual(limits)
})

test('two messages may give both, and other fields and errors give none', () => {
  expect(refused('at least 10', 'at most 20')).toEqual({ min: '10', max: '20' })
  expect(amountLimits(new ValidationError('', { wallet_address: ['at least 10'] }, { operation: 'x' }), 'BTC')).toEqual(
    {},
  )
  expect(amountLimits(new RejectedError('amount must be at least 10', { operation: 'x' }), 'BTC')).toEqual({})
  expect(amountLimits(new Error('at least 10'), 'BTC')).toEqual({})
})
