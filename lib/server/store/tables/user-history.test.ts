import { describe, expect, test } from 'vitest'
import {
  sampleCurrency,
  sampleOnramp,
  sampleRecord,
  sampleTransaction,
  sampleWithdrawal,
} from '../testing/sample-rows.ts'
import { seed } from '../testing/seed.ts'
import { FLAVOURS } from '../testing/test-databases.ts'
import { useStores } from '../testing/use-stores.ts'

describe.each(FLAVOURS)('%s', (flavour) => {
  const stores = useStores(flavour, { partitioned: true })

  test('the stored state of records in the list', async () => {
    const { one } = stores
    await seed(one, {
      records: [
        sampleRecord({ transaction_uuid: 'a' }),
        sampleRecord({ transaction_uuid: 'b', user_reference_id: 'v' }),
      ],
      transactions: [
        sampleTransaction({ transaction_uuid: 'a', status: 'succeeded' }),
        sampleTransaction({ transaction_uuid: 'b', user_reference_id: 'v' }),
        sampleTransaction({ transaction_uuid: 'c', kind: 'payout', status: 'failed' }),
      ],
    })
    const states = await one.history.listedStates('u', ['a', 'b', 'c'])
    expect(new Map(states.map((state) => [state.transaction_uuid, state]))).toEqual(
      new Map([
        ['a', { transaction_uuid: 'a', record: sampleRecord().record, deposit: 'succeeded', payout: null }],
        ['b', { transaction_uuid: 'b', record: null, deposit: null, payout: null }],
        ['c', { transaction_uuid: 'c', record: null, deposit: null, payout: 'failed' }],
      ]),
    )
    expect(await one.history.listedStates('u', [])).toEqual([])
  })

  test('withdrawals with their payouts, and whether the list has shown them, newest first', async () => {
    const { one } = stores
    await seed(one, {
      currencies: [sampleCurrency],
      withdrawals: [
        sampleWithdrawal({ id: 'old', idempotency_key: 'k-old', created_ms: 5 }),
        sampleWithdrawal({ id: 'w1', idempotency_key: 'k1', created_ms: 100, transaction_uuid: 'p1' }),
        sampleWithdrawal({ id: 'w2', idempotency_key: 'k2', created_ms: 200, transaction_uuid: null }),
        sampleWithdrawal({ id: 'other', idempotency_key: 'k3', created_ms: 300, user_reference_id: 'v' }),
      ],
      transactions: [
        sampleTransaction({ transaction_uuid: 'p1', kind: 'payout', withdrawal_id: 'w1', tx_hash: '0xab' }),
      ],
      records: [sampleRecord({ transaction_uuid: 'p1', type: 'Payout' })],
    })
    const { withdrawals, onramps } = await one.history.ownRows('u', 50)
    expect(onramps).toEqual([])
    expect(withdrawals.map(({ withdrawal, listed }) => [withdrawal.id, listed])).toEqual([
      ['w2', false],
      ['w1', true],
    ])
    const [second, first] = withdrawals
    expect([second?.payout, first?.payout?.tx_hash]).toEqual([null, '0xab'])
    expect(first?.withdrawal).toMatchObject({ created_ms: 100, amount: sampleWithdrawal().amount })
    expect(first?.currency).toEqual({ name: sampleCurrency.name, symbol: sampleCurrency.symbol, currency_icon: null })
  })

  test('on-ramps with and without a session, and whether the list has shown their deposits', async () => {
    const { one } = stores
    await one.transaction(async (tx) => {
      for (const [id, key] of [
        ['o1', 'key-1'],
        ['o2', 'key-2'],
      ] as const)
        await tx.onramps.insert(sampleOnramp({ id, correlation_key: key, created_ms: 100, transaction_uuid: null }))
    })
    const { currency_id } = sampleOnramp()
    await seed(one, {
      transactions: [
        sampleTransaction({
          transaction_uuid: 't1',
          kind: 'onramp',
          onramp_session_id: 'o1',
          tx_hash_key: null,
          created_ms: 110,
        }),
        sampleTransaction({
          transaction_uuid: 't3',
          kind: 'onramp',
          onramp_session_id: null,
          created_ms: 120,
          deposit_uuid: 'd3',
        }),
        sampleTransaction({
          transaction_uuid: 'd2',
          kind: 'deposit',
          correlation_key: 'key-2',
          currency_id,
          created_ms: 5,
        }),
      ],
      records: [sampleRecord({ transaction_uuid: 'd2' }), sampleRecord({ transaction_uuid: 'd3' })],
    })
    const { onramps } = await one.history.ownRows('u', 50)
    const shown = onramps.map(({ session, transaction, listed }) => [
      session?.id ?? null,
      transaction?.transaction_uuid ?? null,
      listed,
    ])
    expect(shown[0]).toEqual([null, 't3', true])
    expect(shown.slice(1).toSorted()).toEqual([
      ['o1', 't1', false],
      ['o2', null, true],
    ])
  })

  test('the deposit of an on-ramp is found by hash or key even if the currency has a new id', async () => {
    const { one } = stores
    await one.onramps.insert(sampleOnramp({ correlation_key: 'key-1' }))
    const purchase = { kind: 'onramp', currency_id: 'old' } as const
    const deposit = { kind: 'deposit', currency_id: 'new', currency_code: 'usdt' } as const
    await seed(one, {
      transactions: [
        sampleTransaction({ ...purchase, transaction_uuid: 'by-hash', tx_hash_key: 'h1' }),
        sampleTransaction({ ...purchase, transaction_uuid: 'by-key', tx_hash_key: null, correlation_key: 'key-2' }),
        sampleTransaction({ ...purchase, transaction_uuid: 'other', tx_hash_key: 'h2' }),
        sampleTransaction({ ...deposit, transaction_uuid: 'd1', tx_hash_key: 'h1' }),
        sampleTransaction({ ...deposit, transaction_uuid: 'd2', tx_hash_key: null, correlation_key: 'key-2' }),
        sampleTransaction({ ...deposit, transaction_uuid: 'd3', tx_hash_key: null, correlation_key: 'key-1' }),
        sampleTransaction({ ...deposit, transaction_uuid: 'd4', tx_hash_key: 'h2', network: 'Ethereum' }),
      ],
      records: ['d1', 'd2', 'd3', 'd4'].map((transaction_uuid) => sampleRecord({ transaction_uuid })),
    })
    const { onramps } = await one.history.ownRows('u', 0)
    const shown = onramps.map(({ session, transaction, listed }) => [
      session?.id ?? transaction?.transaction_uuid,
      listed,
    ])
    expect(Object.fromEntries(shown)).toEqual({ o1: true, 'by-hash': true, 'by-key': true, other: false })
  })
})
