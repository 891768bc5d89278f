import { expect, test } from 'vitest'
import { adjustmentRequest, redeliveryRequest } from './merchant-requests.ts'

test.each(['5', '-5.00', '0.000000000000000001'])('an adjustment of %s is accepted', (amount) => {
  expect(adjustmentRequest.parse({ currency_id: 'c', amount, reference: 'order-1' }).amount).toBe(amount)
})

test.each(['0', '-0.0', '+5', '5.', '1e3', '', 'x'])('an adjustment of %j is refused', (amount) => {
  expect(adjustmentRequest.safeParse({ currency_id: 'c', amount, reference: 'order-1' }).success).toBe(false)
})

test.each([
  [{}, false],
  [{ dead: false }, false],
  [{ dead: true }, true],
  [{ cursors: [] }, false],
  [{ cursors: ['1'] }, true],
  [{ cursors: ['1'], dead: true }, false],
  [{ cursors: Array.from({ length: 1001 }, String) }, false],
])('a redelivery of %j is accepted: %s', (body, allowed) => {
  expect(redeliveryRequest.safeParse(body).success).toBe(allowed)
})
