/** The gateway's list may give a currency another id between a purchase and its deposit. */
import { describe, expect, test } from 'vitest'
import { decimal } from '#lib/contract/money.ts'
import type { Store } from '../store/store.ts'
import { sampleCurrency, sampleFact, sampleOnramp } from '../store/testing/sample-rows.ts'
import { applyOneFact, seed } from '../store/testing/seed.ts'
import { FLAVOURS } from '../store/testing/test-databases.ts'
import { useStores } from '../store/testing/use-stores.ts'
import { applyFact } from './apply-fact.ts'
import { checkLedger } from '../store/commands/check-ledger.ts'
import type { Fact } from './facts.ts'

/** The facts of one purchase of `user`: its own events under the old currency id, the deposit's under the new one. */
function storyOf(user: string): readonly Fact[] {
  const key = `key-${user}`
  const hash = `hash-${user}`
  const onramp = { kind: 'onramp', transaction_uuid: `o-${user}`, currency_id: 'old', correlation_key: key } as const
  const deposit = {
    kind: 'deposit',
    transaction_uuid: `d-${user}`,
    currency_id: 'new',
    currency_code: 'usdt',
    amount: decimal('0.9'),
  } as const
  const done = { status: 'succeeded', user_reference_id: user } as const
  return [
    sampleFact({ ...onramp, ...done, status: 'processing', amount: null }),
    sampleFact({ ...onramp, ...done, tx_hash: hash }),
    sampleFact({ ...deposit, ...done, source: 'reconciliation', correlation_key: key }),
    sampleFact({ ...deposit, ...done, status: 'processing' }),
    sampleFact({ ...deposit, ...done, tx_hash: hash }),
  ]
}

/** Every order of these items. */
function orders<T>(items: readonly T[]): readonly (readonly T[])[] {
  if (items.length <= 1) return [items]
  return items.flatMap((item, index) => orders(items.toSpliced(index, 1)).map((rest) => [item, ...rest]))
}

async function begin(store: Store, user: string): Promise<void> {
  await store.users.ensure(user, 0)
  const names = { id: `s-${user}`, user_reference_id: user, correlation_key: `key-${user}` }
  await store.onramps.insert(sampleOnramp({ ...names, currency_id: 'old' }))
}

const balancesOf = async (store: Store, user: string) =>
  (await Promise.all(['old', 'new'].map((id) => store.ledger.balance(user, id)))).map(({ available }) => available)

describe.each(FLAVOURS)('%s', (flavour) => {
  const stores = useStores(flavour)

  test('a purchase and its deposit are one credit, in any order', async () => {
    const { one } = stores
    for (const [index, order] of orders([0, 1, 2, 3, 4]).entries()) {
      const user = `u${String(index)}`
      await begin(one, user)
      const story = storyOf(user)
      for (const place of order) await applyOneFact(one, story[place]!)
      expect(await balancesOf(one, user), `order ${order.join('')}`).toEqual(['0', '0.9'])
    }
    expect((await one.snapshot(checkLedger)).faults).toEqual([])
  })

  test('the same in one unit of work', async () => {
    const { one } = stores
    for (const reversed of [false, true]) {
      const user = `together-${String(reversed)}`
      await begin(one, user)
      const facts = reversed ? storyOf(user).toReversed() : storyOf(user)
      await one.transaction(async (tx) => {
        const unit = await tx.load({ users: [user], transactions: facts, onrampKeys: [`key-${user}`] })
        await tx.loadRelated(unit, facts)
        for (const fact of facts) applyFact(unit, fact, { ledgerMode: 'embedded', ledgerStartMs: 0, evidence: '{}' })
        await tx.save(unit)
      })
      expect(await balancesOf(one, user)).toEqual(['0', '0.9'])
    }
  })

  test('the coins of a purchase that were withdrawn before their deposit came cannot be withdrawn again', async () => {
    const { one } = stores
    for (const order of [
      [1, 2, 3, 4],
      [1, 3, 4, 2],
    ]) {
      const user = `spent-${order.join('')}`
      await begin(one, user)
      const story = storyOf(user)
      const [bought, ...deposit] = order.map((place) => story[place]!)
      await applyOneFact(one, bought!)
      const spent = { user_reference_id: user, currency_id: 'old', amount: decimal('1') }
      await seed(one, {
        bookings: [
          { ...spent, booking: 'hold', posting_key: `hold:w-${user}` },
          { ...spent, booking: 'payout', posting_key: `payout:w-${user}` },
        ],
      })
      for (const fact of deposit) await applyOneFact(one, fact)
      expect(await balancesOf(one, user), `order ${order.join('')}`).toEqual(['-0.1', '0'])
    }
    expect((await one.snapshot(checkLedger)).faults).toEqual([])
  })

  test('an event from before the list was read, in other names: it is told in the listed ones once it may be', async () => {
    const { one } = stores
    await one.users.ensure('u', 0)
    const deposit = { ...sampleFact({ status: 'succeeded' }), currency_id: 'c1' }
    const event = sampleFact({ ...deposit, network: 'Another name', unconfirmed: true })
    await applyOneFact(one, event, { ledgerMode: 'merchant' })
    await one.transaction((tx) => tx.currencies.replaceListed([sampleCurrency], 1))
    const listed = {
      ...{ transaction_uuid: 't1', user_reference_id: 'u', type: 'Deposit', status: 'TXN_PROVIDER_SUCCEEDED' },
      ...{ inserted_at: new Date().toISOString(), cursor: '1', record: '{}', currency: sampleCurrency },
      fact: sampleFact({ ...deposit, source: 'reconciliation' }),
    } as const
    await one.applyRecords('u', [listed], { ledgerMode: 'merchant', ledgerStartMs: 0 })
    await one.events.number()
    const [told, ...more] = await one.events.feedAfter(0, 9)
    expect(JSON.parse(told?.data ?? '')).toMatchObject({ currency_code: 'USDT', network: 'Tron', status: 'succeeded' })
    expect(more).toEqual([])
    expect(await one.transactions.find('deposit', 't1')).toMatchObject({ network: 'Tron' })
  })

  test('a deposit of another currency with the same hash is another credit', async () => {
    const { one } = stores
    await begin(one, 'u')
    const [, bought] = storyOf('u')
    const other = { kind: 'deposit', status: 'succeeded', currency_id: 'new', tx_hash: 'hash-u' } as const
    await applyOneFact(one, bought!)
    await applyOneFact(one, sampleFact({ ...other, transaction_uuid: 'd1', currency_code: 'TRX' }))
    await applyOneFact(one, sampleFact({ ...other, transaction_uuid: 'd2', network: 'Ethereum' }))
    expect(await balancesOf(one, 'u')).toEqual(['1', '2'])
  })
})
