import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Store } from '../store.ts'
import { rowsTouched, sqlitePlans } from '../testing/statements.ts'
import { FLAVOURS } from '../testing/test-databases.ts'
import { useStores } from '../testing/use-stores.ts'
import type { DeliveryFilter } from './delivery-list.ts'

const ANY: DeliveryFilter = { state: null, transaction: null, user: null, outcome: null, fromMs: null, toMs: null }
const EVERYWHERE = { after: 0, before: Number.MAX_SAFE_INTEGER }
const COUNT = 40_000
const USERS = 400

/**
 * An event each second for deposits of 400 users, three in a row for each deposit. The newest half waits or fails, 1 in
 * 1000 is dead, and one of the newest half in 5000 fails.
 */
async function history({ database: { db, flavour } }: Store): Promise<void> {
  const rows = sql.raw(`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${COUNT})`)
  const half = sql.lit(COUNT / 2)
  const user = sql.raw(`'u' || (i / 3 % ${USERS})`)
  await sql`insert into transactions (kind, transaction_uuid, user_reference_id, status, currency_code, network, occurred_at,
      created_ms, updated_ms, standing, postings)
    ${rows} select 'deposit', 't' || (i / 3), ${user}, 'processing', 'BTC', 'Bitcoin', '', 1, 1, 'confirmed', 0
    from n where i % 3 = 0`.execute(db)
  await sql`insert into merchant_events (cursor, entity, data, created_ms)
    ${rows} select i, 'deposit:t' || (i / 3), '{"user_reference_id":"' || ${user} || '"}', i * 1000 from n`.execute(db)
  await sql`insert into deliveries (cursor, entity, state, attempts, next_ms)
    ${rows} select i, 'deposit:t' || (i / 3), case when i % 1000 = 7 then 'dead' else 'pending' end,
      case when i % 1000 = 7 or i % 5000 = 3 then 1 else 0 end, 1 from n where i > ${half} or i % 1000 = 7`.execute(db)
  await sql`insert into delivery_attempts (cursor, attempt, began_ms, ended_ms, outcome, webhook_id, signature, body)
    ${rows} select i, 1, i * 1000, i * 1000, case when i % 5000 = 3 then '500' else '204' end, '', '', '' from n
    where i <= ${half} or i % 5000 = 3`.execute(db)
  if (flavour === 'postgres') await sql`analyze`.execute(db)
}

const FILTERS: Readonly<Record<string, Partial<DeliveryFilter>>> = {
  all: {},
  waiting: { state: 'waiting' },
  failing: { state: 'failing' },
  dead: { state: 'dead' },
  delivered: { state: 'delivered' },
  transaction: { transaction: 't5' },
  user: { user: 'u5' },
  outcome: { outcome: '500' },
  succeeded: { outcome: '204' },
  times: { fromMs: 10_000_000, toMs: 10_060_000 },
  combined: { state: 'failing', outcome: '500', user: 'u7', fromMs: 1 },
}

/** What a page of the list asks, and a page of an order to send again. */
const ask = async ({ deliveryList }: Store, given: Partial<DeliveryFilter>): Promise<void> => {
  const filter = { ...ANY, ...given }
  const range = await deliveryList.range(filter)
  for (const order of ['newest', 'oldest'] as const) {
    const found = await deliveryList.candidates(filter, range, order, 50)
    const accepted = await deliveryList.accepted(filter, found, order === 'oldest' ? 1 : null)
    await deliveryList.rows([...accepted])
  }
}

describe.each(FLAVOURS)('%s', (flavour) => {
  const stores = useStores(flavour, { partitioned: true, clock: () => 5, databaseClock: () => 5 })

  test('each filter accepts what it names, and no query reads more than its page', async () => {
    const { one } = stores
    await history(one)
    const { deliveryList } = one
    const found = async (given: Partial<DeliveryFilter>): Promise<readonly number[]> => {
      const filter = { ...ANY, ...given }
      const range = await deliveryList.range(filter)
      const candidates = await deliveryList.candidates(filter, range, 'newest', 100_000)
      const accepted = await deliveryList.accepted(filter, candidates)
      return candidates.filter((cursor) => accepted.has(cursor))
    }
    const last = (given: Partial<DeliveryFilter>) => found(given).then((cursors) => [cursors.length, cursors[0]])
    expect(await last({})).toEqual([COUNT, COUNT])
    expect(await last({ state: 'waiting' })).toEqual([COUNT / 2 - 20 - 4, COUNT])
    expect(await found({ state: 'failing' })).toEqual([35_003, 30_003, 25_003, 20_003])
    expect(await last({ state: 'dead' })).toEqual([40, 39_007])
    expect(await last({ state: 'delivered' })).toEqual([COUNT / 2 - 20, 20_000])
    expect(await found({ transaction: 't5' })).toEqual([17, 16, 15])
    expect(await found({ user: 'u5', toMs: 100_000 })).toEqual([17, 16, 15])
    expect(await found({ user: 'u5', transaction: 't6' })).toEqual([])
    expect(await last({ outcome: '500' })).toEqual([8, 35_003])
    expect(await found({ outcome: '500', state: 'delivered' })).toEqual([15_003, 10_003, 5003, 3])
    expect(await last({ outcome: '204' })).toEqual([COUNT / 2 - 4, 20_000])
    expect(await last({ fromMs: 10_000_000, toMs: 10_060_000 })).toEqual([60, 10_059])
    expect(await deliveryList.stateCounts(10)).toEqual({ waiting: 10, failing: 4, dead: 10 })

    // Of a user with very many, the feed is read, from the newest on.
    const { db } = one.database
    const rows = sql.raw('with recursive n(i) as (select 1 union all select i + 1 from n where i < 6000)')
    await sql`insert into transactions (kind, transaction_uuid, user_reference_id, status, currency_code, network,
        occurred_at, created_ms, updated_ms, standing, postings)
      ${rows} select 'deposit', 'many' || i, 'u6', 'processing', 'BTC', 'Bitcoin', '', 1, 1, 'confirmed', 0
      from n`.execute(db)
    if (flavour === 'postgres') await sql`analyze`.execute(db)
    expect(await found({ user: 'u6', toMs: 100_000 })).toEqual([20, 19, 18])
    const newest = await deliveryList.candidates({ ...ANY, user: 'u6' }, EVERYWHERE, 'newest', 5)
    expect(newest).toEqual([COUNT, COUNT - 1, COUNT - 2, COUNT - 3, COUNT - 4])

    for (const [name, given] of Object.entries(FILTERS)) {
      if (flavour === 'postgres') {
        // The statements of two pages: numbers, conditions and rows; and the events and deposits of one user.
        expect(await rowsTouched(one, () => ask(one, given)), name).toBeLessThan(given.user === undefined ? 2500 : 5000)
      } else {
        const plans = await sqlitePlans(stores.url, () => ask(one, given))
        const sorts = plans.filter((step) => step.includes('TEMP B-TREE FOR ORDER BY'))
        expect([name, sorts]).toEqual([name, given.user === undefined && given.transaction === undefined ? [] : sorts])
        expect([name, plans.filter((step) => /^SCAN (?!json_each|x|halves|CONSTANT)/.test(step))]).toEqual([name, []])
      }
    }
  }, 60_000)

  test('the numbers of a time are found among events in the wrong order and with numbers left out', async () => {
    const { one } = stores
    const { db } = one.database
    const times = [5, 1, 9, 3, 200_007, 200_002, 400_000].map((ms, at) => ({
      created_ms: ms,
      cursor: at < 3 ? at + 1 : at + 1_000_000,
    }))
    await db
      .insertInto('merchant_events')
      .values(times.map((row) => ({ ...row, entity: 'e', data: '{}' })))
      .execute()
    for (const fromMs of [0, 4, 9, 10, 200_003, 399_999, 400_001]) {
      const filter = { ...ANY, fromMs }
      const range = await one.deliveryList.range(filter)
      const candidates = await one.deliveryList.candidates(filter, range, 'oldest', 99)
      const expected = times.filter(({ created_ms }) => created_ms >= fromMs).map(({ cursor }) => cursor)
      expect([...(await one.deliveryList.accepted(filter, candidates))].sort((a, b) => a - b)).toEqual(expected)
    }
    const { after, before } = await one.deliveryList.range({ fromMs: 390_000, toMs: 391_000 })
    expect([after, before]).toEqual([1_000_005, 1_000_007])
  })

  test('an empty feed has an empty range', async () => {
    const { deliveryList } = stores.one
    const range = await deliveryList.range({ fromMs: 1, toMs: 2 })
    expect(await deliveryList.candidates(ANY, range, 'newest', 9)).toEqual([])
    expect(await deliveryList.candidates(ANY, EVERYWHERE, 'newest', 9)).toEqual([])
  })
})
