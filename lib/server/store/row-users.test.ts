/** A name has one user: one transaction, one withdrawal and one payout for each `transaction_uuid`, over all users. */
import { describe, expect, test } from 'vitest'
import { decimal } from '#lib/contract/money.ts'
import { sql } from 'kysely'
import type { BrokenInvariant } from '../ledger/invariant.ts'
import type { UnitOfWork } from '../ledger/unit-of-work.ts'
import { checkLedger } from './commands/check-ledger.ts'
import type { Store } from './store.ts'
import { watchLocks } from './testing/hold-lock.ts'
import { sampleFact, sampleOnramp, sampleTransaction, sampleWithdrawal } from './testing/sample-rows.ts'
import { applyOneFact, changeWithdrawal, seed } from './testing/seed.ts'
import { FLAVOURS } from './testing/test-databases.ts'
import { useStores } from './testing/use-stores.ts'

const usersOf = async (store: Store, table: 'transactions' | 'row_users'): Promise<readonly string[]> => {
  const query = sql<{ user: string }>`select user_reference_id as user from ${sql.table(table)}`
  return (await query.execute(store.database.db)).rows.map(({ user }) => user).sort()
}

describe.each(FLAVOURS)('on %s', (flavour) => {
  const stores = useStores(flavour, { partitioned: true })
  const onramp = sampleFact({ kind: 'onramp', session_reference: 'o1', user_reference_id: null, amount: decimal('7') })

  test('a purchase moves to its user with all its facts once an event names the user', async () => {
    const { one } = stores
    await one.users.ensure('u', 0)
    await one.onramps.insert(sampleOnramp({ correlation_key: 'm:o1' }))
    await applyOneFact(one, onramp)
    expect(await usersOf(one, 'transactions')).toEqual([''])
    expect(await one.transactions.find('onramp', 't1')).toMatchObject({ user_reference_id: null })
    await applyOneFact(one, { ...onramp, status: 'succeeded', user_reference_id: 'u' })
    expect(await usersOf(one, 'transactions')).toEqual(['u'])
    expect(await one.transactions.facts('onramp', 't1')).toHaveLength(2)
    expect(await one.ledger.balance('u', 'c1')).toMatchObject({ available: '7' })
    expect(await applyOneFact(one, { ...onramp, status: 'succeeded', user_reference_id: 'u' })).toBe('seen')
  })

  test('a purchase stands under no user again once its session turns out to pay into a wallet of their own', async () => {
    const { one } = stores
    await one.users.ensure('u', 0)
    const early = { ...onramp, user_reference_id: 'u', session_reference: null }
    await applyOneFact(one, early)
    expect(await usersOf(one, 'transactions')).toEqual(['u'])
    await one.onramps.insert(sampleOnramp({ correlation_key: 'm:o1', wallet_address: 'TOwn' }))
    await applyOneFact(one, { ...onramp, status: 'succeeded', user_reference_id: 'u' })
    expect(await usersOf(one, 'transactions')).toEqual([''])
    expect(await one.transactions.facts('onramp', 't1')).toHaveLength(2)
    expect(await one.transactions.find('onramp', 't1')).toMatchObject({ user_reference_id: null, credited: '0' })
    const { onramps } = await one.history.ownRows('u', 0)
    expect(onramps).toMatchObject([{ session: { id: 'o1' }, transaction: { transaction_uuid: 't1' }, listed: false }])
  })

  test('a transaction of one user is not given to another', async () => {
    const { one } = stores
    await seed(one, { transactions: [sampleTransaction()] })
    const given = one.unitOfWork({ users: ['u', 'v'], transactions: [sampleTransaction()] }, (unit) =>
      unit.putTransaction(sampleTransaction({ user_reference_id: 'v' })),
    )
    await expect(given).rejects.toMatchObject({ invariant: 'one_user', about: 't1' })
  })

  test('the transaction that a withdrawal gave up may be that of another withdrawal', async () => {
    const { one } = stores
    const other = sampleWithdrawal({ id: 'w2', user_reference_id: 'v', idempotency_key: 'k2' })
    await seed(one, { withdrawals: [sampleWithdrawal({ transaction_uuid: 'p' }), other] })
    const take = () => changeWithdrawal(one, 'w2', { transaction_uuid: 'p' })
    await expect(take()).rejects.toMatchObject({ invariant: 'one_withdrawal', about: 'p' })
    await changeWithdrawal(one, 'w1', { transaction_uuid: null })
    await take()
    expect((await one.withdrawals.find('w2'))?.transaction_uuid).toBe('p')
    expect(await usersOf(one, 'row_users')).toEqual(['v'])
  })
})

describe.each([true, false])('two instances on PostgreSQL, with partitions: %s', (partitioned) => {
  const stores = useStores('postgres', { partitioned })
  const USERS = ['u', 'v'] as const

  test('one uuid for two users at once is credited to one of them', async () => {
    const two = await stores.another()
    for (const user of USERS) await stores.one.users.ensure(user, 0)
    const uuids = Array.from({ length: 8 }, (_item, index) => `t-${index}`)
    const outcomes: string[] = []
    for (const transaction_uuid of uuids) {
      const fact = sampleFact({ transaction_uuid, status: 'succeeded' })
      const both = [stores.one, two].map((store, at) =>
        applyOneFact(store, { ...fact, user_reference_id: USERS[at] ?? '' }),
      )
      outcomes.push(...(await Promise.all(both)))
    }
    expect(outcomes.toSorted()).toEqual([...uuids.map(() => 'applied'), ...uuids.map(() => 'conflict')])
    const balances = await Promise.all(USERS.map((user) => stores.one.ledger.balance(user, 'c1')))
    expect(balances.reduce((total, { available }) => total + Number(available), 0)).toBe(uuids.length)
    const rows = await stores.one.transactions.byUuids(uuids)
    expect(rows.map(({ credited }) => credited)).toEqual(uuids.map(() => '1'))
    expect(await stores.one.snapshot(checkLedger)).toMatchObject({ ok: true })
  })

  /** Units that were not loaded with the uuid, so no lock keeps them apart. */
  const CLAIMS: readonly (readonly [
    what: BrokenInvariant['invariant'],
    write: (unit: UnitOfWork, user: string) => void,
  ])[] = [
    ['one_user', (unit, user) => unit.putTransaction(sampleTransaction({ user_reference_id: user }))],
    [
      'one_withdrawal',
      (unit, user) =>
        unit.insertWithdrawal(sampleWithdrawal({ id: user, user_reference_id: user, transaction_uuid: 'p' })),
    ],
    [
      'one_user',
      (unit, user) =>
        unit.putPayout({
          ...{ transaction_uuid: 'p', user_reference_id: user, currency_id: 'c1', currency_code: 'USDT' },
          ...{ network: 'Tron', amount: null, inexact: 0, to_address: null, status: 'succeeded' },
          ...{ inserted_ms: null, inserted_at: null, first_seen_ms: 1, updated_ms: 1 },
          ...{ owner: null, withdrawal_id: null, note: null, awaits_list: 0, unbooked: 0 },
        }),
    ],
  ]

  test.each(CLAIMS)('without their locks the database refuses the second: %s', async (invariant, write) => {
    const two = await stores.another()
    const locks = await watchLocks(stores.url)
    const second: Promise<unknown>[] = []
    await stores.one.transaction(async (tx) => {
      const unit = await tx.load({ users: ['u'] })
      write(unit, 'u')
      await tx.save(unit)
      second.push(
        two
          .unitOfWork({ users: ['v'] }, (other) => {
            write(other, 'v')
          })
          .catch((error: unknown) => error),
      )
      await locks.waiting(1)
    })
    await locks.end()
    const [error] = await Promise.all(second)
    expect(error).toMatchObject({ name: 'BrokenInvariant', invariant })
    expect(await usersOf(stores.one, 'row_users')).toHaveLength(1)
  })
})
