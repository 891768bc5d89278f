import { expect, test } from 'vitest'
import { listedRecords, payoutStatus, recordStatus } from './listed-records.ts'
import { sampleTransactionRecord } from './testing/sample-record.ts'

test.each([
  ['TXN_NEW', 'processing'],
  ['TXN_PROVIDER_SUCCEEDED', 'succeeded'],
  ['TXN_PROVIDER_FAILED', 'failed'],
  ['rejected', 'failed'],
  ['Declined', 'failed'],
  ['TXN_CANCELLED', 'failed'],
  ['txn_expired', 'failed'],
  ['txn_new', 'other'],
  ['TXN_PENDING', 'other'],
  ['', 'other'],
])('the list’s %s is %s', (status, expected) => {
  expect(recordStatus(status)).toBe(expected)
})

test('a payout that waits for an approval is recognized', () => {
  expect(payoutStatus('TXN_AWAITING_APPROVAL')).toBe('awaiting_approval')
  expect(payoutStatus('TXN_APPROVED')).toBe('other')
})

test('an empty text counts as absent', () => {
  const empty = { correlation_key: '', from_address: '', to_address: '', tx_hash: '' }
  const node = sampleTransactionRecord(empty)
  expect(listedRecords([{ cursor: 'a', inserted_at: node.inserted_at, node }])[0]?.fact).toMatchObject(
    Object.fromEntries(Object.keys(empty).map((name) => [name, null])),
  )
})

test('the type is read in any case; a record of an unknown type has a reading as each kind', () => {
  const read = (type: string) => {
    const node = sampleTransactionRecord({ type })
    return listedRecords([{ cursor: 'a', inserted_at: node.inserted_at, node }])[0]
  }
  expect(read('PAYOUT')?.fact?.kind).toBe('payout')
  expect(read('deposit')?.fact?.kind).toBe('deposit')
  expect(read('Deposit')?.readings).toBeUndefined()
  expect(read('Withdrawal')).toMatchObject({ fact: null, readings: [{ kind: 'deposit' }, { kind: 'payout' }] })
})
