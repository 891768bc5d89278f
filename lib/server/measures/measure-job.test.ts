import { describe, expect, test } from 'vitest'
import { decimal } from '#lib/contract/money.ts'
import { sampleTransaction, sampleWithdrawal } from '../store/testing/sample-rows.ts'
import { seed } from '../store/testing/seed.ts'
import { FLAVOURS } from '../store/testing/test-databases.ts'
import { useStores } from '../store/testing/use-stores.ts'
import type { TransactionRow } from '../store/types.ts'
import { createMeasureJob } from './measure-job.ts'
import { readSamples } from './samples.ts'

const NOW = 10_000_000

describe.each(FLAVOURS)('%s', (flavour) => {
  const stores = useStores(flavour, { partitioned: true, clock: () => NOW })

  const newJob = (holder = 'one') =>
    createMeasureJob({
      store: stores.one,
      holder,
      onFault: (error) => {
        throw error
      },
    })

  /** Stores the transaction and its event in the feed; with a withdrawal, under its name. */
  const succeed = async (row: Partial<TransactionRow>, withdrawalId?: string): Promise<void> => {
    const transaction = sampleTransaction({ tx_hash: null, tx_hash_key: null, ...row })
    const { transaction_uuid, kind, status } = transaction
    await seed(stores.one, {
      transactions: [transaction],
      published: [
        {
          entity: `${kind}:${transaction_uuid}`,
          user: 'u',
          streamUser: null,
          source: 'webhook',
          event: {
            transaction_uuid,
            kind,
            status,
            amount: transaction.amount,
            currency_code: 'USDT',
            network: 'Tron',
            tx_hash: null,
            updated_at: '',
            ...(withdrawalId !== undefined && { withdrawal_id: withdrawalId }),
          },
        },
      ],
    })
    // Numbers it; on PostgreSQL that comes after the commit.
    await stores.one.events.feedAfter(0, 1)
  }

  const measured = async () =>
    Object.fromEntries(
      (await stores.one.measurements.all()).map(({ currency_id, measure, meaning, samples }) => [
        measure,
        { currency_id, meaning, samples: readSamples(samples).map(({ at_ms, value }) => [at_ms, value]) },
      ]),
    )

  test('a deposit gives its time and its rate, once', async () => {
    await succeed({ amount: decimal('4'), amount_usd: decimal('10'), created_ms: 1000, updated_ms: 61_000 })
    expect(await newJob().runOnce()).toBe(1)
    expect(await newJob().runOnce()).toBe(0)
    const of = { currency_id: 'c1', meaning: 'usdt@tron' }
    expect(await measured()).toEqual({
      deposit_time: { ...of, samples: [[61_000, '60000']] },
      rate: { ...of, samples: [[61_000, '2.5']] },
    })
    await succeed({ transaction_uuid: 't2', created_ms: 1000, updated_ms: 31_000 })
    await newJob().runOnce()
    expect((await measured())['deposit_time']?.samples).toEqual([
      [31_000, '30000'],
      [61_000, '60000'],
    ])
  })

  test('what was seen only at its end, is not ours, or has not ended gives nothing', async () => {
    await succeed({ created_ms: 5000, updated_ms: 5000 })
    await succeed({ transaction_uuid: 't2', standing: 'unconfirmed', updated_ms: 9000 })
    await succeed({ transaction_uuid: 't3', status: 'processing', updated_ms: 9000 })
    await succeed({ transaction_uuid: 't4', kind: 'onramp', amount_usd: decimal('1'), updated_ms: 9000 })
    expect(await newJob().runOnce()).toBe(4)
    expect(await measured()).toEqual({})
  })

  test('a withdrawal gives the time from the call, unless a person approved it', async () => {
    const payout = async (id: string, requires_approval: 0 | 1, dated = {}): Promise<void> => {
      const uuid = `payout of ${id}`
      const times = { created_ms: 1000, called_ms: 2000, updated_ms: 92_000 }
      await seed(stores.one, {
        withdrawals: [
          sampleWithdrawal({
            id,
            idempotency_key: id,
            status: 'succeeded',
            step: 'ended',
            requires_approval,
            ...times,
          }),
        ],
      })
      await succeed({ transaction_uuid: uuid, kind: 'payout', withdrawal_id: id, ...dated }, id)
    }
    await payout('w1', 0)
    await payout('w2', 1)
    await newJob().runOnce()
    expect((await measured())['payout_time']?.samples).toEqual([[92_000, '90000']])
    await payout('w3', 0, { occurred_at: new Date(32_000).toISOString() })
    await newJob().runOnce()
    expect((await measured())['payout_time']?.samples).toEqual([
      [32_000, '30000'],
      [92_000, '90000'],
    ])
  })

  test('what the cashier learned late counts from when it was: a value of days ago is no rate of today', async () => {
    const day = 86_400_000
    const listed = { amount: decimal('1'), amount_usd: decimal('2'), created_ms: NOW - 3 * day, updated_ms: NOW }
    await succeed({ ...listed, occurred_at: new Date(NOW - 3 * day + 60_000).toISOString() })
    await newJob().runOnce()
    expect(await measured()).toMatchObject({
      deposit_time: { samples: [[NOW - 3 * day + 60_000, '60000']] },
      rate: { samples: [] },
    })
  })

  test('a success without a readable date counts from when the cashier learned of it', async () => {
    await succeed({ occurred_at: 'yesterday', created_ms: 1000, updated_ms: 61_000 })
    await newJob().runOnce()
    expect((await measured())['deposit_time']?.samples).toEqual([[61_000, '60000']])
  })

  test('a currency whose id means another one starts again', async () => {
    await succeed({ amount: decimal('1'), amount_usd: decimal('2'), updated_ms: 5000 })
    await newJob().runOnce()
    await succeed({ transaction_uuid: 't2', currency_code: 'BTC', amount: decimal('1'), amount_usd: decimal('9') })
    await newJob().runOnce()
    expect((await measured())['rate']).toMatchObject({ meaning: 'btc@tron', samples: [[1000, '9']] })
  })

  test('one instance at a time measures', async () => {
    await succeed({})
    await stores.one.leases.take('measure', 'two', 60_000)
    expect(await newJob('one').runOnce()).toBe(0)
    expect(await newJob('two').runOnce()).toBe(1)
  })

  test('the newest 500 of a long feed are read', async () => {
    await stores.one.transaction(async (tx) => {
      const unit = await tx.load({ users: [] })
      for (let at = 0; at < 700; at += 1)
        unit.outbox.addTransaction({
          entity: `deposit:${String(at)}`,
          user: 'u',
          streamUser: null,
          source: 'webhook',
          event: {
            transaction_uuid: String(at),
            kind: 'deposit',
            status: 'processing',
            amount: null,
            currency_code: 'USDT',
            network: 'Tron',
            tx_hash: null,
            updated_at: '',
          },
        })
      await tx.save(unit)
    })
    await stores.one.events.feedAfter(0, 1)
    expect(await newJob().runOnce()).toBe(500)
    expect(await newJob().runOnce()).toBe(0)
  })
})
