/** What the reader and writer of every table promise, on both databases. */
import { describe, expect, onTestFinished, test } from 'vitest'
import { canonical, decimal, negate } from '#lib/contract/money.ts'
import type { TransactionKind } from '#lib/contract/stream.ts'
import { postingOf, type Account } from '../ledger/accounts.ts'
import { hashKey, type Fact } from '../ledger/facts.ts'
import type { TransactionRow, WithdrawalRow } from '../ledger/rows.ts'
import type { WholeLedger } from './tables/whole-ledger.ts'
import { unpackBody } from './database/packed-text.ts'
import { allRows } from './testing/all-rows.ts'
import {
  completeWithdrawal,
  sampleCurrency,
  sampleFact,
  sampleOnramp,
  sampleQuarantined,
  sampleListScan,
  sampleRecord,
  sampleTransaction,
  sampleWithdrawal,
} from './testing/sample-rows.ts'
import { applyOneFact, changeWithdrawal, seed } from './testing/seed.ts'
import { FLAVOURS } from './testing/test-databases.ts'
import { useStores } from './testing/use-stores.ts'

/** More digits than a double has, and the smallest amount of a token with 18 decimals. */
const AMOUNTS = ['0.000000000000000001', '123456789012345678.123456789012345678', '0', '1.50', '-3.000', '00.10']

const keyOf = (transaction_uuid: string, kind: TransactionKind = 'deposit') => ({ kind, transaction_uuid })

describe.each(FLAVOURS)('%s', (flavour) => {
  const stores = useStores(flavour, { partitioned: true })

  test('users: a prepared user is known from the first session on', async () => {
    const { users } = stores.one
    await users.insertIfMissing('u', 5)
    expect(await users.exists('u')).toBe(false)
    expect(await users.ensure('u', 10)).toBe(true)
    expect(await users.ensure('u', 20)).toBe(false)
    expect(await users.exists('u')).toBe(true)
    expect(await users.exists('v')).toBe(false)
  })

  test('users: a lock returns the known users', async () => {
    await stores.one.users.ensure('a', 1)
    await stores.one.users.insertIfMissing('b', 1)
    const known = await stores.one.transaction((tx) => tx.users.lock(['b', 'a', 'c', 'a']))
    expect([...known]).toEqual(['a'])
    expect(await stores.one.transaction((tx) => tx.users.lock([]))).toEqual(new Set())
  })

  test('currencies: a new list replaces the old one; removed ones stay known; webhooks rename nothing', async () => {
    const { currencies } = stores.one
    const other = { ...sampleCurrency, id: 'c2', currency_code: 'BTC', currency_icon: 'https://icons.example/btc.svg' }
    await currencies.replaceListed([other, sampleCurrency], 1)
    expect(await currencies.all()).toEqual([
      { ...other, listed: true },
      { ...sampleCurrency, listed: true },
    ])
    await currencies.replaceListed([{ ...sampleCurrency, name: 'Tether USD' }], 2)
    await seed(stores.one, {
      currencies: [
        { ...sampleCurrency, id: 'c3' },
        { ...sampleCurrency, name: 'something else' },
      ],
    })
    expect(await currencies.byId('c1')).toMatchObject({ name: 'Tether USD', listed: true })
    expect(await currencies.byId('c2')).toMatchObject({ listed: false })
    expect(await currencies.byId('c3')).toMatchObject({ listed: false })
    expect(await currencies.byId('c4')).toBeNull()
    expect(await currencies.count()).toBe(1)
  })

  test('currencies: the icon of a network is learned, for listed ones too, and the newest counts', async () => {
    const { currencies } = stores.one
    await currencies.replaceListed([sampleCurrency], 1)
    const iconAfter = async (network_icon?: string) => {
      await seed(stores.one, { currencies: [{ ...sampleCurrency, name: 'Other', network_icon }] })
      return currencies.byId('c1')
    }
    const first = 'https://icons.example/tron.svg'
    expect(await iconAfter(first)).toEqual({ ...sampleCurrency, network_icon: first, listed: true })
    expect(await iconAfter(first)).toMatchObject({ network_icon: first })
    expect(await iconAfter()).toMatchObject({ network_icon: first })
    const second = 'https://icons.example/tron-2.svg'
    expect(await iconAfter(second)).toEqual({ ...sampleCurrency, network_icon: second, listed: true })
  })

  test('addresses: the first is kept', async () => {
    const { addresses } = stores.one
    const first = { address: 'T1', currency: 'USDT', network: 'Tron' }
    const row = (address: string, user_reference_id = 'u') => ({
      ...{ ...first, address, user_reference_id },
      ...{ currency_id: 'c1', created_ms: 1 },
    })
    expect(await addresses.find('u', 'c1')).toBeNull()
    expect(await addresses.saveFirst([row('T1')])).toEqual([first])
    expect(await addresses.saveFirst([row('T3', 'v'), row('T2')])).toEqual([{ ...first, address: 'T3' }, first])
    expect(await addresses.find('u', 'c1')).toEqual(first)
    expect(await addresses.find('u', 'c2')).toBeNull()
  })

  test('addresses: two large groups of the same keys do not deadlock', async () => {
    const row = (address: string, user_reference_id: string) => ({
      ...{ user_reference_id, currency_id: 'c9', address, currency: 'USDT', network: 'Tron', created_ms: 1 },
    })
    const users = Array.from({ length: 5000 }, (_item, index) => `user-${String(index)}`)
    let attempts = 0
    const group = (name: string, order: readonly string[]) =>
      stores.one.transaction((tx) => {
        attempts += 1
        return tx.addresses.saveFirst(order.map((user) => row(`${name}-${user}`, user)))
      })
    const [ours, theirs] = await Promise.all([group('a', users), group('b', users.toReversed())])
    expect(theirs.toReversed()).toEqual(ours)
    // After a deadlock a transaction is repeated.
    expect(attempts).toBe(2)
  })

  test('facts: one for each status and source; the first stays', async () => {
    const { one } = stores
    const given = [
      sampleFact({ source: 'reconciliation', amount: decimal('1') }),
      sampleFact({ amount: decimal('0.000000000000000001'), unconfirmed: true }),
      sampleFact({ status: 'succeeded', amount: null }),
    ]
    const [listed, webhook] = given
    await seed(one, { facts: [...given, sampleFact({ kind: 'onramp', correlation_key: 'k1' })] })
    for (const again of [listed, webhook])
      await expect(seed(one, { facts: [{ ...again!, amount: decimal('9') }] })).rejects.toMatchObject({
        invariant: 'fact_once',
      })
    const order = ({ status, source }: Pick<Fact, 'status' | 'source'>) => `${status} ${source}`
    const sorted = (facts: readonly Fact[]) => facts.toSorted((a, b) => (order(a) < order(b) ? -1 : 1))
    const loaded = await one.unitOfWork(
      { users: [], transactions: [keyOf('t1'), keyOf('t1', 'onramp'), keyOf('x')] },
      (unit) => ({
        deposit: unit.facts('deposit', 't1'),
        onramp: unit.facts('onramp', 't1'),
        none: unit.facts('deposit', 'x'),
      }),
    )
    expect(sorted(loaded.deposit)).toEqual(sorted(given))
    expect(loaded.onramp).toEqual([sampleFact({ kind: 'onramp', correlation_key: 'k1' })])
    expect(loaded.none).toEqual([])
    const stored = await one.transactions.facts('deposit', 't1')
    expect(stored.map(({ fact }) => order(fact)).sort()).toEqual(given.map(order).sort())
  })

  test('facts: one that is replaced keeps the time at which it was first said', async () => {
    const { one } = stores
    await applyOneFact(one, sampleFact({ amount: null }))
    const [first] = await one.transactions.facts('deposit', 't1')
    await new Promise((resolve) => setTimeout(resolve, 5))
    await applyOneFact(one, sampleFact({ amount: decimal('2') }))
    const [after] = await one.transactions.facts('deposit', 't1')
    expect(after).toMatchObject({ recorded_ms: first?.recorded_ms, fact: { amount: '2' } })
  })

  test('transactions: stored completely, found by each of their ids', async () => {
    const { one } = stores
    const { transactions } = one
    const deposit = sampleTransaction()
    const onramp = sampleTransaction({
      kind: 'onramp',
      transaction_uuid: 't2',
      onramp_session_id: 'o1',
      correlation_key: 'k1',
      postings: 2,
      deposit_uuid: 't9',
      created_ms: 2000,
    })
    await seed(one, { transactions: [deposit, onramp] })
    await seed(one, { transactions: [{ ...deposit, status: 'failed', credited: decimal('7.00') }] })
    const changed = { ...deposit, status: 'failed', credited: '7.00' }
    expect(await transactions.find('deposit', 't1')).toEqual(changed)
    expect(await transactions.find('payout', 't1')).toBeNull()
    const loaded = await one.unitOfWork({ users: [], transactions: [keyOf('t1'), keyOf('t2', 'onramp')] }, (unit) => [
      unit.transaction('deposit', 't1'),
      unit.transaction('onramp', 't2'),
      unit.transaction('payout', 't1'),
    ])
    expect(loaded).toEqual([changed, onramp, null])
    expect(await transactions.byUuids(['t2', 'x'])).toEqual([onramp])
    expect(await transactions.byUuids([])).toEqual([])
    expect((await transactions.ofUser('u', 0, 9)).map((row) => row.transaction_uuid)).toEqual(['t2', 't1'])
    expect((await transactions.ofUser('u', 2000, 9)).map((row) => row.transaction_uuid)).toEqual(['t2'])
    expect((await transactions.ofUser('u', 0, 1)).map((row) => row.transaction_uuid)).toEqual(['t2'])
  })

  describe('the related rows of a transfer are loaded with it', () => {
    const onramp = sampleTransaction({
      kind: 'onramp',
      transaction_uuid: 't2',
      correlation_key: 'k1',
      deposit_uuid: 't9',
    })
    const nameless = sampleFact({ transaction_uuid: 'x' })

    /** The on-ramps that are the same transfer as a deposit of this fact. */
    const sameTransfer = (fact: Fact): Promise<readonly TransactionRow[]> =>
      stores.one.transaction(async (tx) => {
        const unit = await tx.load({ users: [], transactions: [fact] })
        await tx.loadRelated(unit, [fact])
        const { source: _source, ...details } = fact
        const row = sampleTransaction({ ...details, tx_hash_key: hashKey(fact) })
        return unit.transfers.same(row)
      })

    test.each<[string, Partial<Fact>, boolean]>([
      ['by its hash', { tx_hash: '0xAB' }, true],
      ['by its hash without 0x', { tx_hash: 'ab' }, true],
      ['by its uuid', { transaction_uuid: 't2' }, true],
      ['by its key', { correlation_key: 'k1' }, true],
      ['by an earlier link', { transaction_uuid: 't9' }, true],
      ['without a shared id', {}, false],
      ['by the hash of another user', { tx_hash: '0xAB', user_reference_id: 'v' }, false],
      ['by the key of another user', { correlation_key: 'k1', user_reference_id: 'v' }, false],
      ['by the hash of another currency', { tx_hash: '0xAB', currency_id: 'c2', currency_code: 'USDC' }, false],
      ['by the key of another currency', { correlation_key: 'k1', currency_id: 'c2', network: 'Base' }, false],
      ['by its hash, under a new id of the currency', { tx_hash: '0xAB', currency_id: 'c2' }, true],
      ['by its key, under a new id of the currency', { correlation_key: 'k1', currency_id: 'c2' }, true],
    ])('%s', async (_name, more, found) => {
      await seed(stores.one, { transactions: [onramp] })
      expect(await sameTransfer({ ...nameless, ...more })).toEqual(found ? [onramp] : [])
    })

    test('and so is the deposit with its on-ramp, once they are linked', async () => {
      const deposit = sampleTransaction({ transaction_uuid: 't9', tx_hash: null, tx_hash_key: null })
      await seed(stores.one, { transactions: [onramp, deposit] })
      const loaded = await stores.one.unitOfWork({ users: [], transactions: [onramp] }, (unit) =>
        unit.transfers.same(onramp),
      )
      expect(loaded).toEqual([deposit])
    })
  })

  test('withdrawals: stored completely, changed, and stored once for each key', async () => {
    const { one } = stores
    const { withdrawals } = one
    const first = sampleWithdrawal({ step: 'calling' })
    const second = sampleWithdrawal({
      id: 'w2',
      idempotency_key: 'key-2',
      status: 'unknown',
      next_check_ms: 500,
      transaction_uuid: 't9',
      created_ms: 900,
      reply_amount: decimal('1.5'),
    })
    await seed(one, { withdrawals: [first, second] })
    expect(await withdrawals.find('w1')).toEqual(first)
    expect(await withdrawals.byKey('u', 'key-2')).toEqual(second)
    expect(await withdrawals.byKey('v', 'key-2')).toBeNull()
    const named = await one.unitOfWork(
      { users: ['u'], withdrawals: ['w1', 'x'], transactions: [keyOf('t9', 'payout'), keyOf('y', 'payout')] },
      (unit) => [unit.withdrawal('w1'), unit.withdrawal('x'), unit.withdrawalOf('t9'), unit.withdrawalOf('y')],
    )
    expect(named).toEqual([first, null, second, null])
    expect((await withdrawals.ofUser('u', 950, 9)).map(({ id }) => id)).toEqual(['w1'])
    expect((await withdrawals.dueForCheck(['u', 'v'])).map(({ id }) => id)).toEqual(['w2'])
    expect(await withdrawals.dueForCheck(['v'])).toEqual([])
    expect(await withdrawals.dueForCheck([])).toEqual([])
    expect((await withdrawals.inFlight(9)).map(({ id }) => id)).toEqual(['w1'])
    const change = { step: 'ended', status: 'failed', failure: 'refused', call_ended_ms: 2000, postings: 2 } as const
    await changeWithdrawal(one, 'w1', change)
    expect(await withdrawals.find('w1')).toEqual({ ...first, ...change })
    expect(await withdrawals.find('w2')).toEqual(second)
    await expect(seed(one, { withdrawals: [sampleWithdrawal({ id: 'w3' })] })).rejects.toThrow(/unique/i)
  })

  test('only one driver advances a withdrawal', async () => {
    await stores.one.users.ensure('u', 0)
    await seed(stores.one, { withdrawals: [sampleWithdrawal({ step: 'calling' })] })
    const others = flavour === 'postgres' ? [await stores.another()] : [stores.one]
    const both = await Promise.all(
      [stores.one, ...others].map((store, checks) =>
        store.unitOfWork({ users: ['u'], withdrawals: ['w1'] }, (unit) => {
          const row = unit.withdrawal('w1')
          if (row?.step !== 'calling') return false
          unit.putWithdrawal(completeWithdrawal({ ...row, step: 'ended', checks }))
          return true
        }),
      ),
    )
    expect(both.sort()).toEqual([false, true])
  })

  test.each<[string, Partial<WithdrawalRow>, boolean]>([
    ['under way', { called_ms: 1, status: 'processing' }, true],
    ['refused', { called_ms: 1, status: 'failed', failure: 'refused', updated_ms: Number.MAX_SAFE_INTEGER }, true],
    ['absent', { called_ms: 1, status: 'failed', failure: 'absent' }, true],
    ['declined', { called_ms: null, status: 'failed', failure: 'declined' }, false],
    ['linked and open', { called_ms: 1, transaction_uuid: 't1' }, true],
    [
      'failed by its own record',
      { called_ms: 1, transaction_uuid: 't1', status: 'failed', updated_ms: Number.MAX_SAFE_INTEGER },
      true,
    ],
    ['failed too long ago', { called_ms: 1, transaction_uuid: 't1', status: 'failed', updated_ms: 1 }, false],
    ['linked and ended', { called_ms: 1, transaction_uuid: 't1', status: 'succeeded' }, false],
    ['not called', { called_ms: null }, false],
    ['of another user', { called_ms: 1, user_reference_id: 'v' }, false],
  ])('a withdrawal is loaded as an attempt, %s: %j %s', async (_name, more, expected) => {
    await seed(stores.one, { withdrawals: [sampleWithdrawal(more)] })
    const loaded = await stores.one.unitOfWork({ users: [], attemptsOf: ['u'] }, (unit) => unit.withdrawalsOf('u'))
    expect(loaded).toHaveLength(expected ? 1 : 0)
  })

  test('on-ramp sessions: stored completely, found by id and key, listed newest first', async () => {
    const { onramps } = stores.one
    const second = sampleOnramp({ id: 'o2', correlation_key: 'k2', created_ms: 2000 })
    await onramps.insert(sampleOnramp())
    await onramps.insert(second)
    const found = await stores.one.unitOfWork(
      { users: [], onrampReferences: ['o1'], onrampKeys: ['k2', 'k3'] },
      (unit) => {
        const first = unit.onramp(null, 'o1')
        if (first !== null) unit.putOnramp({ ...first, status: 'succeeded', transaction_uuid: 't1' })
        return [unit.onramp('k2', null), unit.onramp('k3', null), unit.onramp('k2', 'o1')]
      },
    )
    expect(found).toEqual([second, null, second])
    expect(await onramps.find(sampleOnramp())).toEqual(sampleOnramp({ status: 'succeeded', transaction_uuid: 't1' }))
  })

  test('ledger: every digit of an amount is kept', async () => {
    const { one } = stores
    const { ledger } = one
    for (const [n, text] of AMOUNTS.entries()) {
      const amount = decimal(text)
      // Only the available balance may be below zero, for a reason.
      const held = decimal(text.replace('-', ''))
      const user_reference_id = `u${n}`
      const currency_id = 'c1'
      const owner = { user_reference_id, currency_id }
      await one.users.ensure(user_reference_id, 0)
      await one.unitOfWork({ users: [user_reference_id] }, (unit) => {
        for (const overdraft of [null, 'late_payout'] as const)
          unit.post(
            postingOf({
              ...owner,
              booking: 'adjustment',
              posting_key: `p${n} ${overdraft}`,
              amount,
              detail: '{"n":1}',
            }),
            { ...owner, available: overdraft === null ? held : amount, held, overdraft },
          )
      })
      const balance = { user_reference_id, currency_id, available: text, held, overdraft: 'late_payout' }
      expect(await ledger.balance(user_reference_id, 'c1')).toEqual(balance)
      expect(await ledger.balances(user_reference_id)).toHaveLength(1)
      const loaded = await one.unitOfWork({ users: [], balances: [[user_reference_id, currency_id]] }, (unit) =>
        unit.balance(user_reference_id, currency_id),
      )
      expect(loaded).toEqual(balance)
    }
    const all = <Row>(read: (ledger: WholeLedger) => AsyncIterable<Row[]>): Promise<Row[]> =>
      stores.one.snapshot((ledger) => allRows(read(ledger)))
    const entries = await all((ledger) => ledger.entries())
    const entered = (account: Account) =>
      entries.flatMap((entry) => (entry.account === account ? [canonical(entry.amount)] : [])).sort()
    const twice = [...AMOUNTS, ...AMOUNTS].map((text) => canonical(decimal(text)))
    expect(entered('available')).toEqual(twice.toSorted())
    expect(entered('merchant')).toEqual(twice.map((amount) => canonical(negate(amount))).sort())
    expect(await ledger.findPosting('u0', 'p0 null')).toEqual({
      detail: '{"n":1}',
      created_ms: expect.any(Number) as number,
    })
    expect(await ledger.findPosting('u0', 'q')).toBeNull()
    expect(await ledger.balance('nobody', 'c1')).toMatchObject({ available: '0', held: '0' })
    await seed(one, {
      withdrawals: [
        sampleWithdrawal({ amount: decimal(AMOUNTS[1]!) }),
        sampleWithdrawal({ id: 'w2', idempotency_key: 'k2', funds: 'paid' }),
      ],
    })
    expect(await all((ledger) => ledger.holds())).toEqual([
      { id: 'w1', user_reference_id: 'u', currency_id: 'c1', amount: AMOUNTS[1] },
    ])
    expect(await all((ledger) => ledger.balances())).toHaveLength(AMOUNTS.length)
  })

  test('ledger: a posting is booked once, and a repeated one leaves the balance unchanged', async () => {
    const booking = {
      booking: 'adjustment',
      posting_key: 'p',
      user_reference_id: 'u',
      currency_id: 'c1',
      amount: decimal('1'),
    } as const
    await seed(stores.one, { bookings: [booking] })
    await expect(seed(stores.one, { bookings: [booking] })).rejects.toThrow(/unique/i)
    expect((await stores.one.ledger.balance('u', 'c1')).available).toBe('1')
    const entries = await stores.one.snapshot((ledger) => allRows(ledger.entries()))
    expect(entries.filter(({ account }) => account === 'available')).toHaveLength(1)
  })

  test('a unit of work writes and reads a group that is larger than any limit of parameters', async () => {
    const { one } = stores
    const uuids = Array.from({ length: 3000 }, (_item, n) => `many-${n}`)
    await seed(one, {
      facts: uuids.map((transaction_uuid) => sampleFact({ transaction_uuid })),
      transactions: uuids.map((transaction_uuid) => sampleTransaction({ transaction_uuid })),
      records: uuids.map((transaction_uuid) => sampleRecord({ transaction_uuid })),
    })
    const loaded = await one.unitOfWork({ users: [], transactions: uuids.map((uuid) => keyOf(uuid)) }, (unit) =>
      uuids.filter((uuid) => unit.transaction('deposit', uuid) !== null && unit.facts('deposit', uuid).length === 1),
    )
    expect(loaded).toEqual(uuids)
    expect(await one.records.byUuids('u', [...uuids, ...uuids.map((uuid) => `no-${uuid}`)])).toHaveLength(3000)
  })

  test('quarantine: raw webhooks, and a quarantine read in order', async () => {
    const { quarantine, users, quarantineReleases } = stores.one
    const webhook = {
      received_ms: 1,
      sent_s: 1,
      body: '{"ä":"€"}',
      outcome: 'applied',
      transaction_uuid: 't1',
    } as const
    await seed(stores.one, { webhooks: [] })
    await seed(stores.one, { webhooks: [webhook] })
    const rows = await stores.one.database.db.selectFrom('webhooks').selectAll().execute()
    expect(rows.map(unpackBody)).toEqual([{ id: 1, ...webhook }])
    for (const [reason, user] of [
      ['unknown_user', 'u'],
      ['stale', 'u'],
      ['unknown_user', 'v'],
    ] as const)
      await seed(stores.one, { quarantine: [sampleQuarantined({ reason, user_reference_id: user })] })
    const open = { reason: null, settled: false, after: 0, limit: 9 }
    const all = await quarantine.list(open)
    const [first] = all
    expect(all.map(({ reason }) => reason)).toEqual(['unknown_user', 'stale', 'unknown_user'])
    expect(await quarantine.list({ ...open, after: first!.id, limit: 1 })).toEqual([all[1]])
    expect(await quarantine.waiting('unknown_user', { after: 0, limit: 9 })).toHaveLength(2)
    expect(await quarantine.waiting('unknown_user', { after: 0, limit: 9, user: 'v' })).toEqual([all[2]])
    await users.insertIfMissing('v', 1)
    const due = async () =>
      (await quarantineReleases.due('unknown_user', 1, 9)).map(({ id, user_known }) => [id, user_known])
    expect(await due()).toEqual([
      [first!.id, 0],
      [all[2]!.id, 0],
    ])
    await users.ensure('v', 1)
    await quarantineReleases.postpone([], 2)
    await quarantineReleases.postpone([first!], 2)
    expect(await due()).toEqual([[all[2]!.id, 1]])
    expect([...(await quarantine.countOpen())].sort()).toEqual([
      ['stale', 1],
      ['unknown_user', 2],
    ])
    expect(await quarantine.list({ ...open, reason: 'stale' })).toEqual([all[1]])
    await quarantine.setReason(all[2]!.id, 'conflict')
    expect(await quarantine.settle(all[2]!.id, { by: 'merchant', now: 7, note: 'ours' })).toBe(true)
    expect(await quarantine.find(all[2]!.id)).toEqual({
      ...all[2],
      reason: 'conflict',
      settled_ms: 7,
      settled_by: 'merchant',
      note: 'ours',
    })
    expect(await due()).toEqual([])
    expect(await quarantine.settle(first!.id, { by: 'system', now: 8 })).toBe(true)
    expect(await quarantine.settle(first!.id, { by: 'merchant', now: 9 })).toBe(false)
    await quarantine.setReason(first!.id, 'stale')
    expect(await quarantine.list(open)).toEqual([all[1]])
    expect(await quarantine.waiting('unknown_user', { after: 0, limit: 9 })).toEqual([])
    const settled = { ...open, settled: true }
    expect((await quarantine.list(settled)).map(({ reason, settled_by }) => [reason, settled_by])).toEqual([
      ['unknown_user', 'system'],
      ['conflict', 'merchant'],
    ])
    expect(await quarantine.list({ ...settled, reason: 'stale' })).toEqual([])
    expect(await quarantine.find(99)).toBeNull()
  })

  test("records: the gateway's list as last seen, filtered, newest first", async () => {
    const { records } = stores.one
    const second = sampleRecord({ transaction_uuid: 't2', type: 'Payout', inserted_ms: 2000 })
    await seed(stores.one, { records: [sampleRecord(), second, sampleRecord({ user_reference_id: 'v' })] })
    await seed(stores.one, { records: [{ ...second, status: 'DONE' }] })
    const named = async (filter: Parameters<typeof records.list>[1]) =>
      (await records.list('u', filter)).map((row) => `${row.transaction_uuid} ${row.status}`)
    expect(await named({})).toEqual(['t2 DONE', 't1 TXN_NEW'])
    expect(await named({ types: ['Deposit'] })).toEqual(['t1 TXN_NEW'])
    expect(await named({ fromMs: 1001 })).toEqual(['t2 DONE'])
    expect(await named({ fromMs: 1000, untilMs: 2000 })).toEqual(['t1 TXN_NEW'])
    expect(await records.byUuids('u', ['t1', 'x'])).toEqual([sampleRecord()])
    expect(await records.byUuids('u', [])).toEqual([])
  })

  test('list scans: one for a user, with its distinct records; what a list no longer has is missing', async () => {
    const { listScans, records } = stores.one
    const sample = (transaction_uuid: string, more = {}) => sampleRecord({ transaction_uuid, seen_ms: 999, ...more })
    await seed(stores.one, {
      records: [
        sample('t1'),
        sample('t2'),
        sample('new', { seen_ms: 1000 }),
        sample('other', { user_reference_id: 'v' }),
      ],
    })
    expect(await listScans.find('u')).toBeNull()
    await listScans.put(sampleListScan())
    await listScans.put(sampleListScan({ cursor: null, phase: 'top', since_ms: 7 }))
    expect(await listScans.find('u')).toEqual(sampleListScan({ cursor: null, phase: 'top', since_ms: 7 }))
    expect([await listScans.addRecords('u', ['t1', 'x']), await listScans.addRecords('u', ['x', 'y'])]).toEqual([2, 3])
    expect(await listScans.addRecords('v', ['t2'])).toBe(1)
    const before = { sinceMs: 999, aheadMs: 9999 }
    expect(await records.missingSince('u', before, 'stored')).toEqual(['t2'])
    expect((await records.missingSince('u', before, 'of one round')).toSorted()).toEqual(['t1', 't2'])
    await listScans.remove('u')
    expect([await listScans.find('u'), await listScans.addRecords('u', ['z'])]).toEqual([null, 1])
    expect(await listScans.addRecords('v', [])).toBe(1)
  })

  test('users: which of some names are known, by exact spelling', async () => {
    const { users } = stores.one
    await users.ensure('User', 1)
    await users.insertIfMissing('adjusted', 1)
    expect([...(await users.knownAmong(['User', 'user', 'adjusted']))]).toEqual(['User'])
  })

  test('a committed change is signalled; a read, a rollback and a statement that changes no row are not', async () => {
    const { one } = stores
    await one.users.ensure('u', 1)
    let changes = 0
    onTestFinished(one.onChange(() => (changes += 1)))
    await one.users.exists('u')
    await one.users.ensure('u', 1)
    await one.reconcileQueue.claimDue('quarantined', 1, 1)
    const undone = one.transaction(async (tx) => {
      await tx.users.markSeen('u', 2)
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect(changes).toBe(0)
    await one.users.markSeen('u', 3)
    expect(changes).toBe(1)
    expect(await one.reconcileQueue.claimDue('sweep', 1, 1)).toHaveLength(1)
    expect(changes).toBe(2)
    await one.transaction(async (tx) => {
      await tx.users.markSeen('u', 4)
      await tx.users.markSeen('u', 5)
      expect(changes).toBe(2)
    })
    expect(changes).toBe(3)
    const scheduleIn = (ms: number): Promise<void> =>
      one.unitOfWork({ users: ['u'] }, (unit) => {
        unit.scheduleReconciliation('u', unit.now + ms, 'open')
      })
    await scheduleIn(60_000)
    expect(changes).toBe(4)
    // The user is due earlier already.
    await scheduleIn(120_000)
    expect(changes).toBe(4)
  })

  test('a lease that many take at once has one holder', async () => {
    const others = flavour === 'postgres' ? [await stores.another(), await stores.another()] : []
    const asked = [stores.one, ...others].flatMap((store) =>
      [1, 2, 3].map((n) => store.leases.take('job', `${n}`, 60_000).then((taken) => (taken ? [n] : []))),
    )
    const holders = new Set((await Promise.all(asked)).flat())
    expect(holders.size).toBe(1)
  })
})
