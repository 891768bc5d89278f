import { expect, test } from 'vitest'
import { decimal } from '#lib/contract/money.ts'
import { sampleFact, sampleTransaction } from '../store/testing/sample-rows.ts'
import type { Fact } from './facts.ts'
import { factsText, LISTED_SUCCESS, parseFacts } from './stored-facts.ts'

const row = sampleTransaction()
const key = { kind: row.kind, transaction_uuid: row.transaction_uuid }

/** The fact that says exactly what the row has. */
const same = sampleFact(
  Object.fromEntries(Object.entries(row).filter(([name]) => name in sampleFact() && name !== 'kind')),
)

test.each<[string, Partial<Fact>]>([
  ['that the row repeats', {}],
  ['without a user', { user_reference_id: null }],
  ['of another user', { user_reference_id: 'somebody else' }],
  ['without an amount', { amount: null }],
  ['with another amount', { amount: decimal('0.1'), inexact: true }],
  ['without a merchant', { merchant_reference: null }],
  ['of a disputed transaction', { told: { reason: 'contradiction', said: '[null]' }, unconfirmed: true }],
  ['that lacks what the row has', { tx_hash: null, to_address: null, from_address: null, occurred_at: '2020-01-01' }],
  ['with all fields', { amount_usd: decimal('1'), from_address: 'a', payment_method: 'p', session_reference: 's' }],
])('a fact %s is read as it was stored, in a row and without one', (_name, change) => {
  const stored = [
    { fact: { ...same, ...change }, recorded_ms: 5 },
    { fact: { ...same, ...change, source: 'reconciliation' as const }, recorded_ms: 6 },
  ]
  for (const place of [row, null]) expect(parseFacts(key, factsText(stored, place), place)).toEqual(stored)
})

test('what the row has is stored once', () => {
  const [status, source] = [same.status, same.source]
  expect(JSON.parse(factsText([{ fact: same, recorded_ms: 5 }], row))).toEqual([{ status, source, recorded_ms: 5 }])
})

test('a fact keeps what it said while the row changes', () => {
  const first = { fact: same, recorded_ms: 5 }
  const later = { ...row, amount: decimal('99'), tx_hash: 'other', user_reference_id: null }
  expect(parseFacts(key, factsText([first], later), later)).toEqual([first])
})

test.each<[string, Partial<Fact>, boolean]>([
  ['a success of the list', { status: 'succeeded', source: 'reconciliation' }, true],
  ['a success of a webhook', { status: 'succeeded' }, false],
  ['a failure of the list', { status: 'failed', source: 'reconciliation' }, false],
  ['a text that looks like it', { to_address: '"status":"succeeded","source":"reconciliation"' }, false],
])('%s is found by its pattern: %#', (_name, change, found) => {
  const text = factsText([{ fact: { ...same, status: 'processing', ...change }, recorded_ms: 5 }], row)
  expect(text.includes(LISTED_SUCCESS.slice(1, -1))).toBe(found)
})

test('another text is refused', () => {
  expect(() => parseFacts(key, '[{"status":"gone"}]', row)).toThrow()
})
