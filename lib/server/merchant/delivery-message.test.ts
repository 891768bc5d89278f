import { expect, test } from 'vitest'
import { changeId } from './delivery-message.ts'

const data = (change: object = {}): string =>
  JSON.stringify({
    transaction_uuid: 't',
    kind: 'payout',
    status: 'processing',
    amount: '1.50',
    currency_code: 'BTC',
    network: 'Bitcoin',
    tx_hash: null,
    updated_at: '2026-01-01T00:00:00.000Z',
    user_reference_id: 'u',
    source: 'webhook',
    ...change,
  })

const idOf = (change: object = {}, entity = 'withdrawal:w', earlier: string[] = []): string =>
  changeId({ entity, data: data(change) }, earlier)

test('the same change has the same id, whatever its time and source', () => {
  expect(idOf()).toMatch(/^evt_[\w-]{32}$/)
  const again = { updated_at: '2027', source: 'reconciliation', amount: '1.5', tx_hash: '0xab' }
  expect(idOf(again)).toBe(idOf())
  expect(idOf({ user_reference_id: 'erased_1' })).toBe(idOf())
  expect(idOf({}, 'withdrawal:w', [data({ status: 'unknown' })])).toBe(idOf())
})

test('two changes of one transaction, and changes of two transactions, have different ids', () => {
  const ids = [
    idOf(),
    idOf({ status: 'succeeded' }),
    idOf({ amount: '1.51' }),
    idOf({ amount: null }),
    idOf({ transaction_uuid: null }),
    idOf({}, 'payout:t'),
    idOf({}, 'withdrawal:w', [data(), data({ status: 'unknown' })]),
    idOf({}, 'withdrawal:w', [data(), data({ status: 'unknown' }), data()]),
  ]
  expect(new Set(ids).size).toBe(ids.length)
})
