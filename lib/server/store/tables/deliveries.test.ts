import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Store } from '../store.ts'
import { rowsTouched, sqlitePlans } from '../testing/statements.ts'
import { FLAVOURS } from '../testing/test-databases.ts'
import { useStores } from '../testing/use-stores.ts'

const ENTITIES = 2000
const EACH = 5

/** Five pending events for each of 2000 transactions; the first event of every fourth has failed and is due again. */
async function backlog(store: Store): Promise<void> {
  const rows = sql.raw(`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${ENTITIES * EACH})`)
  await sql`insert into merchant_events (cursor, entity, data, created_ms)
    ${rows} select i, 'deposit:' || (i % ${sql.lit(ENTITIES)}), '{}', 1 from n`.execute(store.database.db)
  await sql`insert into deliveries (cursor, entity, state, attempts, next_ms, first_ms)
    ${rows} select i, 'deposit:' || (i % ${sql.lit(ENTITIES)}), 'pending',
      case when i < ${sql.lit(ENTITIES)} and i % 4 = 0 then 1 else 0 end, 1, 1 from n`.execute(store.database.db)
  // PostgreSQL collects statistics by itself, SQLite has none.
  if (store.database.flavour === 'postgres') await sql`analyze`.execute(store.database.db)
}

const look = (store: Store) => async () => {
  for (const fresh of [true, false]) {
    const due = await store.deliveries.due({ fresh, limit: 50 })
    expect(due).toHaveLength(50)
    await store.deliveries.due({ fresh, limit: 50, after: due.at(-1)! })
    const cursors = due.map(({ cursor }) => cursor)
    await store.deliveries.claim(cursors, 'me', 9)
    await store.deliveries.holdBack(cursors)
  }
}

describe.each(FLAVOURS)('%s', (flavour) => {
  let now = 9
  beforeEach(() => {
    now = 9
  })
  const stores = useStores(flavour, { partitioned: true, databaseClock: () => now, clock: () => now })

  test('the oldest pending event of a transaction may be sent, and the others wait for it', async () => {
    const { one } = stores
    await backlog(one)
    const all = await one.deliveries.due({ fresh: true, limit: 20_000 })
    const heads = all.filter(({ blocked }) => blocked === 0)
    expect([all.length, heads.length]).toEqual([ENTITIES * EACH - 499, ENTITIES - 499])
    const [fourth, fifth] = [4, 5].map((cursor) => ({ cursor, entity: `deposit:${cursor}`, claim: 'me' }))
    const asked = [4, 5, 6 + ENTITIES]
    expect(await one.deliveries.claim(asked, 'me', 70)).toEqual(new Set([4, 5]))
    expect(await one.deliveries.claim(asked, 'you', 70)).toEqual(new Set())
    await one.deliveries.retryAt(fourth!, { nextMs: 77, firstMs: 1, error: 'away' })
    await one.deliveries.holdBack([1, 4 + ENTITIES, 5 + ENTITIES, 6 + ENTITIES])
    const rows = one.database.db.selectFrom('deliveries').select(['cursor', 'next_ms']).where('next_ms', '>', 9)
    expect(await rows.orderBy('cursor').execute()).toEqual([
      { cursor: 4, next_ms: 77 },
      { cursor: 5, next_ms: 79 },
      { cursor: 4 + ENTITIES, next_ms: 77 },
      { cursor: 5 + ENTITIES, next_ms: 79 },
      { cursor: 6 + ENTITIES, next_ms: 300_009 },
    ])
    now = 10
    await one.transaction((tx) => tx.deliveries.delivered({ ...fifth!, claim: 'you' }))
    expect(await rows.where('cursor', '=', 5).execute()).toHaveLength(1)
    await one.transaction((tx) => tx.deliveries.delivered(fifth!))
    const woken = await rows.where('cursor', '=', 5 + ENTITIES).execute()
    expect(woken).toEqual([{ cursor: 5 + ENTITIES, next_ms: 10 }])
  })

  test('a committed event counts as pending before it has a number', async () => {
    const { one } = stores
    const event = { entity: 'deposit:a', data: '{}', created_ms: 7 }
    await one.database.db
      .insertInto('unnumbered_events')
      .values([
        { ...event, for_delivery: 1 },
        { ...event, created_ms: 6, for_delivery: 0 },
      ])
      .execute()
    expect(await one.deliveries.counts()).toEqual({ pending: 1, dead: 0, oldestMs: 7 })
  })
})

describe('a query among 10,000 pending events', () => {
  const postgres = useStores('postgres', { partitioned: true })
  test('touches a few hundred rows on postgres', async () => {
    await backlog(postgres.one)
    expect(await rowsTouched(postgres.one, look(postgres.one))).toBeLessThan(4000)
  })

  const sqlite = useStores('sqlite')
  test('uses an index with the right order on sqlite', async () => {
    await backlog(sqlite.one)
    const plans = await sqlitePlans(sqlite.url, look(sqlite.one))
    expect(plans.filter((step) => step.includes('TEMP B-TREE') || step.startsWith('SCAN'))).toEqual([])
    expect(plans.filter((step) => /INDEX deliveries_(fresh|retry) \(next_ms</.test(step))).not.toEqual([])
  })
})
