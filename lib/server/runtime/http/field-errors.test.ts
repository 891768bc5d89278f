import * as z from 'zod/mini'
import { expect, test } from 'vitest'
import { transactionsQuery } from '#lib/contract/cashier-requests.ts'
import { adjustmentRequest, quarantineResolution, redeliveryRequest } from '#lib/contract/merchant-requests.ts'
import { createSessionRequest } from '#lib/contract/session-requests.ts'
import { parseInput } from './request-body.ts'

function errorsOf(schema: z.core.$ZodType, value: unknown): unknown {
  try {
    parseInput(schema, value)
    return null
  } catch (error) {
    return { ...(error as { extras: { errors: object } }).extras.errors }
  }
}

const sessionErrors = (fields: object): unknown =>
  errorsOf(createSessionRequest([]), { user_reference_id: 'u', ...fields })

test('a wrong type is reported in our own words, and an array entry by its index', () => {
  const flow = 'must be one of deposit, withdraw, buy, history'
  expect(sessionErrors({ flows: 'deposit' })).toEqual({ flows: ['must be an array'] })
  expect(sessionErrors({ flows: ['deposit', 'steal', 7] })).toEqual({ 'flows.1': [flow], 'flows.2': [flow] })
  expect(sessionErrors({ currency_ids: ['x'] })).toEqual({ 'currency_ids.0': ['must be a UUID'] })
  expect(sessionErrors({ currency_ids: {} })).toEqual({ currency_ids: ['must be an array'] })
  expect(sessionErrors({ country: 5 })).toEqual({ country: ['must be text'] })
  expect(errorsOf(adjustmentRequest, 'x')).toEqual({ body: ['must be an object'] })
  expect(errorsOf(quarantineResolution, null)).toEqual({ body: ['must be an object'] })
  expect(errorsOf(transactionsQuery, { transaction_types: ['Deposit', '<'] })).toEqual({
    'transaction_types.1': ['must be a type such as Deposit or Payout'],
  })
})

test('for a body with two possible shapes, the faults are those of the intended shape', () => {
  const either = [
    'must be {"cursors": [...]} with 1 to 1000 cursors of the events feed, or {"dead": true}, or {"since": "…"} with a time',
  ]
  const cursor = ['must be text of 1 to 200 characters']
  for (const [body, errors] of [
    [{ cursors: [] }, { cursors: ['must have at least 1 entry'] }],
    [{ cursors: Array.from({ length: 1001 }, String) }, { cursors: ['must have at most 1000 entries'] }],
    [{ cursors: 'a' }, { cursors: ['must be an array'] }],
    [{ cursors: ['a', 7, ''] }, { 'cursors.1': cursor, 'cursors.2': cursor }],
    [{ dead: false }, { dead: ['must be true'] }],
    [{ since: '2026-01-01', state: 'lost' }, { state: ['must be one of waiting, failing, dead, delivered'] }],
    [{}, { body: either }],
    [{ cursors: ['a'], dead: true }, { body: either }],
    [[], { body: either }],
    [{ curosrs: ['a'] }, { body: either }],
  ] as const)
    expect([body, errorsOf(redeliveryRequest, body)]).toEqual([body, errors])
})

test.each([
  [z.number(), 'x', 'must be a number'],
  [z.boolean(), 'x', 'must be true or false'],
  [z.enum(['a', 'b']), 'x', 'must be a or b'],
  [z.literal(true), 'x', 'must be true'],
  [z.date(), 'x', 'must be date'],
  [z.string().check(z.minLength(2)), 'x', 'is not valid'],
])('no text of the library reaches a caller (%#)', (schema, value, message) => {
  expect(errorsOf(schema, value)).toEqual({ body: [message] })
})
