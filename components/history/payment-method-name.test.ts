import { expect, test } from 'vitest'
import { paymentMethodName } from './payment-method-name.ts'

test.each([
  ['CREDIT_DEBIT_CARD', 'method.card'],
  ['card', 'method.card'],
  ['BANK_TRANSFER', 'BANK TRANSFER'],
  ['Apple Pay', 'Apple Pay'],
])('%s is shown as %s', (method, shown) => {
  expect(paymentMethodName(method, (key) => key)).toBe(shown)
})
