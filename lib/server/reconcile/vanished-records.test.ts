/** Records of booked money that the whole list no longer has, on both databases. */
import { beforeEach, describe, expect, test } from 'vitest'
import { decimal } from '#lib/contract/money.ts'
import { sampleTransactionRecord, STATUSES } from '../gateway/testing/sample-record.ts'
import type { TransactionRecord } from '../gateway/types.ts'
import { setOwner } from '../ledger/payouts/payout-owners.ts'
import { sampleFact, sampleWithdrawal } from '../store/testing/sample-rows.ts'
import { applyOneFact, seed } from '../store/testing/seed.ts'
import { FLAVOURS } from '../store/testing/test-databases.ts'
import { useStores } from '../store/testing/use-stores.ts'
import { createCompareUser } from './compare-user.ts'
import { createFindOverdue } from './find-overdue.ts'
import { reportMissing } from './report-missing.ts'
import type { Edge } from './scan-user-list.ts'
import { pagedGateway } from './testing/user-list.ts'

const DAY = 86_400_000
const START = Date.UTC(2026, 10, 1)
const USER = 'user_1'
const ADDRESS = '0x1111111111111111111111111111111111111111'

function edge(transaction_uuid: string, more: Partial<TransactionRecord> = {}): Edge {
  const inserted_at = new Date(START).toISOString()
  const node = sampleTransactionRecord({ transaction_uuid, status: 'TXN_PROVIDER_SUCCEEDED', inserted_at, ...more })
  return { cursor: transaction_uuid, inserted_at, node }
}

describe.each(FLAVOURS)('vanished records on %s', (flavour) => {
  let now = START
  const stores = useStores(flavour, { clock: () => now })
  beforeEach(async () => {
    now = START
    await stores.one.users.ensure(USER, now)
  })

  /** Reads the user's list a day later, whole unless `whole_ms` is given. */
  async function compare(
    list: readonly Edge[],
    {
      whole_ms = null,
      ledgerMode = 'embedded',
      user = USER,
    }: {
      readonly whole_ms?: number | null
      readonly ledgerMode?: 'embedded' | 'merchant'
      readonly user?: string
    } = {},
  ): Promise<void> {
    now += DAY
    const gateway = { ...pagedGateway(list, { most: 20 }), clockOffsetMs: () => 0, statuses: STATUSES }
    const compareUser = createCompareUser({
      store: stores.one,
      gateway,
      ledgerMode,
      ledgerStartMs: 0,
      clock: () => now,
      checkTotals: () => Promise.resolve([]),
    })
    const reconciled_ms = whole_ms === null ? null : now
    const times = { reconciled_ms, last_seen_ms: now, whole_ms, waits_for_whole: 0, incomplete_for_ms: null } as const
    await compareUser({ user_reference_id: user, priority: 'open', ...times })
  }

  const openLines = () => stores.one.quarantine.list({ reason: null, settled: false, after: 0, limit: 99 })
  const lines = async () => {
    const all = await openLines()
    return all.map(({ reason, transaction_uuid, event }) => [
      reason,
      transaction_uuid,
      JSON.parse(event) as Record<string, unknown>,
    ])
  }
  const dismissAll = async () => {
    for (const { id } of await stores.one.quarantine.list({ reason: null, settled: false, after: 0, limit: 99 }))
      await stores.one.quarantine.settle(id, { by: 'merchant', now })
  }
  const available = async () => (await stores.one.ledger.balance(USER, 'c')).available

  test('a credited deposit whose record gets a type that nobody knows, such as a refund', async () => {
    for (const type of ['Deposit', 'deposit', 'Refund', 'Refund'])
      await compare([edge('d', { type }), edge('e', { type: 'Credit' })])
    const message = { transaction_uuid: 'd', type: 'Refund' }
    const stands = { transaction_uuid: 'd', status: 'succeeded' }
    const told = (await lines()).filter(([reason]) => reason === 'contradiction')
    expect([await available(), told]).toMatchObject(['1', [['contradiction', 'd', { stands, message }]]])
  })

  test('a deposit that the merchant booked before the ledger took over the books', async () => {
    await compare([edge('d'), edge('e')], { ledgerMode: 'merchant' })
    await compare([edge('e')])
    const missing = { stands: { transaction_uuid: 'd', status: 'succeeded' }, message: null, missing: true }
    expect([await available(), await lines()]).toMatchObject(['0', [['contradiction', 'd', missing]]])
  })

  test.each([
    ['TXN_NEW', ['missing', 'returned']],
    ['TXN_PROVIDER_SUCCEEDED', ['missing', 'returned']],
    ['TXN_FAILED', []],
  ])('a payout %s that a person called none of ours, who may have debited it', async (status, told) => {
    const payout = edge('p', { type: 'Payout', status })
    await compare([payout, edge('e')])
    await stores.one.unitOfWork({ users: [USER], attemptsOf: [USER] }, (unit) => {
      for (const open of unit.openPayouts(USER)) setOwner(unit, open, 'acknowledged', { note: 'debited' })
    })
    const found: string[] = []
    for (const list of [[edge('e')], [edge('e')], [payout, edge('e')], [payout, edge('e')]]) {
      await compare(list)
      found.push(...(await lines()).flatMap(([, , event]) => Object.keys(event as object).slice(-1)))
      await dismissAll()
    }
    expect(found).toEqual(told)
  })

  test.each(['embedded', 'merchant'] as const)('a credited deposit, where the books are %s', async (ledgerMode) => {
    const credited = ledgerMode === 'embedded' ? '2' : '0'
    await compare([edge('d'), edge('e')], { ledgerMode })
    await compare([edge('e')], { ledgerMode })
    const missing = { stands: { transaction_uuid: 'd', status: 'succeeded' }, message: null, missing: true }
    expect(await lines()).toMatchObject([['contradiction', 'd', missing]])
    expect(await available()).toBe(credited)
    await compare([edge('e')], { ledgerMode })
    expect(await lines()).toHaveLength(1)
    // It is back and gone again before a person has settled the line.
    await compare([edge('d'), edge('e')], { ledgerMode })
    await compare([edge('e')], { ledgerMode })
    expect(await lines()).toMatchObject([['contradiction', 'd', missing]])
    await dismissAll()
    await compare([edge('e')], { ledgerMode })
    expect(await lines()).toEqual([])
    // A person may have corrected the balance meanwhile.
    for (let at = 0; at < 2; at += 1) await compare([edge('d'), edge('e')], { ledgerMode })
    const returned = { stands: { transaction_uuid: 'd', status: 'succeeded' }, message: null, returned: true }
    expect(await lines()).toMatchObject([['contradiction', 'd', returned]])
    expect(await available()).toBe(credited)
    await dismissAll()
    await compare([edge('d'), edge('e')], { ledgerMode })
    expect(await lines()).toEqual([])
    // It is gone once more.
    await compare([edge('e')], { ledgerMode })
    await compare([edge('e')], { ledgerMode })
    expect(await lines()).toMatchObject([['contradiction', 'd', missing]])
    expect(await available()).toBe(credited)
  })

  test.each([true, false])(
    'a deposit that the merchant booked comes back under way, and succeeds again: its line was settled before: %s',
    async (isSettled) => {
      const read = (list: readonly Edge[]) => compare([...list, edge('e')], { ledgerMode: 'merchant' })
      // The gateway may list a purchase as the deposit that it became.
      const bought = { kind: 'onramp', transaction_uuid: 'd', status: 'pending', amount: null } as const
      await applyOneFact(stores.one, sampleFact({ ...bought, user_reference_id: USER, currency_id: 'c' }))
      await read([edge('d')])
      await read([])
      expect(await lines()).toMatchObject([['contradiction', 'd', { missing: true }]])
      if (isSettled) await dismissAll()
      for (let at = 0; at < 2; at += 1) await read([edge('d', { status: 'TXN_NEW' })])
      const message = { transaction_uuid: 'd', status: 'TXN_NEW' }
      expect((await lines()).at(-1)).toMatchObject(['contradiction', 'd', { stands: { status: 'succeeded' }, message }])
      expect(await lines()).toHaveLength(isSettled ? 1 : 2)
      // A person may have taken it back.
      await dismissAll()
      for (let at = 0; at < 2; at += 1) await read([edge('d')])
      expect(await lines()).toMatchObject([['contradiction', 'd', { stands: { status: 'succeeded' }, returned: true }]])
    },
  )

  test.each(['embedded', 'merchant'] as const)(
    'a credited deposit that was stored while the clock was a year ahead, where the books are %s',
    async (ledgerMode) => {
      now += 365 * DAY
      await compare([edge('d'), edge('e')], { ledgerMode })
      now = START
      await compare([edge('e')], { ledgerMode })
      expect(await lines()).toMatchObject([['contradiction', 'd', { missing: true }]])
    },
  )

  test('a record that another user’s list had under the same uuid says nothing about it', async () => {
    await compare([edge('d')])
    await reportMissing(stores.one, 'another', { missing: ['d'], lacksRecent: false })
    expect(await lines()).toEqual([])
    await compare([])
    expect(await lines()).toMatchObject([['contradiction', 'd', { missing: true }]])
  })

  test.each(['embedded', 'merchant'] as const)(
    'a credited deposit whose record the list gives to another user, and back, where the books are %s',
    async (ledgerMode) => {
      const given = edge('d', { user_ref_id: 'another' })
      await compare([edge('d'), edge('e')], { ledgerMode })
      const contradictions = async () => (await lines()).filter(([reason]) => reason === 'contradiction')
      for (const round of ['first', 'second']) {
        for (let at = 0; at < 2; at += 1) await compare([given, edge('e')], { ledgerMode })
        const message = { transaction_uuid: 'd', user_ref_id: 'another' }
        expect([round, await contradictions()]).toMatchObject([round, [['contradiction', 'd', { message }]]])
        await dismissAll()
        await compare([given, edge('e')], { ledgerMode })
        expect(await lines()).toEqual([])
        // A person may have corrected the balance meanwhile.
        for (let at = 0; at < 2; at += 1) await compare([edge('d'), edge('e')], { ledgerMode })
        expect(await contradictions()).toMatchObject([['contradiction', 'd', { returned: true }]])
        await dismissAll()
      }
      expect(await available()).toBe(ledgerMode === 'embedded' ? '2' : '0')
    },
  )

  test.each(['embedded', 'merchant'] as const)(
    'a deposit that the list shows first as another user’s, where the books are %s',
    async (ledgerMode) => {
      const given = edge('d', { user_ref_id: 'another' })
      const told: unknown[] = []
      for (const list of [[given], [edge('d')], [], [edge('d')], [given], [edge('d')]]) {
        for (let at = 0; at < 2; at += 1) await compare([...list, edge('e')], { ledgerMode })
        told.push((await lines()).map(([reason, uuid]) => [reason, uuid]))
        await dismissAll()
      }
      expect(told).toEqual([
        [['foreign_record', 'd']],
        [['list_conflict', 'd']],
        [['contradiction', 'd']],
        [['contradiction', 'd']],
        [['contradiction', 'd']],
        [['contradiction', 'd']],
      ])
      expect(await available()).toBe(ledgerMode === 'embedded' ? '1' : '0')
    },
  )

  test('a deposit that two users’ own lists show, the first of which had shown it as the other’s', async () => {
    await stores.one.users.ensure('another', now)
    const theirs = edge('d', { user_ref_id: 'another' })
    for (const list of [[theirs], [edge('d')]]) {
      await compare(list)
      await dismissAll()
    }
    await compare([theirs], { user: 'another' })
    expect(await lines()).toMatchObject([['contradiction', 'd', {}]])
    expect(await stores.one.ledger.balance('another', 'c')).toMatchObject({ available: '0' })
  })

  test('a payout that an event told as another user’s, and that a person called none of ours', async () => {
    await stores.one.users.ensure('other', now)
    const told = { kind: 'payout', transaction_uuid: 'p', status: 'succeeded', user_reference_id: 'other' } as const
    await applyOneFact(stores.one, sampleFact({ ...told, currency_id: 'c', amount: decimal('1') }))
    const payout = edge('p', { type: 'Payout' })
    const found: (readonly unknown[])[] = []
    for (const list of [[payout, edge('e')], [edge('e')], [edge('e')], [payout, edge('e')], [edge('e')]]) {
      await compare(list)
      found.push((await openLines()).map((line) => `${line.reason} of ${String(line.user_reference_id)}`).toSorted())
      await stores.one.unitOfWork({ users: [USER], attemptsOf: [USER] }, (unit) => {
        for (const open of unit.openPayouts(USER)) setOwner(unit, open, 'acknowledged', { note: 'debited' })
      })
      await dismissAll()
    }
    const [moved, contradiction] = [
      [`list_conflict of ${USER}`, 'unmatched_payout of other'],
      `contradiction of ${USER}`,
    ]
    expect(found).toEqual([moved, [contradiction], [], [contradiction], [contradiction]])
  })

  test('the payout of a withdrawal that succeeded', async () => {
    const owner = { user_reference_id: USER, currency_id: 'c', amount: decimal('1') }
    await seed(stores.one, {
      bookings: [
        { booking: 'adjustment', posting_key: 'funds', ...owner },
        { booking: 'hold', posting_key: 'hold:w1', ...owner },
      ],
      withdrawals: [
        sampleWithdrawal({
          ...owner,
          network: 'Ethereum',
          wallet_address: ADDRESS,
          called_ms: now,
          call_ended_ms: now,
        }),
      ],
    })
    await compare([edge('p', { type: 'Payout', to_address: ADDRESS })])
    expect(await stores.one.withdrawals.find('w1')).toMatchObject({ status: 'succeeded', transaction_uuid: 'p' })
    await compare([])
    expect(await lines()).toMatchObject([['contradiction', 'p', { stands: { kind: 'payout' }, missing: true }]])
    expect(await stores.one.withdrawals.find('w1')).toMatchObject({ status: 'succeeded', funds: 'paid' })
    await dismissAll()
    await compare([edge('p', { type: 'Payout', to_address: ADDRESS })])
    expect(await lines()).toMatchObject([['contradiction', 'p', { stands: { kind: 'payout' }, returned: true }]])
    await dismissAll()
    await compare([edge('p', { type: 'Refund', to_address: ADDRESS })])
    const message = { transaction_uuid: 'p', type: 'Refund' }
    expect(await lines()).toMatchObject([['contradiction', 'p', { stands: { kind: 'payout' }, message }]])
    await dismissAll()
    await compare([edge('p', { type: 'Payout', to_address: ADDRESS })])
    expect(await lines()).toMatchObject([['contradiction', 'p', { stands: { kind: 'payout' }, returned: true }]])
    expect(await stores.one.withdrawals.find('w1')).toMatchObject({ status: 'succeeded', funds: 'paid' })
  })

  test('a read of a part of the list, or of a list with records of others, proves nothing', async () => {
    const others = Array.from({ length: 45 }, (_item, index) => edge(`e${String(index)}`))
    await compare([...others, edge('d')])
    await compare(others, { whole_ms: now + DAY })
    await compare([...others, edge('x', { user_ref_id: 'somebody' })])
    expect((await lines()).map(([reason]) => reason)).toEqual(['foreign_record'])
    await compare(others)
    expect((await lines()).map(([reason]) => reason)).toEqual(['foreign_record', 'contradiction'])
  })

  test('what failed, or was never listed, is not missed', async () => {
    await compare([edge('d', { status: 'TXN_FAILED' })])
    await applyOneFact(
      stores.one,
      sampleFact({ transaction_uuid: 'w', user_reference_id: USER, currency_id: 'c', status: 'succeeded' }),
    )
    await compare([])
    expect(await lines()).toEqual([])
  })

  test('an open deposit becomes overdue instead', async () => {
    await compare([edge('d', { status: 'TXN_NEW' })])
    await compare([])
    await createFindOverdue({ store: stores.one, clock: () => now, overdueMs: DAY, onFault: () => undefined })(
      () => true,
    )
    expect(await lines()).toMatchObject([['overdue', 'd', { status: 'processing' }]])
  })
})
