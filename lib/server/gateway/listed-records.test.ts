import { expect, test } from 'vitest'
import { listedRecords } from './listed-records.ts'
import { createStatusReader } from './status-words.ts'
import { sampleTransactionRecord, STATUSES } from './testing/sample-record.ts'

test('an empty text counts as absent', () => {
  const empty = { correlation_key: '', from_address: '', to_address: '', tx_hash: '' }
  const node = sampleTransactionRecord(empty)
  expect(listedRecords([{ cursor: 'a', inserted_at: node.inserted_at, node }], STATUSES)[0]?.fact).toMatchObject(
    Object.fromEntries(Object.keys(empty).map((name) => [name, null])),
  )
})

test('the type is read in any case; a record of an unknown type has a reading as each kind', () => {
  const read = (type: string) => {
    const node = sampleTransactionRecord({ type })
    return listedRecords([{ cursor: 'a', inserted_at: node.inserted_at, node }], STATUSES)[0]
  }
  expect(read('PAYOUT')?.fact?.kind).toBe('payout')
  expect(read('deposit')?.fact?.kind).toBe('deposit')
  expect(read('Deposit')?.readings).toBeUndefined()
  expect(read('Withdrawal')).toMatchObject({ fact: null, readings: [{ kind: 'deposit' }, { kind: 'payout' }] })
})

test('a record whose status the installation has learned is marked, since its meaning may be new', () => {
  const statuses = createStatusReader(new Map([['TXN_COMPLETED', 'succeeded']]))
  const read = (status: string) => {
    const node = sampleTransactionRecord({ status })
    return listedRecords([{ cursor: 'a', inserted_at: node.inserted_at, node }], statuses)[0]
  }
  expect(read('TXN_COMPLETED')).toMatchObject({ fact: { status: 'succeeded' }, learned: true })
  expect(read('TXN_NEW')).not.toHaveProperty('learned')
})
