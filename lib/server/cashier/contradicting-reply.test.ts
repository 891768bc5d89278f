/** A withdraw reply that is not what was asked for, on both databases: it is followed, and a person is told. */
import { beforeEach, describe, expect, test } from 'vitest'
import { decimal } from '#lib/contract/money.ts'
import { STATUSES } from '../gateway/testing/sample-record.ts'
import { classifyFailure } from '../gateway/classify-failure.ts'
import { RejectedWithTransactionError } from '../gateway/errors.ts'
import type { Gateway, WithdrawReply } from '../gateway/types.ts'
import type { Fact } from '../ledger/facts.ts'
import { setOwner } from '../ledger/payouts/payout-owners.ts'
import type { Store } from '../store/store.ts'
import type { WithdrawalRow } from '../store/types.ts'
import { completeWithdrawal, sampleFact, sampleTransaction, sampleWithdrawal } from '../store/testing/sample-rows.ts'
import { applyOneFact, seed } from '../store/testing/seed.ts'
import { FLAVOURS } from '../store/testing/test-databases.ts'
import { useStores } from '../store/testing/use-stores.ts'
import { createWithdrawalSteps } from './withdrawal-steps.ts'

const UUID = '5d3e8f3a-0c55-4f0e-9a53-6a0f9d9f2b01'

describe.each(FLAVOURS)('a reply on %s', (flavour) => {
  const stores = useStores(flavour, { clock: () => 1_000_000 })
  const asking = sampleWithdrawal({
    amount: decimal('5'),
    wallet_address: 'a',
    status: 'pending_authorization',
    step: 'authorizing',
    driver: 'one',
    funds: 'none',
    postings: 0,
  })

  beforeEach(() => stores.one.users.ensure('u', 0))

  async function withdraw(
    answer: Partial<WithdrawReply> | Error,
    row: WithdrawalRow = asking,
    store: Store = stores.one,
  ): Promise<WithdrawalRow> {
    await seed(stores.one, { withdrawals: [row] })
    const reply: WithdrawReply = {
      amount: decimal('5'),
      currency: 'USDT',
      requires_approval: false,
      status: 'TXN_NEW',
      wallet_address: 'a',
      transaction_uuid: UUID,
      ...(answer instanceof Error ? {} : answer),
    }
    const gateway = {
      clockOffsetMs: () => 0,
      statuses: STATUSES,
      withdraw: () => (answer instanceof Error ? Promise.reject(answer) : Promise.resolve(reply)),
    } as unknown as Gateway
    const steps = createWithdrawalSteps({
      store,
      gateway,
      instance: 'one',
      askMerchant: () => Promise.resolve({ decision: 'approve', user_message: null }),
      uptimeMs: () => 0,
      onFault: () => undefined,
    })
    return steps.authorize(row, false)
  }

  /** A store in which the withdrawal has changed when its reply comes. */
  const meanwhile = (change: Partial<WithdrawalRow>): Store => ({
    ...stores.one,
    unitOfWork: (keys, work) =>
      stores.one.unitOfWork(keys, (unit) => {
        const row = unit.withdrawal('w1')
        if (row?.step === 'calling') unit.putWithdrawal(completeWithdrawal({ ...row, ...change }))
        return work(unit)
      }),
  })

  const lines = async () => {
    const all = await stores.one.quarantine.list({ reason: null, settled: false, after: 0, limit: 99 })
    return all.map(({ event, ...line }) => ({ ...line, event: JSON.parse(event) as unknown }))
  }

  test('that agrees, whatever its spelling, raises nothing', async () => {
    await withdraw({ amount: decimal('5.000'), currency: 'usdt' })
    expect(await lines()).toEqual([])
  })

  test.each<[string, Partial<WithdrawReply>]>([
    ['amount', { amount: decimal('4.5') }],
    ['currency', { currency: 'TRX' }],
    ['wallet_address', { wallet_address: 'b' }],
  ])('with another %s', async (field, more) => {
    expect(await withdraw(more)).toMatchObject({ status: 'processing', transaction_uuid: UUID })
    expect(await lines()).toMatchObject([
      {
        reason: 'contradiction',
        user_reference_id: 'u',
        transaction_uuid: UUID,
        event: {
          withdrawal_id: 'w1',
          asked: { amount: '5', currency: 'USDT', wallet_address: 'a' },
          replied: more,
          differs: [field],
        },
      },
    ])
  })

  test.each(['PENDING_APPROVAL', 'AwaitingApproval', 'Requires approval', 'In Progress', 'in-progress', 'TXN_NEW'])(
    'that is an error, and calls the payout %s without naming it, gives nothing back',
    async (status) => {
      const body = { error: true, message: 'not now', request_id: 'r', status, transaction_uuid: null }
      const reply = { operation: 'withdraw', movesMoney: true, status: 409, body, statuses: STATUSES, now: 0 }
      expect(await withdraw(classifyFailure(reply))).toMatchObject({ status: 'unknown' })
    },
  )

  test('with two differences and no transaction is one line under the withdrawal’s id', async () => {
    await withdraw({ amount: decimal('4'), currency: 'TRX', transaction_uuid: null })
    expect(await lines()).toMatchObject([{ transaction_uuid: 'w1', event: { differs: ['amount', 'currency'] } }])
  })

  test('is reported once, even if the first commit was not confirmed', async () => {
    let settles = 0
    const store: Store = {
      ...stores.one,
      unitOfWork: async (keys, work) => {
        const done = await stores.one.unitOfWork(keys, work)
        settles += 1
        if (settles === 1) throw new Error('the connection was lost after the commit')
        return done
      },
    }
    await withdraw({ amount: decimal('4') }, asking, store)
    expect([settles, (await lines()).length]).toEqual([2, 1])
  })

  describe('that names a payout', () => {
    const paid = sampleFact({
      ...{ kind: 'payout', transaction_uuid: UUID, user_reference_id: 'u', status: 'succeeded', tx_hash: null },
      ...{ source: 'reconciliation', currency_id: asking.currency_id, amount: decimal('5'), to_address: 'a' },
    })
    const other = { currency_id: 'c9', currency_code: 'TRX', network: 'Elsewhere' } as const
    const refused = new RejectedWithTransactionError('no', UUID, null, { operation: 'withdraw' })

    test.each<[string, Partial<Fact>, number]>([
      ['what was asked for', {}, 0],
      ['less, as a fee was taken', { amount: decimal('4') }, 0],
      ['half, as a fee was taken', { amount: decimal('2.5') }, 0],
      ['less than half', { amount: decimal('2.49') }, 1],
      ['to nobody knows whom', { to_address: null }, 0],
      ['to another address', { to_address: 'b' }, 1],
      ['in another currency', other, 1],
      ['too much in another currency to another address', { ...other, to_address: 'b', amount: decimal('7') }, 1],
    ])('%s: a person is told what was not asked for, whichever comes first', async (_name, more, count) => {
      const told = Array.from({ length: count }, () => ({
        reason: 'contradiction',
        user_reference_id: 'u',
        transaction_uuid: UUID,
        event: { stands: { withdrawal_id: 'w1', amount: '5', wallet_address: 'a' } },
      }))
      const pay = () => applyOneFact(stores.one, { ...paid, ...more }, { ledgerMode: 'merchant' })
      expect(await withdraw(refused)).toMatchObject({ status: 'processing' })
      for (let at = 0; at < 2; at += 1) await pay()
      expect(await lines()).toMatchObject(told)
      expect(await stores.one.withdrawals.find('w1')).toMatchObject({ status: 'succeeded', transaction_uuid: UUID })
    })

    test('to another address before the reply comes', async () => {
      await applyOneFact(stores.one, { ...paid, to_address: 'b' }, { ledgerMode: 'merchant' })
      expect(await withdraw(refused)).toMatchObject({ status: 'succeeded', transaction_uuid: UUID })
      expect(await lines()).toMatchObject([{ reason: 'contradiction', event: { stands: { wallet_address: 'a' } } }])
    })
  })

  test('that names the payout of another user is not followed, and names both', async () => {
    await stores.one.users.ensure('v', 0)
    await seed(stores.one, {
      transactions: [sampleTransaction({ kind: 'payout', transaction_uuid: UUID, user_reference_id: 'v' })],
    })
    expect(await withdraw({})).toMatchObject({ status: 'processing', transaction_uuid: null })
    expect(await lines()).toMatchObject([
      { reason: 'contradiction', transaction_uuid: UUID, event: { withdrawal_id: 'w1', belongs_to: 'v' } },
    ])
  })

  describe.each(['acknowledged', 'before'] as const)('that names a payout that was settled as %s', (owner) => {
    const START_MS = 2_000_000
    const settled = sampleFact({
      ...{ kind: 'payout', transaction_uuid: UUID, user_reference_id: 'u', status: 'succeeded', tx_hash: null },
      ...{ source: 'reconciliation', currency_id: asking.currency_id, amount: decimal('5'), to_address: 'a' },
    })

    beforeEach(async () => {
      const isBefore = owner === 'before'
      const made = isBefore ? 0 : START_MS
      const listed = { insertedMs: made, insertedAt: new Date(made).toISOString(), ledgerStartMs: START_MS }
      await applyOneFact(stores.one, settled, { ledgerMode: 'merchant', ...listed })
      if (!isBefore)
        await stores.one.unitOfWork({ users: ['u'], transactions: [settled] }, (unit) => {
          const payout = unit.payout(UUID)
          if (payout !== null) setOwner(unit, payout, 'acknowledged', { note: 'the user was debited by hand' })
        })
    })

    const told = {
      reason: 'contradiction',
      user_reference_id: 'u',
      transaction_uuid: UUID,
      event: { withdrawal_id: 'w1', transaction_uuid: UUID, belongs_to: owner },
    }
    const own = async () => (await lines()).filter(({ settled_ms }) => settled_ms === null)

    test('does not link it, and a person is told', async () => {
      expect(await withdraw({})).toMatchObject({ status: 'processing', transaction_uuid: null })
      expect(await own()).toMatchObject([told])
      expect(await stores.one.payouts.find(UUID)).toMatchObject({ owner, withdrawal_id: null })
    })

    test('in an error leaves the outcome open, and a person is told', async () => {
      const error = new RejectedWithTransactionError('no', UUID, null, { operation: 'withdraw' })
      expect(await withdraw(error)).toMatchObject({ status: 'unknown', transaction_uuid: null })
      expect(await own()).toMatchObject([told])
      expect(await stores.one.payouts.find(UUID)).toMatchObject({ owner, withdrawal_id: null })
    })
  })

  test.each<[string, Partial<WithdrawalRow>, string]>([
    ['after its own record had failed', { status: 'failed', failure: 'record', transaction_uuid: 'u0' }, 'failed'],
    ['that follows another record', { transaction_uuid: 'u0', record_status: 'processing' }, 'processing'],
  ])('that accepts a withdrawal %s', async (_name, more, status) => {
    expect(await withdraw({}, asking, meanwhile(more))).toMatchObject({ status, transaction_uuid: 'u0' })
    expect(await lines()).toMatchObject([
      {
        reason: 'contradiction',
        transaction_uuid: 'u0',
        event: { withdrawal_id: 'w1', replied: { transaction_uuid: UUID } },
      },
    ])
  })

  test.each([null, 'u0'])('that accepts what has failed since, naming %s, raises nothing', async (transaction_uuid) => {
    const failed = { status: 'failed', failure: 'record', transaction_uuid: 'u0' } as const
    expect(await withdraw({ transaction_uuid }, asking, meanwhile(failed))).toMatchObject(failed)
    expect(await lines()).toEqual([])
  })

  test('that accepts a withdrawal after its absence was proved holds it again, and is reported', async () => {
    const absent = { status: 'failed', failure: 'absent', failure_reason: 'not_sent' } as const
    expect(await withdraw({}, asking, meanwhile(absent))).toMatchObject({
      status: 'processing',
      transaction_uuid: UUID,
    })
    expect(await lines()).toMatchObject([{ reason: 'late_payout', transaction_uuid: UUID }])
  })

  describe('that names the transaction of another withdrawal', () => {
    const other = sampleWithdrawal({ id: 'w0', idempotency_key: 'key-0', transaction_uuid: UUID, funds: 'none' })
    beforeEach(() => seed(stores.one, { withdrawals: [other] }))

    const told = [
      {
        reason: 'contradiction',
        user_reference_id: 'u',
        transaction_uuid: UUID,
        event: { withdrawal_id: 'w1', transaction_uuid: UUID, belongs_to: 'w0' },
      },
    ]

    test('does not link it, and names both', async () => {
      expect(await withdraw({})).toMatchObject({ status: 'processing', transaction_uuid: null })
      expect(await lines()).toMatchObject(told)
      expect(await stores.one.withdrawals.find('w0')).toMatchObject({ transaction_uuid: UUID })
    })

    test('in an error leaves the outcome open, and names both', async () => {
      const error = new RejectedWithTransactionError('no', UUID, 'TXN_FAILED', { operation: 'withdraw' })
      expect(await withdraw(error)).toMatchObject({ status: 'unknown', transaction_uuid: null })
      expect(await lines()).toMatchObject(told)
    })
  })
})
