import { expect, test } from 'vitest'
import { decimal } from '#lib/contract/money.ts'
import { compareAmounts } from '../ledger/compare.ts'
import { listedRecords } from './listed-records.ts'
import { parseLosslessJson } from './lossless-json.ts'
import { transactionsReply } from './schemas.ts'
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

test('an amount that came as a JSON number agrees with the exact text of a webhook', () => {
  const exact = '10.300000000000000007'
  const read = (amount: string) => {
    const node = JSON.stringify(sampleTransactionRecord({ to_address: '' })).replace(
      /"amount":"[^"]*"/,
      `"amount":${amount}`,
    )
    const page = `{"edges":[{"cursor":"c","inserted_at":"2026-11-20T12:00:00Z","node":${node}}],
      "page_info":{"has_next_page":false,"has_previous_page":false},"total_count":1}`
    const reply = transactionsReply.parse(parseLosslessJson(Buffer.from(page)))
    const [listed] = listedRecords(reply.edges, STATUSES)
    return { fact: listed!.fact!, record: listed!.record }
  }
  const number = read('10.3')
  expect([number.fact, number.record]).toMatchObject([
    { amount: '10.3', inexact: true },
    expect.stringContaining('"10.3"'),
  ])
  expect(compareAmounts(number.fact, { amount: decimal(exact) })).toBe('agree')
  expect(compareAmounts(number.fact, { amount: decimal('10.4') })).toBe('differ')
  expect(read('"10.3"').fact).not.toHaveProperty('inexact')
  expect(compareAmounts(read('"10.3"').fact, { amount: decimal(exact) })).toBe('differ')
})

test('a record whose status the installation has learned, or nobody knows, is marked, since its meaning may be new', () => {
  const statuses = createStatusReader(new Map([['TXN_COMPLETED', 'succeeded']]))
  const read = (status: string) => {
    const node = sampleTransactionRecord({ status })
    return listedRecords([{ cursor: 'a', inserted_at: node.inserted_at, node }], statuses)[0]
  }
  expect(read('TXN_COMPLETED')).toMatchObject({ fact: { status: 'succeeded' }, changeable: true })
  expect(read('TXN_SETTLING')).toMatchObject({ fact: { status: 'other' }, changeable: true })
  for (const status of ['TXN_NEW', 'TXN_FAILED']) expect(read(status)).not.toHaveProperty('changeable')
})
