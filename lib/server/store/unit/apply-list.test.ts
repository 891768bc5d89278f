/** A user's list in units of work, on both databases. */
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { add, decimal, ZERO, type Decimal } from '#lib/contract/money.ts'
import { applyFact } from '../../ledger/apply-fact.ts'
import type { ListedRecord } from '../../ledger/facts.ts'
import { matchOpenPayouts, setOwner } from '../../ledger/payouts/payout-owners.ts'
import { eraseUser } from '../commands/erase-user.ts'
import type { Store } from '../store.ts'
import { sampleCurrency, sampleFact, sampleWithdrawal } from '../testing/sample-rows.ts'
import { seed } from '../testing/seed.ts'
import { FLAVOURS } from '../testing/test-databases.ts'
import { useStores } from '../testing/use-stores.ts'

const NOW = Date.UTC(2026, 10, 20, 12)
const EMBEDDED = { ledgerMode: 'embedded', ledgerStartMs: 0 } as const

const listed = (uuid: string, more: Partial<NonNullable<ListedRecord['fact']>> = {}): ListedRecord => ({
  transaction_uuid: uuid,
  user_reference_id: 'u',
  type: 'Deposit',
  status: 'TXN_PROVIDER_SUCCEEDED',
  inserted_at: new Date(NOW).toISOString(),
  cursor: uuid,
  record: JSON.stringify({ uuid, ...more }),
  currency: sampleCurrency,
  fact: sampleFact({
    transaction_uuid: uuid,
    user_reference_id: 'u',
    source: 'reconciliation',
    status: 'succeeded',
    currency_id: 'c1',
    amount: decimal('1'),
    tx_hash: null,
    ...more,
  }),
})

const deposits = (count: number): readonly ListedRecord[] =>
  Array.from({ length: count }, (_item, index) => listed(`t${String(index)}`))

describe.each(FLAVOURS)('%s', (flavour) => {
  let now = NOW
  beforeEach(() => {
    now = NOW
  })
  const stores = useStores(flavour, { partitioned: true, clock: () => now })
  const available = async () => (await stores.one.ledger.balance('u', 'c1')).available

  /** How many transactions begin while this runs. */
  const transactionsOf = async (work: () => Promise<unknown>): Promise<number> => {
    const begun = vi.spyOn(stores.one.database.db, 'transaction')
    await work()
    const count = begun.mock.calls.length
    begun.mockRestore()
    return count
  }

  test('a record does not rename a currency: the merchant, who keeps the books by its names, hears of them', async () => {
    const { one } = stores
    await one.users.ensure('u', NOW)
    await one.transaction((tx) => tx.currencies.replaceListed([sampleCurrency], tx.now))
    const renamed = listed('d', { network: 'Renamed-20' })
    await one.applyRecords('u', [renamed], { ledgerMode: 'merchant', ledgerStartMs: 0 })
    const names = { currency_code: sampleCurrency.currency_code, network: sampleCurrency.network }
    expect(await one.transactions.find('deposit', 'd')).toMatchObject({ currency_id: 'c1', ...names })
    await one.events.number()
    const [told] = await one.events.feedAfter(0, 9)
    expect(JSON.parse(told?.data ?? 'null')).toMatchObject(names)
  })

  test('a record that a page contains twice is applied once', async () => {
    const { one } = stores
    await one.users.ensure('u', NOW)
    const twice = listed('twice')
    expect(await one.applyRecords('u', [twice, listed('other'), twice], EMBEDDED)).toBe(2)
    expect(await available()).toBe('2')
  })

  test('a list is applied in transactions of at most 200 records; a known list needs none', async () => {
    const { one } = stores
    await one.users.ensure('u', NOW)
    const list = deposits(450)
    expect(await transactionsOf(() => one.applyRecords('u', list, EMBEDDED))).toBe(3)
    expect(await available()).toBe('450')
    expect(await transactionsOf(() => one.applyRecords('u', list, EMBEDDED))).toBe(0)
    expect(await transactionsOf(() => one.applyRecords('u', [listed('new'), ...list], EMBEDDED))).toBe(1)
    expect(await available()).toBe('451')
  })

  test('a list may be longer than the limit of parameters in a statement', async () => {
    const uuids = Array.from({ length: 70_000 }, (_item, index) => `t${String(index)}`)
    await stores.one.users.ensure('u', NOW)
    await stores.one.applyRecords('u', deposits(3), EMBEDDED)
    expect(await stores.one.records.byUuids('u', uuids)).toHaveLength(3)
  })

  test('a record keeps the time since when it says what it says of the transfer', async () => {
    const { one } = stores
    await one.users.ensure('u', NOW)
    const as = (more: object): ListedRecord => ({ ...listed('t'), record: JSON.stringify({ amount: '1', ...more }) })
    const seenAfter = async (record: ListedRecord) => {
      now += 1000
      await one.applyRecords('u', [record], EMBEDDED)
      const [stored] = await one.records.byUuids('u', ['t'])
      expect(stored?.record).toBe(record.record)
      return (stored?.seen_ms ?? 0) - NOW
    }
    expect(await seenAfter(as({ amount_usd: '2' }))).toBe(1000)
    expect(await seenAfter(as({ amount_usd: '3' }))).toBe(1000)
    expect(await seenAfter(as({ amount_usd: '3', status: 'TXN_NEW' }))).toBe(3000)
    expect(await seenAfter(as({ amount_usd: '4', status: 'TXN_NEW', currency: { id: 'c2' } }))).toBe(4000)
    expect(await seenAfter(as({ amount_usd: '5', status: 'TXN_NEW', currency: { id: 'c2' } }))).toBe(4000)
  })

  test('of a record of an unknown type that a person has called none of ours, a person is told once it succeeds', async () => {
    const { one } = stores
    await one.users.ensure('u', NOW)
    const as = (status: 'processing' | 'succeeded', value: string): ListedRecord => {
      const { fact, ...record } = listed('t', { status })
      const readings = fact === null ? [] : [fact, { ...fact, kind: 'payout' as const }]
      return { ...record, type: 'Topup', fact: null, readings, record: JSON.stringify({ status, value }) }
    }
    const owner = async () => (await one.payouts.find('t'))?.owner
    const acknowledge = () =>
      one.unitOfWork({ users: ['u'], transactions: [{ kind: 'payout', transaction_uuid: 't' }] }, (unit) => {
        const payout = unit.payout('t')
        if (payout !== null) setOwner(unit, payout, 'acknowledged', { note: 'none of ours' })
      })
    await one.applyRecords('u', [as('processing', '1')], EMBEDDED)
    await acknowledge()
    await one.applyRecords('u', [as('processing', '2')], EMBEDDED)
    expect(await owner()).toBe('acknowledged')
    await one.applyRecords('u', [as('succeeded', '2')], EMBEDDED)
    expect(await owner()).toBeNull()
    expect(await one.quarantine.waiting('unmatched_payout', { after: 0, limit: 9 })).toMatchObject([
      { transaction_uuid: 't' },
    ])
    await acknowledge()
    await one.applyRecords('u', [as('succeeded', '3')], EMBEDDED)
    expect(await owner()).toBe('acknowledged')
  })

  test('a record that a person called none of ours while its type was unknown is the payout of what was not sent', async () => {
    const { one } = stores
    const address = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
    await one.users.ensure('u', NOW)
    const owner = { user_reference_id: 'u', currency_id: 'c1', amount: decimal('1') }
    const payout = listed('p', { kind: 'payout', to_address: address })
    const readings = payout.fact === null ? [] : [payout.fact]
    await one.applyRecords('u', [{ ...payout, type: 'Topup', fact: null, readings, record: '{"as":1}' }], EMBEDDED)
    await one.unitOfWork({ users: ['u'], transactions: [{ kind: 'payout', transaction_uuid: 'p' }] }, (unit) => {
      const open = unit.payout('p')
      if (open !== null) setOwner(unit, open, 'acknowledged', { note: 'none of ours' })
    })
    const unsent = { status: 'failed', failure: 'absent', failure_reason: 'not_sent', step: 'ended' } as const
    const called = { called_ms: NOW, call_ended_ms: NOW, updated_ms: NOW, created_ms: NOW } as const
    await seed(one, {
      bookings: [
        { booking: 'adjustment', posting_key: 'funds', ...owner },
        { booking: 'hold', posting_key: 'hold:w1', ...owner },
        { booking: 'release', posting_key: 'release:w1', ...owner },
      ],
      withdrawals: [
        sampleWithdrawal({
          ...{ ...unsent, ...called, amount: decimal('1'), wallet_address: address },
          ...{ funds: 'released', postings: 2 },
        }),
      ],
    })
    await one.applyRecords('u', [payout], EMBEDDED)
    expect(await one.withdrawals.find('w1')).toMatchObject({ status: 'succeeded', transaction_uuid: 'p' })
    expect(await available()).toBe('0')
    expect(await one.quarantine.waiting('late_payout', { after: 0, limit: 9 })).toMatchObject([
      { transaction_uuid: 'p' },
    ])
  })

  test('a stored record is applied once more when the installation has learned its status', async () => {
    const { one } = stores
    await one.users.ensure('u', NOW)
    const unlearned = listed('t', { status: 'other' })
    await one.applyRecords('u', [unlearned], EMBEDDED)
    expect(await available()).toBe('0')
    const { record } = unlearned
    const learned: ListedRecord = { ...listed('t'), record, changeable: true }
    expect(await one.applyRecords('u', [learned], EMBEDDED)).toBe(1)
    expect(await available()).toBe('1')
    expect(await transactionsOf(() => one.applyRecords('u', [learned], EMBEDDED))).toBe(0)
  })

  test('a withdrawal that failed by a wrong meaning of its status is told once that meaning is taken out again', async () => {
    const { one } = stores
    const address = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
    const amount = decimal('1')
    const owner = { user_reference_id: 'u', currency_id: 'c1', amount }
    await one.users.ensure('u', NOW)
    await seed(one, {
      bookings: [
        { booking: 'adjustment', posting_key: 'funds', ...owner },
        { booking: 'hold', posting_key: 'hold:w1', ...owner },
      ],
      withdrawals: [
        sampleWithdrawal({
          ...{
            amount,
            wallet_address: address,
            status: 'processing',
            step: 'ended',
            called_ms: NOW,
            call_ended_ms: NOW,
            created_ms: NOW,
          },
          ...{ funds: 'held', postings: 1 },
        }),
      ],
    })
    const { record } = listed('p')
    const apply = (status: 'failed' | 'other') => {
      const payout = listed('p', { kind: 'payout', to_address: address, status })
      return one.applyRecords('u', [{ ...payout, record, changeable: true }], EMBEDDED)
    }
    const told = () => one.quarantine.waiting('contradiction', { after: 0, limit: 9 })

    await apply('failed')
    expect(await one.withdrawals.find('w1')).toMatchObject({ status: 'failed', failure: 'record' })
    expect([await available(), await told()]).toEqual(['1', []])
    await apply('other')
    expect(await told()).toMatchObject([{ user_reference_id: 'u', transaction_uuid: 'p' }])
    expect(await transactionsOf(() => apply('other'))).toBe(0)
  })

  test('a deposit that was booked by a wrong meaning of its status is told of, and again if that meaning is right', async () => {
    const { one } = stores
    await one.users.ensure('u', NOW)
    const { record } = listed('t')
    const as = (status: 'succeeded' | 'other'): ListedRecord => ({
      ...listed('t', { status }),
      record,
      changeable: true,
    })
    /** How many lines are open; a person dismisses them. */
    const dismiss = async () => {
      const open = await one.quarantine.waiting('contradiction', { after: 0, limit: 9 })
      for (const { id } of open) await one.quarantine.settle(id, { by: 'merchant', now: NOW })
      return open.length
    }
    for (const [status, told] of [
      ['succeeded', 0],
      ['other', 1],
      ['succeeded', 1],
    ] as const) {
      await one.applyRecords('u', [as(status)], EMBEDDED)
      expect([await available(), await dismiss()]).toEqual(['1', told])
      expect(await transactionsOf(() => one.applyRecords('u', [as(status)], EMBEDDED))).toBe(0)
    }
  })

  test('an open payout is matched again when a withdrawal has come that it may belong to', async () => {
    const { one } = stores
    const address = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
    const payout = listed('p', { kind: 'payout', to_address: address })
    await one.users.ensure('u', NOW)
    await one.applyRecords('u', [payout], EMBEDDED)
    expect(await transactionsOf(() => one.applyRecords('u', [payout], EMBEDDED))).toBe(0)
    const amount = decimal('1')
    const owner = { user_reference_id: 'u', currency_id: 'c1', amount }
    await seed(one, {
      bookings: [
        { booking: 'adjustment', posting_key: 'funds', ...owner },
        { booking: 'hold', posting_key: 'hold:w1', ...owner },
      ],
      withdrawals: [sampleWithdrawal({ amount, wallet_address: address, status: 'unknown', called_ms: NOW })],
    })
    await matchAgain(one)
    expect(await one.withdrawals.find('w1')).toMatchObject({ status: 'succeeded', transaction_uuid: 'p' })
  })
})

describe.each(FLAVOURS)('a record of another user on %s', (flavour) => {
  const stores = useStores(flavour, { partitioned: true, clock: () => NOW })
  const ofUser = (uuid: string, user: string): ListedRecord => ({
    ...listed(uuid, { user_reference_id: user }),
    user_reference_id: user,
  })

  test('does not stop users from getting their own records if two lists show it at the same time', async () => {
    for (const user of ['u', 'v', 'w']) await stores.one.users.ensure(user, NOW)
    const lists = ['u', 'v'].map((user) =>
      stores.one.applyRecords(user, [ofUser('foreign', 'w'), ofUser(`of-${user}`, user)], EMBEDDED),
    )
    expect(await Promise.all(lists)).toEqual([1, 1])
    const balances = await Promise.all(['u', 'v', 'w'].map((user) => stores.one.ledger.balance(user, 'c1')))
    expect(balances.map(({ available }) => available)).toEqual(['1', '1', '0'])
  })

  test('does not stop a user from getting their own records if a page contains it twice', async () => {
    for (const user of ['u', 'w']) await stores.one.users.ensure(user, NOW)
    const foreign = ofUser('foreign', 'w')
    expect(await stores.one.applyRecords('u', [foreign, foreign, ofUser('own', 'u')], EMBEDDED)).toBe(1)
  })

  const reports = async () =>
    (await stores.one.quarantine.list({ reason: null, settled: false, after: 0, limit: 99 })).map(
      ({ reason, user_reference_id, transaction_uuid }) => [reason, user_reference_id, transaction_uuid],
    )

  test('does not stop that user from getting the other records if the first user has it as their own since', async () => {
    const { one } = stores
    for (const user of ['u', 'w']) await one.users.ensure(user, NOW)
    await one.applyRecords('u', [ofUser('t', 'w')], EMBEDDED)
    await one.applyRecords('u', [listed('t', { status: 'processing' })], EMBEDDED)
    for (const { id } of await one.quarantine.list({ reason: null, settled: false, after: 0, limit: 9 }))
      await one.quarantine.settle(id, { by: 'merchant', now: NOW })
    expect(await one.applyRecords('w', [ofUser('t', 'w'), ofUser('own', 'w')], EMBEDDED)).toBe(1)
    expect((await one.ledger.balance('w', 'c1')).available).toBe('1')
    expect(await reports()).toEqual([['list_conflict', 'w', 't']])
  })

  test('is reported once, also after the report was dismissed, and also if its type is unknown', async () => {
    const { one } = stores
    await one.users.ensure('u', NOW)
    const foreign = ofUser('foreign', 'w')
    const untyped: ListedRecord = { ...ofUser('untyped', 'w'), fact: null, readings: [] }
    for (let at = 0; at < 2; at += 1) await one.applyRecords('u', [foreign, untyped, foreign], EMBEDDED)
    expect(await reports()).toEqual([
      ['foreign_record', 'u', 'foreign'],
      ['foreign_record', 'u', 'untyped'],
    ])
    const lines = await one.quarantine.list({ reason: 'foreign_record', settled: false, after: 0, limit: 9 })
    expect(lines[0]?.event).toBe(foreign.record)
    for (const { id } of lines) await one.quarantine.settle(id, { by: 'merchant', now: NOW })
    await one.applyRecords('u', [{ ...foreign, record: '{"changed":1}' }, untyped], EMBEDDED)
    expect(await reports()).toEqual([])
  })

  test('who was erased is no news when the list is read again', async () => {
    const { one } = stores
    for (const user of ['u', 'w']) await one.users.ensure(user, NOW)
    const foreign = ofUser('foreign', 'w')
    await one.applyRecords('u', [foreign], EMBEDDED)
    expect(await eraseUser(one, 'w', 'erased_1', () => NOW)).toMatchObject({ outcome: 'erased' })
    await one.applyRecords('u', [foreign], EMBEDDED)
    expect(await reports()).toEqual([['foreign_record', 'u', 'foreign']])
  })

  test('who was erased is told of if the list then calls the record the own one', async () => {
    const { one } = stores
    for (const user of ['u', 'w']) await one.users.ensure(user, NOW - 1)
    await one.applyRecords('u', [ofUser('t', 'w')], EMBEDDED)
    expect(await eraseUser(one, 'w', 'erased_1', () => NOW)).toMatchObject({ outcome: 'erased' })
    await one.applyRecords('u', [ofUser('t', 'u')], EMBEDDED)
    expect(await reports()).toEqual([
      ['foreign_record', 'u', 't'],
      ['list_conflict', 'u', 't'],
    ])
  })

  test('that differs in case alone is the own one, unless that spelling is a known user', async () => {
    const { one } = stores
    await one.users.ensure('u', NOW)
    expect(await one.applyRecords('u', [ofUser('t', 'U')], EMBEDDED)).toBe(1)
    expect(await one.applyRecords('u', [ofUser('t', 'U')], EMBEDDED)).toBe(0)
    expect(await one.records.byUuids('u', ['t'])).toMatchObject([{ user_reference_id: 'u' }])
    expect([(await one.ledger.balance('u', 'c1')).available, await reports()]).toEqual(['1', []])

    await one.users.ensure('U', NOW)
    expect(await one.applyRecords('u', [ofUser('t2', 'U')], EMBEDDED)).toBe(0)
    expect(await reports()).toEqual([['foreign_record', 'u', 't2']])
    const balances = await Promise.all(['u', 'U'].map((user) => one.ledger.balance(user, 'c1')))
    expect(balances.map(({ available }) => available)).toEqual(['1', '0'])
  })
})

describe.each(FLAVOURS)('a record that was stored for a user who was erased since, on %s', (flavour) => {
  let now = NOW
  beforeEach(() => {
    now = NOW
  })
  const stores = useStores(flavour, { partitioned: true, clock: () => now })
  const inListOf = (user: string, kind: 'deposit' | 'payout'): ListedRecord => ({
    ...listed('t', { kind, user_reference_id: user }),
    user_reference_id: user,
  })
  const lines = async () =>
    (await stores.one.quarantine.list({ reason: null, settled: false, after: 0, limit: 9 })).map(
      ({ reason, user_reference_id, transaction_uuid }) => [reason, user_reference_id, transaction_uuid],
    )
  const erase = async (user: string): Promise<void> => {
    now += 1000
    expect(await eraseUser(stores.one, user, 'erased_1', () => now)).toMatchObject({ outcome: 'erased' })
    now += 1000
  }

  test('is told of in the list of a user who was there then: it is theirs by the list', async () => {
    const { one } = stores
    for (const user of ['u', 'v']) await one.users.ensure(user, NOW)
    now += 1000
    await one.applyRecords('u', [inListOf('u', 'deposit')], EMBEDDED)
    await erase('u')
    await one.applyRecords('v', [inListOf('v', 'deposit')], EMBEDDED)
    expect(await lines()).toEqual([['contradiction', 'v', 't']])
    expect((await one.ledger.balance('v', 'c1')).available).toBe('0')
  })

  test('belongs to nobody again in the list of a user who was there then, if it is a payout that nobody had', async () => {
    const { one } = stores
    for (const user of ['u', 'v']) await one.users.ensure(user, NOW)
    now += 1000
    await one.applyRecords('u', [inListOf('u', 'payout')], EMBEDDED)
    await one.unitOfWork({ users: ['u'], attemptsOf: ['u'] }, (unit) => {
      for (const payout of unit.openPayouts('u')) setOwner(unit, payout, 'acknowledged', { note: 'Not ours.' })
    })
    await erase('u')
    await one.applyRecords('v', [inListOf('v', 'payout')], EMBEDDED)
    expect(await one.payouts.openOf(['v'])).toMatchObject([{ transaction_uuid: 't' }])
    expect(await lines()).toEqual([
      ['contradiction', 'v', 't'],
      ['unmatched_payout', 'v', 't'],
    ])
  })

  test('bars the proof of an absence for a user who was there then, if it has paid a withdrawal', async () => {
    const { one } = stores
    for (const user of ['u', 'v']) await one.users.ensure(user, NOW)
    now += 1000
    await seed(one, {
      withdrawals: [sampleWithdrawal({ amount: decimal('1'), transaction_uuid: 't', funds: 'none', called_ms: NOW })],
    })
    await one.applyRecords('u', [inListOf('u', 'payout')], { ...EMBEDDED, ledgerMode: 'merchant' })
    expect(await one.withdrawals.find('w1')).toMatchObject({ status: 'succeeded' })
    await erase('u')
    await one.applyRecords('v', [inListOf('v', 'payout')], EMBEDDED)
    expect(await one.quarantine.takenPayouts('v')).toMatchObject([{ transaction_uuid: 't', isTold: true }])
  })

  test.each(['deposit', 'payout'] as const)('is no news for that user if they come back: %s', async (kind) => {
    const { one } = stores
    await one.users.ensure('u', NOW)
    now += 1000
    await one.applyRecords('u', [inListOf('u', kind)], EMBEDDED)
    if (kind === 'payout')
      await one.unitOfWork({ users: ['u'], attemptsOf: ['u'] }, (unit) => {
        for (const payout of unit.openPayouts('u')) setOwner(unit, payout, 'acknowledged', { note: 'Not ours.' })
      })
    await erase('u')
    await one.users.ensure('u', now)
    await one.applyRecords('u', [inListOf('u', kind)], EMBEDDED)
    expect([await lines(), await one.quarantine.takenPayouts('u'), await one.payouts.openOf(['u'])]).toEqual([
      [],
      [],
      [],
    ])
    expect((await one.ledger.balance('u', 'c1')).available).toBe('0')
  })
})

const matchAgain = (store: Store): Promise<void> =>
  store.unitOfWork({ users: ['u'], attemptsOf: ['u'] }, (unit) => {
    matchOpenPayouts(unit, 'u', 0)
  })

describe('a payout that the list showed before the reply named it', () => {
  const stores = useStores('sqlite', { clock: () => NOW })

  test('settles its withdrawal when the open payouts are matched again', async () => {
    const { one } = stores
    const payout = listed('p', { kind: 'payout', to_address: 'an address that we did not send' })
    await one.users.ensure('u', NOW)
    await one.applyRecords('u', [payout], EMBEDDED)
    const owner = { user_reference_id: 'u', currency_id: 'c1', amount: decimal('1') }
    await seed(one, {
      bookings: [
        { booking: 'adjustment', posting_key: 'funds', ...owner },
        { booking: 'hold', posting_key: 'hold:w1', ...owner },
      ],
      withdrawals: [sampleWithdrawal({ amount: owner.amount, transaction_uuid: 'p', called_ms: NOW })],
    })
    await matchAgain(one)
    expect(await one.withdrawals.find('w1')).toMatchObject({ status: 'succeeded', funds: 'paid' })
  })
})

describe('two instances on postgres', () => {
  const stores = useStores('postgres', { partitioned: true, clock: () => NOW })

  test('concurrent states of a purchase without a user end in the last state', async () => {
    const instances = [stores.one, await stores.another()]
    const stages = ['pending', 'processing', 'succeeded'] as const
    const uuids = Array.from({ length: 60 }, (_item, index) => `o${String(index)}`)
    const apply = (uuid: string, index: number) => {
      const fact = sampleFact({
        kind: 'onramp',
        transaction_uuid: uuid,
        user_reference_id: null,
        status: stages[index] ?? 'pending',
        amount: null,
        correlation_key: null,
        session_reference: null,
      })
      return instances[index % 2]!.transaction(async (tx) => {
        const unit = await tx.load({ users: [], transactions: [fact] })
        await tx.loadRelated(unit, [fact])
        applyFact(unit, fact, { ...EMBEDDED, evidence: '{}' })
        await tx.save(unit)
      })
    }
    for (const uuid of uuids) await Promise.all(stages.map((_item, index) => apply(uuid, index)))
    const rows = await stores.one.transactions.byUuids(uuids)
    expect(rows.filter(({ status }) => status !== 'succeeded')).toEqual([])
    expect(rows).toHaveLength(60)
  })

  test('a transaction that two lists give to different users at once credits one of them', async () => {
    const instances = [stores.one, await stores.another()]
    for (const user of ['u', 'v']) await stores.one.users.ensure(user, NOW)
    const uuids = Array.from({ length: 30 }, (_item, index) => `t${String(index)}`)
    for (const uuid of uuids)
      await Promise.all(
        ['u', 'v'].map((user, index) =>
          instances[index]!.applyRecords(
            user,
            [{ ...listed(uuid, { user_reference_id: user }), user_reference_id: user }],
            EMBEDDED,
          ),
        ),
      )
    const balances = await Promise.all(['u', 'v'].map((user) => stores.one.ledger.balance(user, 'c1')))
    expect(balances.reduce<Decimal>((sum, { available }) => add(sum, available), ZERO)).toBe('30')
  })
})
