import { expect, test } from 'vitest'
import { readMerchantTransactionsQuery, readTransactionsQuery } from './transactions-query.ts'

const read = (query: string) => readTransactionsQuery(new URLSearchParams(query))

test('an empty query has no parameters', () => {
  expect(read('')).toEqual({})
  expect(read('session=x&other=1')).toEqual({})
})

test('all parameters are read, and types may be repeated', () => {
  expect(
    read('first=100&after=c%3D%3D&time_range=last_24hrs&transaction_types=Deposit&transaction_types=Payout'),
  ).toEqual({
    first: 100,
    after: 'c==',
    time_range: 'last_24hrs',
    transaction_types: ['Deposit', 'Payout'],
  })
  expect(read('last=1&before=x')).toEqual({ last: 1, before: 'x' })
})

test.each([
  ['first=101', 'first'],
  ['first=0', 'first'],
  ['first=-1', 'first'],
  ['first=1.5', 'first'],
  ['first=1e2', 'first'],
  ['first=', 'first'],
  ['last=101', 'last'],
  ['first=1&first=2', 'first'],
  ['first=1&last=1', 'last'],
  ['after=', 'after'],
  ['time_range=tomorrow', 'time_range'],
  ['time_range=', 'time_range'],
  ['transaction_types=%3Cscript%3E', 'transaction_types.0'],
])('%s is refused with its field', (query, field) => {
  expect(() => read(query)).toThrow(expect.objectContaining({ code: 'invalid_request' }) as Error)
  try {
    read(query)
  } catch (error) {
    expect(Object.keys((error as { extras: { errors: object } }).extras.errors)).toEqual([field])
  }
})

test("in the merchant's query, an empty value counts as left out", () => {
  const readMerchants = (query: string) => readMerchantTransactionsQuery(new URLSearchParams(query))
  expect(
    readMerchants('user_reference_id=&first=&after=&last=&before=&time_range=&transaction_types=&transaction_types='),
  ).toEqual({})
  expect(readMerchants('user_reference_id=u&last=&first=2&transaction_types=&transaction_types=Payout')).toEqual({
    user_reference_id: 'u',
    first: 2,
    transaction_types: ['Payout'],
  })
  expect(() => readMerchants('after=&after=')).toThrow('invalid_request')
})
