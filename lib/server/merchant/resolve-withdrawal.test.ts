import { beforeEach, describe, expect, test } from 'vitest'
import { decimal } from '#lib/contract/money.ts'
import { Problem } from '#lib/contract/problems.ts'
import { sampleTransactionRecord } from '../gateway/testing/sample-record.ts'
import type { Fact, ListedRecord } from '../ledger/facts.ts'
import type { WithdrawalColumns } from '../ledger/rows.ts'
import { eraseUser } from '../store/commands/erase-user.ts'
import { sampleFact, sampleRecord, sampleQuarantined, sampleWithdrawal } from '../store/testing/sample-rows.ts'
import { applyOneFact, changeWithdrawal, seed } from '../store/testing/seed.ts'
import { FLAVOURS } from '../store/testing/test-databases.ts'
import { useStores } from '../store/testing/use-stores.ts'
import { createFindWithdrawal, createListWithdrawals } from './list-withdrawals.ts'
import type { MerchantCaller } from './merchant-caller.ts'
import { createResolveWithdrawal } from './resolve-withdrawal.ts'
import { createSetPayoutOwner } from './set-payout-owner.ts'

const NOW = Date.UTC(2026, 10, 21, 12)
const UUID = '9b2f0f0e-6d0b-4e2c-8c6f-0a1b2c3d4e5f'

function payout(more: Partial<Fact> = {}): ListedRecord {
  const fact: Fact = {
    kind: 'payout',
    transaction_uuid: UUID,
    status: 'succeeded',
    source: 'reconciliation',
    user_reference_id: 'u',
    currency_id: 'c1',
    currency_code: 'USDT',
    network: 'Tron',
    amount: decimal('9.5'),
    amount_usd: null,
    to_address: 'TAddress',
    from_address: null,
    tx_hash: '0xab',
    payment_method: null,
    provider_transaction_id: null,
    from_amount: null,
    from_currency: null,
    correlation_key: null,
    session_reference: null,
    occurred_at: new Date(NOW).toISOString(),
    ...more,
  }
  return {
    transaction_uuid: fact.transaction_uuid,
    user_reference_id: fact.user_reference_id ?? '',
    type: 'Payout',
    status: 'TXN_PROVIDER_SUCCEEDED',
    inserted_at: new Date(NOW).toISOString(),
    cursor: 'a',
    record: JSON.stringify(fact),
    currency: { id: fact.currency_id, name: 'Tether', currency_code: 'USDT', symbol: '₮', network: 'Tron' },
    fact,
  }
}

const ofUnknownType = ({ fact, ...listed }: ListedRecord): ListedRecord => ({
  ...listed,
  type: 'Withdrawal',
  fact: null,
  readings: fact === null ? [] : [{ ...fact, kind: 'deposit' }, fact],
})

describe.each(FLAVOURS)('on %s', (flavour) => {
  let now = NOW
  beforeEach(() => {
    now = NOW
  })
  const stores = useStores(flavour, { clock: () => now })

  async function unknown(more: Partial<WithdrawalColumns> = {}): Promise<void> {
    const row = sampleWithdrawal({
      amount: decimal('10'),
      status: 'unknown',
      called_ms: NOW,
      call_ended_ms: NOW,
      next_check_ms: NOW,
      ...more,
    })
    const booking = { user_reference_id: 'u', currency_id: 'c1', amount: row.amount }
    await stores.one.users.ensure('u', NOW)
    await seed(stores.one, {
      bookings: [
        { ...booking, booking: 'adjustment', posting_key: `funds:${row.id}` },
        { ...booking, booking: 'hold', posting_key: `hold:${row.id}` },
      ],
      withdrawals: [row],
    })
  }

  const resolver = (...records: readonly ListedRecord[]) =>
    createResolveWithdrawal({
      store: stores.one,
      ledgerMode: 'embedded',
      ledgerStartMs: 0,
      clock: () => NOW,
      readList: () => Promise.resolve(records),
      clockOffset: () => 0,
    })
  const balance = async () => {
    const { available, held } = await stores.one.ledger.balance('u', 'c1')
    return { available, held }
  }
  const adjust = (amount: string) => {
    const booking = { user_reference_id: 'u', currency_id: 'c1', amount: decimal(amount) }
    return seed(stores.one, {
      bookings: [{ ...booking, booking: 'adjustment', posting_key: `adjustment:u:${amount}` }],
    })
  }
  const reasons = async () =>
    (await stores.one.quarantine.list({ reason: null, settled: false, after: 0, limit: 9 })).map(({ reason }) => reason)
  const sent = { outcome: 'sent', transaction_uuid: UUID, note: 'net of the fee' } as const

  test('sent: the withdrawal follows the named payout, once', async () => {
    await unknown()
    const resolve = resolver(payout())
    const found = await resolve('w1', { ...sent, transaction_uuid: UUID.toUpperCase() })
    expect(found).toMatchObject({
      id: 'w1',
      user_reference_id: 'u',
      status: 'succeeded',
      amount: '10',
      transaction_uuid: UUID,
      attention: null,
      created_at: '1970-01-01T00:00:01.000Z',
      updated_at: '2026-11-21T12:00:00.000Z',
    })
    expect(await balance()).toEqual({ available: '0', held: '0' })
    expect(await reasons()).toEqual([])
    const row = await stores.one.withdrawals.find('w1')
    expect(JSON.parse(row?.resolution ?? '')).toMatchObject({ outcome: 'sent', note: 'net of the fee' })
    const feed = await stores.one.events.feedAfter(0, 9)
    expect(feed.map(({ data }) => JSON.parse(data) as object)).toMatchObject([{ withdrawal_id: 'w1', tx_hash: '0xab' }])
    await expect(resolve('w1', sent)).rejects.toMatchObject({ code: 'conflict' })
    await expect(resolve('w1', { outcome: 'not_sent' })).rejects.toMatchObject({ code: 'conflict' })
  })

  test('sent: a payout that was acknowledged before its user was erased, and has come back', async () => {
    await stores.one.users.ensure('u', NOW)
    await stores.one.applyRecords('u', [payout()], { ledgerMode: 'embedded', ledgerStartMs: 0 })
    await createSetPayoutOwner(stores.one)(UUID, { acknowledged: true, note: 'not ours' })
    now += 1000
    expect(await eraseUser(stores.one, 'u', 'erased_1', () => now)).toMatchObject({ outcome: 'erased' })
    now += 1000
    await unknown()
    expect(await resolver(payout())('w1', sent)).toMatchObject({ status: 'succeeded', transaction_uuid: UUID })
    expect(await balance()).toEqual({ available: '0', held: '0' })
    expect(await stores.one.payouts.find(UUID)).toMatchObject({ user_reference_id: 'u', withdrawal_id: 'w1' })
    expect(await reasons()).toEqual([])
    await stores.one.applyRecords('u', [payout()], { ledgerMode: 'embedded', ledgerStartMs: 0 })
    expect(await stores.one.payouts.find(UUID)).toMatchObject({ user_reference_id: 'u', withdrawal_id: 'w1' })
    expect(await balance()).toEqual({ available: '0', held: '0' })
    now += 1000
    expect(await eraseUser(stores.one, 'u', 'erased_2', () => now)).toMatchObject({ outcome: 'erased' })
  })

  test.each([
    ['debited its user by as much', '-10', ['contradiction']],
    ['adjusted something else', '-3', []],
  ] as const)('sent: of an acknowledged payout a person is told who has %s', async (_what, amount, told) => {
    await unknown()
    const unlike = { amount: decimal('10'), to_address: 'TOther' }
    await stores.one.applyRecords('u', [payout(unlike)], { ledgerMode: 'embedded', ledgerStartMs: 0 })
    await createSetPayoutOwner(stores.one)(UUID, { acknowledged: true, note: 'paid by hand' })
    now += 1000
    await adjust('20')
    await adjust(amount)
    now += 1000
    expect(await resolver(payout(unlike))('w1', sent)).toMatchObject({ status: 'succeeded', transaction_uuid: UUID })
    expect(await reasons()).toEqual(told)
  })

  test('sent: the withdrawal follows the payout even if list and webhook contradict one another', async () => {
    await unknown()
    const { fact } = payout({ source: 'webhook', amount: decimal('9.4') })
    if (fact === null) throw new Error('no fact')
    expect(await applyOneFact(stores.one, fact)).toBe('applied')
    expect(await resolver(payout())('w1', sent)).toMatchObject({ status: 'succeeded', transaction_uuid: UUID })
    expect(await balance()).toEqual({ available: '0', held: '0' })
    expect((await stores.one.transactions.find('payout', UUID))?.withdrawal_id).toBe('w1')
  })

  test('not_sent: what the list shows now counts, although no scan has read it', async () => {
    await unknown()
    const stray = payout({ amount: decimal('9.4') })
    await expect(resolver(stray)('w1', { outcome: 'not_sent' })).rejects.toMatchObject({
      code: 'conflict',
      extras: { unowned: [UUID] },
    })
    expect(await balance()).toEqual({ available: '0', held: '10' })
    expect((await stores.one.withdrawals.find('w1'))?.status).toBe('unknown')
  })

  test('not_sent: a withdrawal whose payout the list shows now is not given back', async () => {
    await unknown()
    const own = payout({ amount: decimal('10') })
    await expect(resolver(own)('w1', { outcome: 'not_sent' })).rejects.toMatchObject({ code: 'conflict' })
    expect((await stores.one.withdrawals.find('w1'))?.status).toBe('succeeded')
  })

  test('not_sent: a person may decide while the gateway is away', async () => {
    await unknown()
    const resolve = createResolveWithdrawal({
      store: stores.one,
      ledgerMode: 'embedded',
      ledgerStartMs: 0,
      clock: () => NOW,
      readList: () => Promise.reject(new Problem('gateway_unavailable', 'Away.')),
      clockOffset: () => 0,
    })
    expect(await resolve('w1', { outcome: 'not_sent' })).toMatchObject({ status: 'failed' })
  })

  const stuck = {
    status: 'processing',
    transaction_uuid: UUID,
    record_status: 'processing',
    next_check_ms: null,
  } as const

  describe('a key that may decide, but may not say whose a payout is', () => {
    const decides: MerchantCaller = { by: 'merchant:shop', scopes: ['decide'] }

    test.each(['nobody owns', 'a person has acknowledged'])('gives no payout that %s', async (whose) => {
      await unknown()
      const record = payout({ amount: decimal('9.4') })
      if (record.fact === null) throw new Error('no fact')
      await applyOneFact(stores.one, record.fact)
      if (whose !== 'nobody owns')
        await createSetPayoutOwner(stores.one)(UUID, { acknowledged: true, note: 'none of ours' })
      const before = await stores.one.payouts.find(UUID)
      await expect(resolver(record)('w1', sent, decides)).rejects.toMatchObject({ code: 'scope_required' })
      expect(await stores.one.payouts.find(UUID)).toEqual(before)
      expect(await stores.one.withdrawals.find('w1')).toMatchObject({ status: 'unknown', transaction_uuid: null })
      const owns: MerchantCaller = { ...decides, scopes: ['decide', 'payouts'] }
      expect(await resolver(record)('w1', sent, owns)).toMatchObject({ status: 'succeeded' })
      expect(await stores.one.payouts.find(UUID)).toMatchObject({ owner: 'withdrawal', withdrawal_id: 'w1' })
    })

    test('gives no payout that only the list shows', async () => {
      await unknown()
      await expect(resolver(payout())('w1', sent, decides)).rejects.toMatchObject({ code: 'scope_required' })
      expect(await stores.one.payouts.find(UUID)).toBeNull()
    })

    test('ends a withdrawal by its own payout, and without any', async () => {
      await unknown({ ...stuck, overdue_ms: NOW })
      expect(await resolver(payout())('w1', sent, decides)).toMatchObject({ status: 'succeeded' })
      await unknown({ id: 'w2', idempotency_key: 'key-2' })
      expect(await resolver()('w2', { outcome: 'not_sent' }, decides)).toMatchObject({
        status: 'failed',
        resolution: { settled_by: 'merchant:shop' },
      })
    })
  })

  test.each<[string, readonly ListedRecord[]]>([
    ['still has it under way', [payout({ status: 'processing' })]],
    ['does not show it now', []],
  ])('sent: a withdrawal that waits too long for its own payout is paid, if the list %s', async (_what, records) => {
    await unknown({ ...stuck, overdue_ms: NOW })
    const answer = await resolver(...records)('w1', { ...sent, transaction_uuid: UUID.toUpperCase() })
    expect(answer).toMatchObject({ status: 'succeeded', transaction_uuid: UUID, attention: null })
    expect(await balance()).toEqual({ available: '0', held: '0' })
  })

  test('sent: another payout than the reply named ends what was reported under that name', async () => {
    await unknown({ status: 'processing', transaction_uuid: 'named', reply_transaction_uuid: 'named', overdue_ms: NOW })
    await seed(stores.one, {
      quarantine: [sampleQuarantined({ reason: 'overdue', event_name: 'User Payout', transaction_uuid: 'named' })],
    })
    expect(await resolver(payout())('w1', sent)).toMatchObject({ status: 'succeeded', transaction_uuid: UUID })
    expect(await reasons()).toEqual([])
  })

  test('sent: a withdrawal that does not wait too long follows its payout', async () => {
    await unknown({ ...stuck, status: 'unknown', record_status: null })
    const processing = payout({ status: 'processing' })
    expect(await resolver(processing)('w1', sent)).toMatchObject({ status: 'processing', transaction_uuid: UUID })
    expect(await balance()).toEqual({ available: '0', held: '10' })
  })

  test('sent: a record whose user differs in case alone is the user’s', async () => {
    await unknown()
    const answer = await resolver(payout({ user_reference_id: 'U' }))('w1', sent)
    expect(answer).toMatchObject({ status: 'succeeded', transaction_uuid: UUID })
    expect(await balance()).toEqual({ available: '0', held: '0' })
  })

  test('sent: it is not, if a user of that spelling is known', async () => {
    await unknown()
    await stores.one.users.ensure('U', NOW)
    const resolving = resolver(payout({ user_reference_id: 'U' }))('w1', sent)
    await expect(resolving).rejects.toMatchObject({ code: 'invalid_request' })
    expect(await balance()).toEqual({ available: '0', held: '10' })
  })

  test.each([
    ['of the user cannot be read', { reason: 'unreadable' }],
    [
      'names no user, and has its address',
      { reason: 'unknown_user', user_reference_id: null, event: '{"transaction":{"to_address":"0xabc"}}' },
    ],
  ] as const)('not_sent: refused while an event of a payout %s', async (_what, told) => {
    await unknown({ wallet_address: '0xabc' })
    await seed(stores.one, {
      quarantine: [sampleQuarantined({ event_name: 'User Payout', transaction_uuid: UUID, ...told })],
    })
    const refused = { code: 'conflict', detail: expect.stringContaining('was not applied') as string }
    await expect(resolver()('w1', { outcome: 'not_sent' })).rejects.toMatchObject(refused)
    expect(await balance()).toEqual({ available: '0', held: '10' })
    const [line] = await stores.one.quarantine.list({ reason: told.reason, settled: false, after: 0, limit: 1 })
    await stores.one.quarantine.settle(line?.id ?? 0, { by: 'merchant', now: NOW })
    expect(await resolver()('w1', { outcome: 'not_sent' })).toMatchObject({ status: 'failed' })
  })

  test('not_sent: refused while a message says that its own payout succeeded', async () => {
    await unknown({ ...stuck, overdue_ms: NOW })
    const { fact } = payout({ source: 'webhook', amount: decimal('10'), unconfirmed: true })
    if (fact === null) throw new Error('no fact')
    await applyOneFact(stores.one, fact)
    await expect(resolver()('w1', { outcome: 'not_sent' })).rejects.toMatchObject({ code: 'conflict' })
    expect(await stores.one.withdrawals.find('w1')).toMatchObject({ status: 'processing', resolution: null })
    expect(await balance()).toEqual({ available: '0', held: '10' })
  })

  test.each([
    ['sent', sent, 'succeeded', '0'],
    ['not_sent', { outcome: 'not_sent' } as const, 'failed', '10'],
  ])(
    '%s: ends what waits for a payout that an event alone gives to another user',
    async (_outcome, resolution, status, available) => {
      await unknown({ ...stuck, record_status: null, reply_transaction_uuid: UUID })
      await stores.one.users.ensure('v', NOW)
      const { fact } = payout({ source: 'webhook', user_reference_id: 'v' })
      if (fact === null) throw new Error('no fact')
      await applyOneFact(stores.one, fact)
      await changeWithdrawal(stores.one, 'w1', { overdue_ms: NOW })
      expect(await stores.one.withdrawals.find('w1')).toMatchObject({ status: 'processing', record_status: null })
      expect(await resolver()('w1', resolution)).toMatchObject({ status })
      expect(await balance()).toEqual({ available, held: '0' })
    },
  )

  test.each<[string, ListedRecord]>([
    ['of an undocumented type', ofUnknownType(payout())],
    ['in another currency', payout({ currency_id: 'c2', currency_code: 'USDC' })],
  ])('sent: a payout %s may be named', async (_name, record) => {
    await unknown()
    expect(await resolver(record)('w1', sent)).toMatchObject({ status: 'succeeded', transaction_uuid: UUID })
    expect(await balance()).toEqual({ available: '0', held: '0' })
  })

  test('sent: a record of an undocumented type with the uuid of a deposit is refused', async () => {
    await unknown()
    await applyOneFact(stores.one, sampleFact({ transaction_uuid: UUID, user_reference_id: 'u', status: 'processing' }))
    await expect(resolver(ofUnknownType(payout()))('w1', sent)).rejects.toMatchObject({ code: 'invalid_request' })
    expect(await stores.one.withdrawals.find('w1')).toMatchObject({ status: 'unknown', resolution: null })
  })

  test.each<[string, readonly ListedRecord[]]>([
    ['is not in the list', []],
    ['belongs to another user', [payout({ user_reference_id: 'v' })]],
    ['is a deposit', [payout({ kind: 'deposit' })]],
  ])('sent: a payout that %s is refused', async (_name, records) => {
    await unknown()
    await expect(resolver(...records)('w1', sent)).rejects.toMatchObject({
      code: 'invalid_request',
      extras: { errors: { transaction_uuid: [expect.any(String)] } },
    })
    expect(await stores.one.withdrawals.find('w1')).toMatchObject({ status: 'unknown', resolution: null })
  })

  describe('a withdrawal that nobody has decided in time', () => {
    const undecided = {
      status: 'pending_authorization',
      step: 'pending',
      review: '["review_above"]',
      overdue_ms: NOW,
      called_ms: null,
      call_ended_ms: null,
      next_check_ms: null,
    } as const

    test('not_sent: it ends, and is not sent any more', async () => {
      await unknown({ ...undecided, early_decision: 'approve', wait_until_ms: NOW + 1000 })
      const answer = await resolver()('w1', { outcome: 'not_sent', note: 'nobody answers' })
      expect(answer).toMatchObject({ status: 'failed', failure_reason: 'not_sent', attention: null })
      expect(answer.resolution).toMatchObject({ outcome: 'not_sent', note: 'nobody answers', settled_by: 'merchant' })
      expect(await balance()).toEqual({ available: '10', held: '0' })
      expect(await stores.one.withdrawals.find('w1')).toMatchObject({ step: 'ended', early_decision: null })
      await expect(resolver()('w1', { outcome: 'not_sent' })).rejects.toMatchObject({ code: 'conflict' })
    })

    test('sent: no payout can be its own', async () => {
      await unknown(undecided)
      await expect(resolver(payout())('w1', sent)).rejects.toMatchObject({ code: 'invalid_request' })
      expect(await balance()).toEqual({ available: '0', held: '10' })
    })

    test('not_sent: refused if it was sent after the person has seen it', async () => {
      await unknown(undecided)
      const { one: store } = stores
      const called = { status: 'processing', step: 'calling', called_ms: NOW } as const
      const late = createResolveWithdrawal({
        ...{ ledgerMode: 'embedded', ledgerStartMs: 0, clock: () => NOW, clockOffset: () => 0 },
        readList: () => Promise.resolve([]),
        store: {
          ...store,
          transaction: async (work) => {
            await changeWithdrawal(store, 'w1', called)
            return store.transaction(work)
          },
        },
      })
      await expect(late('w1', { outcome: 'not_sent' })).rejects.toMatchObject({ code: 'conflict' })
      expect(await store.withdrawals.find('w1')).toMatchObject({ status: 'processing', resolution: null })
    })
  })

  test('sent: a payout that another withdrawal has is refused', async () => {
    await unknown()
    await unknown({ id: 'w2', idempotency_key: 'key-2' })
    const resolve = resolver(payout())
    await resolve('w1', sent)
    await expect(resolve('w2', sent)).rejects.toMatchObject({ code: 'invalid_request' })
    expect(await stores.one.withdrawals.find('w2')).toMatchObject({ status: 'unknown', resolution: null })
    expect(await reasons()).toEqual([])
  })

  test('not sent: the hold is released; a later payout is nevertheless followed and reported', async () => {
    await unknown()
    expect(await resolver()('w1', { outcome: 'not_sent', note: 'The operator said so.' })).toMatchObject({
      status: 'failed',
      failure_reason: 'not_sent',
      attention: null,
    })
    const notSent = {
      outcome: 'not_sent',
      transaction_uuid: null,
      note: 'The operator said so.',
      resolved_at: expect.any(String) as string,
      settled_by: 'merchant',
    }
    expect(await balance()).toEqual({ available: '10', held: '0' })
    expect(await reasons()).toEqual([])
    expect(await createFindWithdrawal(stores.one, () => NOW)('w1')).toMatchObject({
      paid_amount: null,
      resolution: notSent,
    })
    await stores.one.applyRecords('u', [payout({ amount: decimal('10') })], {
      ledgerMode: 'embedded',
      ledgerStartMs: 0,
    })
    expect(await createFindWithdrawal(stores.one, () => NOW)('w1')).toMatchObject({
      status: 'succeeded',
      transaction_uuid: UUID,
      resolution: notSent,
    })
    expect(await balance()).toEqual({ available: '0', held: '0' })
    expect(await reasons()).toEqual(['late_payout'])
  })

  test('not sent: refused if its payout was found after the person has seen it, and allowed once the person has seen that', async () => {
    await unknown({ overdue_ms: NOW })
    const resolve = resolver(payout({ amount: decimal('10'), status: 'processing' }))
    await expect(resolve('w1', { outcome: 'not_sent' })).rejects.toMatchObject({ code: 'conflict' })
    expect(await createFindWithdrawal(stores.one, () => NOW)('w1')).toMatchObject({
      ...{ status: 'processing', transaction_uuid: UUID, resolution: null, attention: 'overdue' },
    })
    expect(await balance()).toEqual({ available: '0', held: '10' })
    expect(await resolve('w1', { outcome: 'not_sent' })).toMatchObject({ status: 'failed', transaction_uuid: UUID })
  })

  test('not sent: refused while a payout of the user belongs to nothing', async () => {
    await unknown()
    const told = { ledgerMode: 'embedded', ledgerStartMs: 0 } as const
    await stores.one.applyRecords('u', [payout({ amount: decimal('9.4') })], told)
    await expect(resolver()('w1', { outcome: 'not_sent' })).rejects.toMatchObject({
      code: 'conflict',
      extras: { unowned: [UUID] },
    })
    expect(await balance()).toEqual({ available: '0', held: '10' })
  })

  test('not sent: refused while the list shows a payout that another user has, until its line is dismissed', async () => {
    await unknown()
    await stores.one.users.ensure('v', NOW)
    await seed(stores.one, {
      withdrawals: [
        sampleWithdrawal({
          ...{ id: 'w2', idempotency_key: 'key-2', user_reference_id: 'v' },
          ...{ status: 'succeeded', called_ms: NOW, call_ended_ms: NOW, transaction_uuid: UUID },
        }),
      ],
      records: [sampleRecord({ user_reference_id: 'u', transaction_uuid: UUID, seen_ms: NOW })],
    })
    for (let n = 0; n < 2; n += 1)
      await expect(resolver()('w1', { outcome: 'not_sent' })).rejects.toMatchObject({
        code: 'conflict',
        detail: expect.stringContaining(UUID) as string,
      })
    expect(await balance()).toEqual({ available: '0', held: '10' })
    const lines = await stores.one.quarantine.list({ reason: 'list_conflict', settled: false, after: 0, limit: 9 })
    expect(lines).toMatchObject([{ user_reference_id: 'u', transaction_uuid: UUID }])
    for (const { id } of lines) await stores.one.quarantine.settle(id, { by: 'merchant', now: NOW })
    expect(await resolver()('w1', { outcome: 'not_sent' })).toMatchObject({ status: 'failed' })
    expect(await balance()).toEqual({ available: '10', held: '0' })
  })

  test('not sent: a dismissed payout that another user has stays dismissed while the list tells its value anew', async () => {
    await unknown()
    await stores.one.users.ensure('v', NOW)
    await seed(stores.one, {
      withdrawals: [
        sampleWithdrawal({
          ...{ id: 'w2', idempotency_key: 'key-2', user_reference_id: 'v', funds: 'paid' },
          ...{ status: 'succeeded', called_ms: NOW, call_ended_ms: NOW, transaction_uuid: UUID },
        }),
      ],
    })
    await applyOneFact(stores.one, sampleFact({ kind: 'payout', transaction_uuid: UUID, user_reference_id: 'v' }))
    let reads = 0
    const resolve = createResolveWithdrawal({
      ...{ store: stores.one, ledgerMode: 'embedded', ledgerStartMs: 0, clockOffset: () => 0, clock: () => NOW },
      readList: () => {
        now += 1000
        reads += 1
        const listed = payout()
        const record = JSON.stringify({
          ...sampleTransactionRecord({ amount: decimal('9.5') }),
          amount_usd: String(reads),
        })
        return Promise.resolve([{ ...listed, record }])
      },
    })
    await expect(resolve('w1', { outcome: 'not_sent' })).rejects.toMatchObject({ code: 'conflict' })
    for (const { id } of await stores.one.quarantine.list({ reason: null, settled: false, after: 0, limit: 9 }))
      await stores.one.quarantine.settle(id, { by: 'merchant', now })
    expect(await resolve('w1', { outcome: 'not_sent' })).toMatchObject({ status: 'failed' })
    expect(reads).toBe(2)
  })

  test('sent: an accepted withdrawal that needs a person follows its payout, and shows the paid amount', async () => {
    await unknown({ status: 'processing', next_check_ms: null, overdue_ms: NOW })
    const resolve = resolver(payout({ amount: decimal('9.4') }))
    expect(await resolve('w1', sent)).toMatchObject({
      status: 'succeeded',
      amount: '10',
      paid_amount: '9.4',
      transaction_uuid: UUID,
      attention: null,
      resolution: {
        outcome: 'sent',
        transaction_uuid: UUID,
        note: 'net of the fee',
        resolved_at: expect.any(String) as string,
      },
    })
    expect(await balance()).toEqual({ available: '0', held: '0' })
    expect(await reasons()).toEqual([])
  })

  describe('a withdrawal whose transaction only an error reply named', () => {
    const NAMED = '5d3e8f3a-0c55-4f0e-9a53-6a0f9d9f2b01'
    const named = (more: Partial<WithdrawalColumns> = {}) =>
      unknown({ status: 'processing', next_check_ms: null, transaction_uuid: NAMED, overdue_ms: NOW, ...more })

    test('not sent: the hold is released; a later report of the gateway wins, and is in quarantine', async () => {
      await named()
      expect(await resolver()('w1', { outcome: 'not_sent' })).toMatchObject({
        status: 'failed',
        failure_reason: 'not_sent',
        transaction_uuid: NAMED,
        attention: null,
      })
      expect(await balance()).toEqual({ available: '10', held: '0' })
      expect(await reasons()).toEqual([])
      const late = payout({ transaction_uuid: NAMED })
      await stores.one.applyRecords('u', [late], { ledgerMode: 'embedded', ledgerStartMs: 0 })
      expect(await createFindWithdrawal(stores.one, () => NOW)('w1')).toMatchObject({
        status: 'succeeded',
        paid_amount: '9.5',
      })
      expect(await balance()).toEqual({ available: '0', held: '0' })
      expect(await reasons()).toEqual(['late_payout'])
    })

    test.each([
      ['another transaction of the list', UUID],
      ['that transaction, which the list now has', NAMED],
    ])('sent as %s: the withdrawal follows it', async (_name, transaction_uuid) => {
      await named()
      const resolve = resolver(payout({ transaction_uuid }))
      expect(await resolve('w1', { ...sent, transaction_uuid })).toMatchObject({
        status: 'succeeded',
        transaction_uuid,
        paid_amount: '9.5',
        attention: null,
      })
      expect(await balance()).toEqual({ available: '0', held: '0' })
      expect(await reasons()).toEqual([])
    })

    test('not sent: refused before a person is asked', async () => {
      await named({ overdue_ms: null })
      await expect(resolver()('w1', { outcome: 'not_sent' })).rejects.toMatchObject({ code: 'conflict' })
    })

    test('not sent, though its record stays listed: that record counts as failed until it says success', async () => {
      await named({ record_status: 'processing', reply_amount: decimal('10') })
      expect(await resolver()('w1', { outcome: 'not_sent' })).toMatchObject({ status: 'failed', attention: null })
      const told = { ledgerMode: 'embedded', ledgerStartMs: 0 } as const
      await stores.one.applyRecords('u', [payout({ transaction_uuid: NAMED, status: 'processing' })], told)
      expect(await balance()).toEqual({ available: '10', held: '0' })
      await stores.one.applyRecords('u', [payout({ transaction_uuid: NAMED })], told)
      expect(await createFindWithdrawal(stores.one, () => NOW)('w1')).toMatchObject({ status: 'succeeded' })
      expect(await balance()).toEqual({ available: '0', held: '0' })
      expect(await reasons()).toEqual(['late_payout'])
    })
  })

  test('a withdrawal that does not exist, or is not unknown, is refused', async () => {
    await expect(resolver()('w1', sent)).rejects.toMatchObject({ code: 'not_found' })
    await expect(createFindWithdrawal(stores.one, () => NOW)('w1')).rejects.toMatchObject({ code: 'not_found' })
    await unknown({ status: 'processing' })
    await expect(resolver()('w1', { outcome: 'not_sent' })).rejects.toMatchObject({ code: 'conflict' })
    await expect(resolver(payout())('w1', sent)).rejects.toMatchObject({ code: 'conflict' })
  })

  test('the list: newest first, page by page, by status and user', async () => {
    const list = createListWithdrawals(stores.one, () => NOW)
    const all = { status: null, user_reference_id: null, after: null, limit: 2 } as const
    const empty = await list(all)
    expect(empty.withdrawals).toEqual([])
    expect((await list({ ...all, after: empty.next_cursor })).withdrawals).toEqual([])
    for (const [id, user_reference_id, status, created_ms] of [
      ['a', 'u', 'unknown', 1],
      ['b', 'v', 'failed', 2],
      ['c', 'u', 'failed', 2],
      ['d', 'u', 'unknown', 3],
      ['e', 'v', 'unknown', 4],
    ] as const)
      await seed(stores.one, {
        withdrawals: [sampleWithdrawal({ id, user_reference_id, status, created_ms, idempotency_key: id })],
      })
    const walk = async (filter: object): Promise<string[]> => {
      const pages: string[] = []
      let after: string | null = null
      for (;;) {
        const page: Awaited<ReturnType<typeof list>> = await list({ ...all, ...filter, after })
        if (page.withdrawals.length === 0) return pages
        pages.push(page.withdrawals.map(({ id }) => id).join(''))
        after = page.next_cursor
      }
    }
    expect(await walk({})).toEqual(['ed', 'cb', 'a'])
    expect(await walk({ status: 'unknown' })).toEqual(['ed', 'a'])
    expect(await walk({ user_reference_id: 'u' })).toEqual(['dc', 'a'])
    expect(await walk({ user_reference_id: 'v', status: 'failed' })).toEqual(['b'])
    for (const after of ['', 'x', '1', '-1-a', '99999999999999999-a', '9999999999999999-a'])
      await expect(list({ ...all, after })).rejects.toMatchObject({
        code: 'invalid_request',
        extras: { errors: { after: [expect.any(String)] } },
      })
  })
})
