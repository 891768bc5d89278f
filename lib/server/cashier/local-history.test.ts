import { expect, test } from 'vitest'
import { sampleTransactionRecord } from '../gateway/testing/sample-record.ts'
import type { OwnOnramp } from '../store/types.ts'
import { sampleOnramp, sampleTransaction } from '../store/testing/sample-rows.ts'
import { localMatchOf, unlistedRows } from './local-history.ts'

const DAY_MS = 86_400_000
const LAST_EVENT_MS = 1_000_000

type Status = 'pending' | 'processing' | 'succeeded' | 'failed'

const times = { created_ms: 1000, updated_ms: LAST_EVENT_MS }
const session = (status: Status) => sampleOnramp({ status, ...times })
const transaction = (status: Status) => sampleTransaction({ kind: 'onramp', status, ...times })

/** How many rows the on-ramp has this long after its last event. */
const rowsAfter = (onramp: Pick<OwnOnramp, 'session' | 'transaction'>, afterMs: number): number => {
  const known = { withdrawals: [], onramps: [{ ...onramp, currency: null, listed: false }] }
  return unlistedRows(known, [], 'u', LAST_EVENT_MS + afterMs, null).length
}

test.each(['pending', 'processing', 'failed'] as const)(
  'an on-ramp that is %s is hidden a day after its last event',
  (status) => {
    for (const onramp of [
      { session: session(status), transaction: null },
      { session: session('pending'), transaction: transaction(status) },
      { session: null, transaction: transaction(status) },
    ]) {
      expect(rowsAfter(onramp, DAY_MS - 1)).toBe(1)
      expect(rowsAfter(onramp, DAY_MS)).toBe(0)
    }
  },
)

test('a purchase without a key or a page is hidden until an event names it', () => {
  for (const more of [{ correlation_key: null }, { link: null }]) {
    const hidden = { ...session('pending'), ...more }
    expect(rowsAfter({ session: hidden, transaction: null }, 0)).toBe(0)
    expect(rowsAfter({ session: hidden, transaction: transaction('pending') }, 0)).toBe(1)
  }
})

test('an on-ramp that has succeeded stays', () => {
  for (const onramp of [
    { session: session('succeeded'), transaction: null },
    { session: session('pending'), transaction: transaction('succeeded') },
  ])
    expect(rowsAfter(onramp, 30 * DAY_MS)).toBe(1)
})

test.each([
  ['under its id', 'c1', 'BTC', 'o1'],
  ['under a new id from the list', 'c2', 'usdt', 'o1'],
  ['in another currency', 'c2', 'BTC', undefined],
])('a deposit with the same hash, %s: whether it belongs to the on-ramp', (_name, id, code, expected) => {
  const onramp = { ...transaction('succeeded'), transaction_uuid: 'o', tx_hash_key: 'ab' }
  const known = {
    withdrawals: [],
    onramps: [{ session: sampleOnramp({ correlation_key: null }), transaction: onramp, currency: null, listed: false }],
    statusOf: () => undefined,
  }
  const { currency } = sampleTransactionRecord()
  const record = sampleTransactionRecord({ tx_hash: '0xAB', currency: { ...currency, id, code, network: 'Tron' } })
  expect(localMatchOf(record, known).onramp?.session?.id).toBe(expected)
})
