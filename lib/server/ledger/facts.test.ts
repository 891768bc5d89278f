import { expect, test } from 'vitest'
import type { Decimal } from '#lib/contract/money.ts'
import { classifyFact } from './classify-fact.ts'
import { bookable, fold, hashKey, type Fact } from './facts.ts'

const fact = (change: Partial<Fact> = {}): Fact => ({
  kind: 'deposit',
  transaction_uuid: 'u',
  status: 'processing',
  source: 'webhook',
  user_reference_id: 'user_1',
  currency_id: 'c',
  currency_code: 'ETH',
  network: 'Ethereum',
  amount: '1' as Decimal,
  amount_usd: null,
  to_address: '0x52908400098527886E0F7030069857D2E4169EE7',
  from_address: null,
  tx_hash: '0xAB',
  payment_method: null,
  provider_transaction_id: null,
  from_amount: null,
  from_currency: null,
  correlation_key: null,
  session_reference: null,
  occurred_at: '2026-01-02T03:04:05Z',
  ...change,
})

test.each<[string, Partial<Fact>, string]>([
  ['the same', {}, 'seen'],
  ['another date', { occurred_at: '2027-01-01T00:00:00Z' }, 'seen'],
  ['the amount in another spelling', { amount: '1.00' as Decimal }, 'seen'],
  ['an address in another case', { to_address: '0x52908400098527886e0f7030069857d2e4169ee7' }, 'seen'],
  ['another amount', { amount: '2' as Decimal }, 'conflict'],
  ['another hash', { tx_hash: '0xAC' }, 'conflict'],
  ['no hash', { tx_hash: null }, 'seen'],
  ['no user', { user_reference_id: null }, 'seen'],
  ['a new id of the currency', { currency_id: 'd' }, 'seen'],
  ['the id of another currency', { currency_code: 'DAI', network: 'Tron' }, 'conflict'],
  [
    'an amount that was rounded as a JSON number',
    { amount: '1.00000000000000001' as Decimal, inexact: true },
    'completes',
  ],
  ['another user', { user_reference_id: 'user_2' }, 'conflict'],
  ['another currency', { currency_id: 'd', currency_code: 'DAI' }, 'conflict'],
  ['another status', { status: 'succeeded' }, 'new'],
  ['another status with another amount', { status: 'succeeded', amount: '3' as Decimal }, 'new'],
  ['another status of another user', { status: 'succeeded', user_reference_id: 'user_2' }, 'conflict'],
])('beside a known fact, %s is %s', (_name, change, weight) => {
  expect(classifyFact(fact(change), [fact()])).toBe(weight)
})

test('amounts that no double holds are compared by their digits', () => {
  const [huge, twice] = [`1${'0'.repeat(309)}`, `2${'0'.repeat(309)}`] as [Decimal, Decimal]
  const listed = fact({ source: 'reconciliation', amount: twice })
  expect(classifyFact(fact({ amount: huge, inexact: true }), [listed])).toBe('list_conflict')
  expect(classifyFact(fact({ amount: twice, inexact: true }), [listed])).toBe('confirms')
})

test('a webhook confirms a fact of the list if the two agree', () => {
  const listed = fact({ source: 'reconciliation', from_address: 'x', tx_hash: null })
  expect(classifyFact(fact(), [listed])).toBe('confirms')
  expect(classifyFact(listed, [fact()])).toBe('confirms')
  expect(classifyFact(listed, [fact(), listed])).toBe('seen')
})

test.each<[string, Partial<Fact>]>([
  ['amount', { amount: '2' as Decimal }],
  ['currency', { currency_id: 'd', currency_code: 'DAI' }],
  ['user', { user_reference_id: 'user_2' }],
  ['user under another status', { user_reference_id: 'user_2', status: 'succeeded' }],
])('a webhook and a list that disagree about the %s are in conflict, whichever came first', (_name, change) => {
  const listed = fact({ source: 'reconciliation' })
  expect(classifyFact(fact(change), [listed])).toBe('list_conflict')
  expect(classifyFact({ ...listed, ...change }, [fact()])).toBe('list_conflict')
  expect(classifyFact({ ...listed, ...change }, [fact(), listed])).toBe('list_conflict')
  expect(classifyFact(listed, [fact({ ...change, erased: true })])).toBe('conflict')
})

test('a message without a user agrees with any user, and the user of another message holds', () => {
  const nobody = fact({ user_reference_id: null })
  const later = { ...nobody, status: 'succeeded' } as const
  expect(classifyFact(nobody, [fact()])).toBe('seen')
  expect(classifyFact(fact(), [nobody])).toBe('completes')
  expect(classifyFact(later, [fact()])).toBe('new')
  expect(classifyFact(fact({ status: 'succeeded' }), [nobody])).toBe('new')
  expect(classifyFact(fact({ status: 'succeeded', user_reference_id: 'other' }), [nobody, fact()])).toBe('conflict')
  expect(fold([later, fact()])).toMatchObject({ status: 'succeeded', user_reference_id: fact().user_reference_id })
})

test('what a repetition first tells is compared with the other messages, too', () => {
  const nobody = fact({ user_reference_id: null, status: 'succeeded' })
  const again = fact({ status: 'succeeded' })
  const listed = fact({ source: 'reconciliation', status: 'succeeded' })
  const other = { user_reference_id: 'user_2' }
  expect(classifyFact(again, [nobody, fact(), listed])).toBe('completes')
  expect(classifyFact(again, [nobody, fact(other)])).toBe('conflict')
  expect(classifyFact(again, [nobody, { ...listed, ...other }])).toBe('list_conflict')
  expect(classifyFact(again, [nobody, { ...listed, ...other, erased: true }])).toBe('conflict')
  // The two messages have contradicted each other before.
  const listedAs = fact({ source: 'reconciliation', status: 'succeeded', amount: '9' as Decimal })
  expect(classifyFact(again, [nobody, listedAs])).toBe('completes')
})

test('an unconfirmed webhook is bookable once the list says its status too', () => {
  const unconfirmed = fact({ unconfirmed: true, status: 'succeeded' })
  const listed = fact({ source: 'reconciliation' })
  expect(bookable([unconfirmed])).toEqual([])
  expect(bookable([unconfirmed, listed])).toEqual([listed])
  const confirmed = { ...listed, status: 'succeeded' as const }
  expect(bookable([unconfirmed, confirmed])).toEqual([unconfirmed, confirmed])
  expect(bookable([fact()])).toEqual([fact()])
})

test('folding takes the highest state in any order, and keeps values that only a lower state has', () => {
  const early = fact({ from_address: 'sender', amount: '1' as Decimal })
  const late = fact({ status: 'succeeded', amount: '2' as Decimal, tx_hash: null })
  for (const order of [
    [early, late],
    [late, early],
  ])
    expect(fold(order)).toMatchObject({ status: 'succeeded', amount: '2', from_address: 'sender', tx_hash: '0xAB' })
})

test('hexadecimal hashes are compared without case, others with it', () => {
  const keyOf = (tx_hash: string, network = 'Ethereum') => hashKey({ tx_hash, network })
  expect(keyOf('0xAbC')).toBe('abc')
  const base58 = '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnb'
  expect(keyOf(base58, 'Solana')).toBe(base58)
  for (const none of ['', '0x']) expect(keyOf(none)).toBeNull()
})
