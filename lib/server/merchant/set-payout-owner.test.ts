import { describe, expect, test } from 'vitest'
import { decimal } from '#lib/contract/money.ts'
import type { PayoutOwnerRequest } from '#lib/contract/withdrawal-requests.ts'
import type { QuarantineResolution } from '#lib/contract/merchant-requests.ts'
import type { Fact } from '../ledger/facts.ts'
import { setOwner } from '../ledger/payouts/payout-owners.ts'
import { settleWithdrawal } from '../ledger/settle-withdrawal.ts'
import { completeWithdrawal, sampleFact, sampleWithdrawal } from '../store/testing/sample-rows.ts'
import { applyOneFact, seed } from '../store/testing/seed.ts'
import { contentsOf } from '../store/tables/contents.ts'
import { FLAVOURS } from '../store/testing/test-databases.ts'
import { useStores } from '../store/testing/use-stores.ts'
import type { Store, WithdrawalRow } from '../store/types.ts'
import { createListPayouts } from './list-payouts.ts'
import { createFindWithdrawal } from './list-withdrawals.ts'
import { MERCHANT_BACKEND, type MerchantCaller } from './merchant-caller.ts'
import { createResolveQuarantine } from './resolve-quarantine.ts'
import { createSetPayoutOwner } from './set-payout-owner.ts'

const NOW = Date.UTC(2026, 10, 21, 12)
const acknowledged = { acknowledged: true, note: 'Paid by hand.' } as const

describe.each(FLAVOURS)('on %s', (flavour) => {
  let now = NOW
  const stores = useStores(flavour, { clock: () => now })

  /** The list shows this payout, of an amount that no withdrawal has. */
  async function shown(transaction_uuid: string, more: Partial<Fact> = {}, ledgerStartMs = 0): Promise<void> {
    const fact = sampleFact({
      kind: 'payout',
      transaction_uuid,
      status: 'succeeded',
      source: 'reconciliation',
      amount: decimal('9.4'),
      to_address: 'TAddress',
      ...more,
    })
    await stores.one.users.ensure(fact.user_reference_id ?? '', NOW)
    await applyOneFact(stores.one, fact, { insertedMs: now, insertedAt: new Date(now).toISOString(), ledgerStartMs })
  }

  async function withdrawal(more: Partial<WithdrawalRow> = {}): Promise<void> {
    const called = { status: 'unknown', called_ms: NOW, call_ended_ms: NOW, next_check_ms: NOW } as const
    const row = sampleWithdrawal({ amount: decimal('10'), ...called, ...more })
    const { user_reference_id, currency_id, amount } = row
    const booking = { user_reference_id, currency_id, amount }
    await stores.one.users.ensure(user_reference_id, NOW)
    await seed(stores.one, {
      bookings: [
        { ...booking, booking: 'adjustment', posting_key: `funds:${row.id}` },
        { ...booking, booking: 'hold', posting_key: `hold:${row.id}` },
      ],
      withdrawals: [row],
    })
  }

  const setPayoutOwner = (uuid: string, request: PayoutOwnerRequest) => createSetPayoutOwner(stores.one)(uuid, request)
  const find = (id: string) => createFindWithdrawal(stores.one, () => NOW)(id)
  const balance = async () => {
    const { available, held } = await stores.one.ledger.balance('u', 'c1')
    return { available, held }
  }
  const lines = async (settled = false) =>
    (await stores.one.quarantine.list({ reason: null, settled, after: 0, limit: 9 })).map((row) => row.reason)
  const list = async (query: Partial<Parameters<ReturnType<typeof createListPayouts>>[0]> = {}) =>
    createListPayouts(stores.one)({ owner: null, user_reference_id: null, after: null, limit: 100, ...query })
  const uuids = async (query: Parameters<typeof list>[0] = {}) =>
    (await list(query)).payouts.map(({ transaction_uuid }) => transaction_uuid)

  test('a withdrawal follows the payout that a person gives it, once', async () => {
    await withdrawal()
    await shown('p1')
    expect(await lines()).toEqual(['unmatched_payout'])
    expect(await find('w1')).toMatchObject({ status: 'unknown', attention: 'unmatched_payout' })
    const given = await setPayoutOwner('p1', { withdrawal_id: 'w1', note: 'net of the fee' })
    expect(given).toEqual({
      transaction_uuid: 'p1',
      user_reference_id: 'u',
      currency_id: 'c1',
      currency_code: 'USDT',
      network: 'Tron',
      amount: '9.4',
      to_address: 'TAddress',
      status: 'succeeded',
      inserted_at: '2026-11-21T12:00:00.000Z',
      first_seen_at: '2026-11-21T12:00:00.000Z',
      owner: 'withdrawal',
      withdrawal_id: 'w1',
      note: 'net of the fee',
    })
    expect((await list({ owner: 'withdrawal' })).payouts).toEqual([given])
    expect(await find('w1')).toMatchObject({
      status: 'succeeded',
      transaction_uuid: 'p1',
      paid_amount: '9.4',
      attention: null,
    })
    expect(await balance()).toEqual({ available: '0', held: '0' })
    expect(await lines()).toEqual([])
    expect((await stores.one.transactions.find('payout', 'p1'))?.withdrawal_id).toBe('w1')
    const feed = await stores.one.events.feedAfter(0, 9)
    expect(JSON.parse(feed.at(-1)?.data ?? '')).toMatchObject({ withdrawal_id: 'w1', status: 'succeeded' })
    for (const request of [{ withdrawal_id: 'w1' }, acknowledged])
      await expect(setPayoutOwner('p1', request)).rejects.toMatchObject({ code: 'conflict' })
  })

  const notSent = () =>
    stores.one.unitOfWork({ users: ['u'], withdrawals: ['w1'], attemptsOf: ['u'] }, (unit) => {
      const row = unit.withdrawal('w1')
      if (row !== null) settleWithdrawal(unit, row, { evidence: { kind: 'not_sent' }, source: 'cashier' })
    })

  test.each([
    ['of its amount, and the other fails', '9.4', () => shown('p1', { status: 'failed' })],
    ['net of a fee, and the other fails', '9.1', () => shown('p1', { status: 'failed' })],
    ['of its amount, and a person calls it not sent', '9.4', notSent],
  ])('a payout that nobody could give to a withdrawal which had another, %s', async (_what, amount, fail) => {
    await withdrawal({ status: 'processing', next_check_ms: null, amount: decimal('9.4') })
    await shown('p1', { status: 'processing' })
    expect(await find('w1')).toMatchObject({ status: 'processing', transaction_uuid: 'p1' })
    const second = { amount: decimal(amount) }
    await shown('p2', { ...second, status: 'processing' })
    await expect(setPayoutOwner('p2', { withdrawal_id: 'w1' })).rejects.toMatchObject({ code: 'conflict' })
    await setPayoutOwner('p2', acknowledged)
    await shown('p2', second)
    expect(await lines()).toEqual([])
    await fail()
    expect([await find('w1'), await balance()]).toMatchObject([{ status: 'failed' }, { available: '9.4', held: '0' }])
    const [line, ...more] = await stores.one.quarantine.list({ reason: null, settled: false, after: 0, limit: 9 })
    expect([line, more]).toMatchObject([{ reason: 'contradiction', transaction_uuid: 'p2' }, []])
    expect(JSON.parse(line?.event ?? '')).toMatchObject({ stands: { owner: 'acknowledged', amount } })
    await stores.one.quarantine.settle(line?.id ?? 0, { by: 'merchant', now: NOW })
    await fail()
    expect(await lines()).toEqual([])
  })

  test('a payout that an event calls another user’s is given to a withdrawal of the list’s user', async () => {
    await stores.one.reconciliation.keepLedgerStart(0)
    await stores.one.users.ensure('other', NOW)
    await applyOneFact(
      stores.one,
      sampleFact({ kind: 'payout', transaction_uuid: 'p1', user_reference_id: 'other', amount: decimal('9.4') }),
    )
    await shown('p1')
    await withdrawal()
    await setPayoutOwner('p1', { withdrawal_id: 'w1' })
    expect([(await find('w1')).status, await balance()]).toEqual(['succeeded', { available: '0', held: '0' }])
    const { broken } = await contentsOf(stores.one.database.db, flavour)()
    expect(broken.filter(({ what, count }) => count > 0 && !what.includes('no currencies'))).toEqual([])
  })

  test('a withdrawal that was given back is booked again, and reported', async () => {
    await withdrawal()
    await stores.one.unitOfWork({ users: ['u'], withdrawals: ['w1'], balances: [['u', 'c1']] }, (unit) => {
      const row = unit.withdrawal('w1')
      if (row !== null) settleWithdrawal(unit, row, { evidence: { kind: 'absent' }, source: 'reconciliation' })
    })
    expect(await balance()).toEqual({ available: '10', held: '0' })
    await shown('p1')
    await setPayoutOwner('p1', { withdrawal_id: 'w1' })
    expect(await find('w1')).toMatchObject({ status: 'succeeded', transaction_uuid: 'p1' })
    expect(await balance()).toEqual({ available: '0', held: '0' })
    expect(await lines()).toEqual(['late_payout'])
  })

  test('an acknowledged payout books nothing, and is asked about no more', async () => {
    await withdrawal()
    await shown('p1')
    expect(await setPayoutOwner('p1', acknowledged)).toMatchObject({
      owner: 'acknowledged',
      withdrawal_id: null,
      note: 'Paid by hand.',
    })
    await shown('p1', { tx_hash: '0xab' })
    expect(await lines()).toEqual([])
    expect(await stores.one.payouts.countOpen()).toBe(0)
    expect(await balance()).toEqual({ available: '0', held: '10' })
    expect(await find('w1')).toMatchObject({ status: 'unknown', attention: null })
    for (const request of [{ withdrawal_id: 'w1' }, acknowledged])
      await expect(setPayoutOwner('p1', request)).rejects.toMatchObject({ code: 'conflict' })
  })

  test.each<[string, Partial<Fact>, Partial<Fact>]>([
    ['had failed, and succeeds after all', { status: 'failed' }, { status: 'succeeded' }],
    ['was under way, and succeeds with another amount', { status: 'processing' }, { amount: decimal('940') }],
  ])('a payout that was acknowledged while it %s, is open again', async (_name, then, later) => {
    await shown('p1', then)
    await setPayoutOwner('p1', acknowledged)
    expect([await uuids({ owner: 'none' }), await lines()]).toEqual([[], []])
    await shown('p1', later)
    expect([await uuids({ owner: 'none' }), await lines()]).toEqual([['p1'], ['unmatched_payout']])
    await setPayoutOwner('p1', acknowledged)
    await shown('p1', { ...later, tx_hash: '0xab' })
    expect([await uuids({ owner: 'none' }), await lines()]).toEqual([[], []])
  })

  test('a payout that is unknown, or from before the start, is refused', async () => {
    await expect(setPayoutOwner('p1', acknowledged)).rejects.toMatchObject({ code: 'not_found' })
    await shown('p1', {}, NOW + 1)
    expect(await uuids({ owner: 'before' })).toEqual(['p1'])
    await expect(setPayoutOwner('p1', acknowledged)).rejects.toMatchObject({ code: 'conflict' })
  })

  test('a payout from just before the start is open if a withdrawal may have it', async () => {
    await withdrawal()
    await shown('p1', {}, NOW + 1)
    expect(await uuids({ owner: 'none' })).toEqual(['p1'])
    expect(await find('w1')).toMatchObject({ attention: 'unmatched_payout' })
  })

  test.each<[string, Partial<WithdrawalRow>, string]>([
    ["is another user's", { user_reference_id: 'v' }, 'invalid_request'],
    ['does not exist', { id: 'w2' }, 'invalid_request'],
    ['was never sent', { status: 'pending_authorization', step: 'pending', called_ms: null }, 'conflict'],
    ['has a payout', { status: 'processing', transaction_uuid: 'p0', record_status: 'processing' }, 'conflict'],
    ['was paid', { status: 'succeeded', transaction_uuid: 'p0', record_status: 'succeeded' }, 'conflict'],
  ])('a withdrawal that %s does not get it', async (_name, more, code) => {
    await withdrawal(more)
    await shown('p1')
    const before = await stores.one.withdrawals.find('w1')
    await expect(setPayoutOwner('p1', { withdrawal_id: 'w1' })).rejects.toMatchObject({ code })
    expect(await uuids({ owner: 'none' })).toEqual(['p1'])
    expect(await stores.one.withdrawals.find('w1')).toEqual(before)
    expect(await lines()).toEqual(['unmatched_payout'])
  })

  test('a withdrawal whose own payout failed may get another', async () => {
    await withdrawal()
    await shown('p0')
    await setPayoutOwner('p0', { withdrawal_id: 'w1' })
    await withdrawal({ id: 'w2', idempotency_key: 'key-2' })
    await shown('p1', { status: 'processing' })
    await setPayoutOwner('p1', { withdrawal_id: 'w2' })
    await shown('p1', { status: 'failed' })
    expect(await find('w2')).toMatchObject({ status: 'failed', transaction_uuid: 'p1' })
    await shown('p2')
    await setPayoutOwner('p2', { withdrawal_id: 'w2' })
    expect(await find('w2')).toMatchObject({ status: 'succeeded', transaction_uuid: 'p2' })
    expect(await balance()).toEqual({ available: '0', held: '0' })
  })

  test('a withdrawal that a person called not sent follows the payout that it is given, and frees its own', async () => {
    await withdrawal({ status: 'failed', failure: 'record', failure_reason: 'not_sent', funds: 'released' })
    await shown('p0', { status: 'processing' })
    await stores.one.unitOfWork(
      { users: ['u'], withdrawals: ['w1'], transactions: [{ kind: 'payout', transaction_uuid: 'p0' }] },
      (unit) => {
        const row = unit.withdrawal('w1')
        const payout = unit.payout('p0')
        if (row === null || payout === null) return
        unit.putWithdrawal(completeWithdrawal({ ...row, transaction_uuid: 'p0', record_status: 'processing' }))
        setOwner(unit, payout, 'withdrawal', { withdrawalId: 'w1' })
      },
    )
    await shown('p1', { status: 'processing' })
    await setPayoutOwner('p1', { withdrawal_id: 'w1' })
    expect(await find('w1')).toMatchObject({ status: 'processing', transaction_uuid: 'p1' })
    expect(await uuids({ owner: 'none' })).toEqual(['p0'])
    expect((await lines()).toSorted()).toEqual(['late_payout', 'unmatched_payout'])
    await shown('p1')
    expect(await find('w1')).toMatchObject({ status: 'succeeded', transaction_uuid: 'p1' })
    expect(await uuids({ owner: 'none' })).toEqual(['p0'])
  })

  /** The second withdrawal has the payout by its reply, and perhaps by what its record said then. */
  async function named(more: Partial<WithdrawalRow>, said: Partial<WithdrawalRow>): Promise<void> {
    await withdrawal()
    await withdrawal({ ...more, id: 'w2', idempotency_key: 'key-2', next_check_ms: null } as Partial<WithdrawalRow>)
    await shown('p1')
    await stores.one.unitOfWork({ users: ['u'], withdrawals: ['w2'] }, (unit) => {
      const row = unit.withdrawal('w2')
      const changed = { transaction_uuid: 'p1', reply_transaction_uuid: 'p1', ...said }
      if (row !== null) unit.putWithdrawal(completeWithdrawal({ ...row, ...changed }))
    })
  }

  const accepted = { status: 'processing', reply_amount: decimal('10') } as const
  const processing = { record_status: 'processing', paid_amount: decimal('9.4') } as const
  const givenBack = { status: 'failed', failure: 'record', failure_reason: 'not_sent', funds: 'released' } as const
  test.each<[string, Partial<WithdrawalRow>, Partial<WithdrawalRow>, WithdrawalRow['status']]>([
    ['accepted', accepted, {}, 'processing'],
    ['accepted and under way', accepted, processing, 'processing'],
    ['accepted long ago', accepted, { ...processing, overdue_ms: NOW }, 'processing'],
    ['answered by an error', { status: 'processing' }, {}, 'unknown'],
    ['given back', givenBack, processing, 'failed'],
  ])('a payout that the reply of another withdrawal named, %s, may be given', async (_name, more, said, then) => {
    await named(more, said)
    await setPayoutOwner('p1', { withdrawal_id: 'w1' })
    expect(await find('w1')).toMatchObject({ status: 'succeeded', transaction_uuid: 'p1' })
    expect(await find('w2')).toMatchObject({ status: then, transaction_uuid: null, paid_amount: null, attention: null })
    // It takes its own payout later.
    await shown('p2', { amount: decimal('10') })
    expect(await find('w2')).toMatchObject({ status: 'succeeded', transaction_uuid: 'p2', paid_amount: '10' })
  })

  test('a payout that has paid a withdrawal is not given to another', async () => {
    await named(accepted, { status: 'succeeded', record_status: 'succeeded', overdue_ms: null })
    await expect(setPayoutOwner('p1', { withdrawal_id: 'w1' })).rejects.toMatchObject({ code: 'conflict' })
    expect(await find('w1')).toMatchObject({ status: 'unknown', transaction_uuid: null })
  })

  test('of two persons at once, the first is heard', async () => {
    await withdrawal()
    await withdrawal({ id: 'w2', idempotency_key: 'key-2' })
    await shown('p1')
    const answers = await Promise.allSettled([
      setPayoutOwner('p1', { withdrawal_id: 'w1' }),
      setPayoutOwner('p1', { withdrawal_id: 'w2' }),
      setPayoutOwner('p1', acknowledged),
    ])
    expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected'])
    for (const answer of answers)
      if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ code: 'conflict' })
    expect(await uuids({ owner: 'none' })).toEqual([])
  })

  test('dismissing the line of an open payout acknowledges it, with a note', async () => {
    await withdrawal()
    await shown('p1')
    const resolveAs = createResolveQuarantine({
      store: stores.one,
      clock: () => NOW,
      applyAgain: () => Promise.resolve(null),
    })
    const resolve = (of: string, resolution: QuarantineResolution, caller = MERCHANT_BACKEND) =>
      resolveAs(of, resolution, caller)
    const id = String((await stores.one.quarantine.list({ reason: null, settled: false, after: 0, limit: 1 }))[0]?.id)
    for (const note of [null, undefined, ' '])
      await expect(resolve(id, { action: 'dismiss', note })).rejects.toMatchObject({
        code: 'invalid_request',
        extras: { errors: { note: [expect.any(String)] } },
      })
    expect(await uuids({ owner: 'none' })).toEqual(['p1'])
    expect(await lines()).toEqual(['unmatched_payout'])
    await expect(resolve(id, { action: 'apply', note: 'x' })).rejects.toMatchObject({ code: 'conflict' })
    const decider: MerchantCaller = { by: 'merchant:back office', scopes: ['decide'] }
    await expect(resolve(id, { action: 'dismiss', note: 'x' }, decider)).rejects.toMatchObject({
      code: 'scope_required',
    })
    const owner: MerchantCaller = { by: 'merchant:back office', scopes: ['decide', 'payouts'] }
    expect(await resolve(id, { action: 'dismiss', note: 'Paid by hand.' }, owner)).toMatchObject({
      outcome: 'dismissed',
      item: { settled_by: 'merchant:back office', note: 'Paid by hand.' },
    })
    expect((await list({ owner: 'acknowledged' })).payouts).toMatchObject([
      { transaction_uuid: 'p1', note: 'Paid by hand.' },
    ])
    await expect(resolve(id, { action: 'dismiss', note: 'again' })).rejects.toMatchObject({ code: 'conflict' })
    expect(await lines()).toEqual([])
    expect(await lines(true)).toEqual(['unmatched_payout'])
  })

  test.each(['while its line is dismissed', 'before'])(
    'a payout that a message gives to another user %s is not acknowledged by that line',
    async (when) => {
      await withdrawal({ user_reference_id: 'v' })
      await shown('p1')
      const [line] = await stores.one.quarantine.list({
        reason: 'unmatched_payout',
        settled: false,
        after: 0,
        limit: 9,
      })
      expect(line).toMatchObject({ user_reference_id: 'u' })
      const moves = () => shown('p1', { user_reference_id: 'v' })
      if (when === 'before') await moves()
      const store: Store = {
        ...stores.one,
        async transaction(work) {
          if (when !== 'before') await moves()
          return stores.one.transaction(work)
        },
      }
      const resolve = createResolveQuarantine({ store, clock: () => NOW, applyAgain: () => Promise.resolve(null) })
      await expect(
        resolve(String(line?.id), { action: 'dismiss', note: 'Paid by hand to u.' }, MERCHANT_BACKEND),
      ).rejects.toMatchObject({ code: 'conflict', detail: expect.stringContaining('another user') as string })
      expect(await stores.one.payouts.find('p1')).toMatchObject({ owner: null, user_reference_id: 'v' })
      expect(await find('w1')).toMatchObject({ attention: 'unmatched_payout' })
      expect(await lines()).toContain('unmatched_payout')
      await setPayoutOwner('p1', acknowledged)
      expect(await lines()).not.toContain('unmatched_payout')
    },
  )

  test('the list: newest first, page by page, by owner and user', async () => {
    const empty = await list()
    expect(empty.payouts).toEqual([])
    expect((await list({ after: empty.next_cursor })).payouts).toEqual([])
    for (const [at, uuid, user_reference_id] of [
      [1, 'a b', 'u'],
      [2, 'c-d', 'v'],
      [2, 'e', 'u'],
      [3, 'f', 'u'],
    ] as const) {
      now = NOW + at
      await shown(uuid, { user_reference_id })
    }
    now = NOW
    await setPayoutOwner('f', acknowledged)
    const walk = async (query: Parameters<typeof list>[0]): Promise<string[][]> => {
      const pages: string[][] = []
      let after: string | null = null
      for (;;) {
        const page: Awaited<ReturnType<typeof list>> = await list({ ...query, limit: 2, after })
        if (page.payouts.length === 0) return pages
        pages.push(page.payouts.map(({ transaction_uuid }) => transaction_uuid))
        after = page.next_cursor
      }
    }
    expect(await walk({})).toEqual([
      ['f', 'e'],
      ['c-d', 'a b'],
    ])
    expect(await walk({ owner: 'none' })).toEqual([['e', 'c-d'], ['a b']])
    expect(await walk({ owner: 'none', user_reference_id: 'u' })).toEqual([['e', 'a b']])
    expect(await walk({ owner: 'acknowledged', user_reference_id: 'v' })).toEqual([])
    for (const after of ['', 'x', '1', '-1-a', '99999999999999999-a', '9999999999999999-a'])
      await expect(list({ after })).rejects.toMatchObject({
        code: 'invalid_request',
        extras: { errors: { after: [expect.any(String)] } },
      })
  })
})
