import { expect, test } from 'vitest'
import english from '#lib/i18n/messages/en.json' with { type: 'json' }
import { readTypedAmount } from '#lib/i18n/typed-amount.ts'
import { AMOUNT_FAULT_MESSAGES } from './amount-messages.ts'

test.each([
  ['abc', 'Enter a number.'],
  ['-5', 'Enter a number.'],
  ['0', 'Enter more than zero.'],
  ['9'.repeat(61), 'This number has too many digits.'],
  [`0.${'1'.repeat(31)}`, 'This number has too many digits.'],
])('%s has the message "%s"', (typed, message) => {
  const read = readTypedAmount(typed, { decimal: '.', group: ',' })
  expect(read.state === 'fault' && english[AMOUNT_FAULT_MESSAGES[read.fault]]).toBe(message)
})
