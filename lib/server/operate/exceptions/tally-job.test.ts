import { describe, expect, test } from 'vitest'
import type { FeedItem } from '../../ledger/outbox.ts'
import { applyOneFact, seed } from '../../store/testing/seed.ts'
import { sampleCurrency, sampleFact, sampleOperator } from '../../store/testing/sample-rows.ts'
import { FLAVOURS } from '../../store/testing/test-databases.ts'
import { useStores } from '../../store/testing/use-stores.ts'
import type { Store } from '../../store/store.ts'
import { decimal } from '#lib/contract/money.ts'
import { createDayNumbers } from './day-numbers.ts'
import { createTallyJob } from './tally-job.ts'

const NOON = Date.UTC(2026, 10, 27, 12)
let now = NOON

const invite = (store: Store) => store.operators.add(sampleOperator)

const jobOf = (store: Store, holder = 'i1') =>
  createTallyJob({
    store,
    holder,
    onFault: (error) => {
      throw error
    },
  })

const event = (entity: string, more: Partial<FeedItem['event']> = {}) => ({
  entity,
  user: 'u',
  streamUser: 'u',
  source: 'webhook' as const,
  event: {
    transaction_uuid: entity,
    kind: 'deposit' as const,
    status: 'succeeded',
    amount: '0.1',
    currency_code: 'USDT',
    network: 'Tron',
    tx_hash: null,
    updated_at: '',
    ...more,
  },
})

describe.each(FLAVOURS)('%s', (flavour) => {
  const stores = useStores(flavour, { clock: () => now, partitioned: true })
  const numbers = async (time_zone = 'UTC') => createDayNumbers({ store: stores.one, clock: () => now })({ time_zone })

  test('what succeeded is counted once, in its own currency and day, with every digit', async () => {
    const { one } = stores
    await invite(one)
    await one.users.ensure('u', 1)
    now = NOON - 13 * 3_600_000
    await seed(one, { published: [event('deposit:before')] })
    now = NOON
    await seed(one, {
      published: [
        event('deposit:1', { amount: '0.000000000000000001' }),
        event('deposit:2', { status: 'processing' }),
        event('deposit:3', { amount: '123456789012345678.5' }),
        event('withdrawal:w', { kind: 'payout', withdrawal_id: 'w', amount: '7' }),
        event('payout:p', { kind: 'payout', amount: '9' }),
        event('onramp:o', { kind: 'onramp', amount: null, currency_code: 'BTC', network: 'Bitcoin' }),
      ],
    })
    await one.events.number()
    await jobOf(one).runOnce()
    await jobOf(one).runOnce()
    const nothing = { count: 0, sum: '0' }
    const day = await numbers()
    expect(day).toMatchObject({ uncounted: 0, from: '2026-11-27T00:00:00.000Z', until: '2026-11-28T00:00:00.000Z' })
    expect(day.currencies).toMatchObject([
      { currency_code: 'BTC', deposits: nothing, withdrawals: nothing, purchases: { count: 1, sum: '0' } },
      {
        currency_code: 'USDT',
        deposits: { count: 2, sum: '123456789012345678.500000000000000001' },
        withdrawals: { count: 1, sum: '7' },
        purchases: nothing,
        balances: null,
      },
    ])
    // There the day began an hour earlier.
    const before = await numbers('Europe/Berlin')
    expect(before.currencies.at(-1)?.deposits.count).toBe(3)
  })

  test('a corrected amount replaces the first one, also in a later round and on a later day', async () => {
    const { one } = stores
    await invite(one)
    await one.users.ensure('u', 1)
    now = NOON
    await seed(one, { published: [event('deposit:1', { amount: '0.1' }), event('deposit:1', { amount: '0.12' })] })
    await one.events.number()
    await jobOf(one).runOnce()
    expect((await numbers()).currencies).toMatchObject([{ deposits: { count: 1, sum: '0.12' } }])
    now = NOON + 86_400_000
    await seed(one, { published: [event('deposit:1', { amount: '0.123' }), event('deposit:2', { amount: '1' })] })
    await one.events.number()
    await jobOf(one).runOnce()
    expect((await numbers()).currencies).toMatchObject([{ deposits: { count: 1, sum: '1' } }])
    now = NOON
    expect((await numbers()).currencies).toMatchObject([{ deposits: { count: 1, sum: '0.123' } }])
  })

  test('real deposits are counted; many take more than one transaction; a second instance waits', async () => {
    const { one } = stores
    await invite(one)
    now = NOON
    await one.users.ensure('u', 1)
    await seed(one, { currencies: [sampleCurrency] })
    await applyOneFact(one, sampleFact({ transaction_uuid: 't1', status: 'succeeded', amount: decimal('2.5') }))
    await seed(one, { published: Array.from({ length: 1200 }, (_item, at) => event(`deposit:${at}`)) })
    await one.events.number()
    const other = jobOf(await stores.another(), 'i2')
    expect(await jobOf(one).runOnce()).toBe(false)
    await other.runOnce()
    expect((await numbers()).currencies).toMatchObject([{ deposits: { count: 1201, sum: '122.5' } }])
  })

  test('without operators nothing is counted', async () => {
    const { one } = stores
    await one.users.ensure('u', 1)
    await seed(one, { published: [event('deposit:1')] })
    await one.events.number()
    await jobOf(one).runOnce()
    expect(await numbers()).toMatchObject({ uncounted: 1, currencies: [] })
  })
})
