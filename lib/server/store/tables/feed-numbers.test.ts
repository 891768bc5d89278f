/** Numbers of the feed while many write, and while numbering dies anywhere. */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { add, decimal, ZERO } from '#lib/contract/money.ts'
import type { Store } from '../store.ts'
import { sampleTransaction } from '../testing/sample-rows.ts'
import { tellDeposit } from '../testing/tell-deposit.ts'
import { FLAVOURS } from '../testing/test-databases.ts'
import { useStores } from '../testing/use-stores.ts'
import { NUMBERING_LOCK } from './feed-numbers.ts'

const USERS = ['ann', 'bob', 'cy', null] as const

const pick = <T>(from: readonly T[]): T => from[Math.floor(Math.random() * from.length)]!

/** Two transactions of the gateway for each user, and two of nobody. */
const ENTITIES = USERS.flatMap((user) => [1, 2].map((n) => ({ user, uuid: `${user ?? 'nobody'}-${String(n)}` })))

/** Takes the next step of each of these transactions, with an event for each step. */
const step = (store: Store, entities: readonly (typeof ENTITIES)[number][], pauseMs = 0): Promise<void> =>
  store.transaction(async (tx) => {
    const unit = await tx.load({
      users: entities.flatMap(({ user }) => user ?? []),
      transactions: entities.map(({ uuid }) => ({ kind: 'deposit', transaction_uuid: uuid })),
    })
    for (const { user, uuid } of entities) {
      const next = add(unit.transaction('deposit', uuid)?.amount ?? ZERO, decimal('1'))
      unit.putTransaction(
        sampleTransaction({ transaction_uuid: uuid, user_reference_id: user, amount: next, tx_hash: null }),
      )
      tellDeposit(unit, uuid, 'processing', user, next)
    }
    await tx.save(unit)
    await sleep(Math.random() * pauseMs)
  })

const stepOf = ({ entity, data }: { readonly entity: string; readonly data: string }): string =>
  `${entity} ${(JSON.parse(data) as { amount: string }).amount}`

const upTo = (count: number): number[] => Array.from({ length: count }, (_item, n) => n + 1)

/** The feed has each step of each transaction once, in order, under numbers without a gap. */
async function expectWhole(store: Store): Promise<number> {
  const feed = await store.events.feedAfter(0, 10_000)
  expect(feed.map(({ cursor }) => cursor)).toEqual(upTo(feed.length))
  // A transaction's amount is the number of its steps.
  const rows = await store.database.db.selectFrom('transactions').select(['transaction_uuid', 'amount']).execute()
  for (const { transaction_uuid, amount } of rows) {
    const entity = `deposit:${transaction_uuid}`
    const own = feed.filter((event) => event.entity === entity).map(stepOf)
    expect(own).toEqual(upTo(own.length).map((n) => `${entity} ${String(n)}`))
    expect(own.at(-1)).toBe(`${entity} ${String(amount)}`)
  }
  expect(new Set(feed.map(({ entity }) => entity)).size).toBe(rows.length)
  const queued = await store.database.db.selectFrom('deliveries').select('cursor').orderBy('cursor').execute()
  expect(queued.map(({ cursor }) => cursor)).toEqual(upTo(feed.length))
  expect((await store.feedEpoch.position()).head).toBe(feed.length)
  for (const user of USERS) {
    const stream = user === null ? [] : await store.events.after(user, 0, 10_000)
    expect(stream.map(({ seq }) => seq)).toEqual(upTo(stream.length))
  }
  return feed.length
}

/** Two batches took the same number, and only the key prevented it. */
const isDuplicate = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === '23505'

describe.each(FLAVOURS)('%s', (flavour) => {
  const stores = useStores(flavour, { partitioned: true, deliver: true })

  const ask = async (statement: string): Promise<readonly Record<string, unknown>[]> => {
    const client = new pg.Client({ connectionString: stores.url })
    await client.connect()
    const { rows } = await client.query<Record<string, unknown>>(statement)
    await client.end()
    return rows
  }

  test('six writers, three readers, and connections that are killed: no gap, no event twice, none missing', async () => {
    for (const user of USERS) if (user !== null) await stores.one.users.ensure(user, 0)
    const writers = await Promise.all(upTo(6).map(() => stores.another()))
    let writing = writers.length
    /** What a killed connection was doing may have happened or not. */
    const survive = async (work: () => Promise<unknown>): Promise<void> => {
      await work().catch((error: unknown) => {
        if (flavour === 'sqlite' || isDuplicate(error)) throw error
      })
    }
    const write = async (store: Store): Promise<void> => {
      for (let n = 0; n < 15; n += 1)
        await survive(() => step(store, [...new Set([pick(ENTITIES), pick(ENTITIES)])], flavour === 'postgres' ? 4 : 0))
      writing -= 1
    }
    const follow = async (store: Store, seen: string[]): Promise<void> => {
      while (writing > 0) {
        await survive(async () => {
          const page = await store.events.feedAfter(seen.length, 7)
          seen.push(...page.map(stepOf))
        })
        await sleep(1)
      }
    }
    let killed = 0
    const kill = async (): Promise<void> => {
      while (flavour === 'postgres' && writing > 0) {
        const rows = await ask(`select pg_terminate_backend(pid) as killed from pg_stat_activity
          where datname = current_database() and application_name like 'cashier %' and state <> 'idle'
            and query not like 'listen%' order by query like '%unnumbered_events%' desc, random() limit 1`)
        killed += rows.length
        await sleep(Math.random() * 60)
      }
    }
    const seen: string[][] = [[], [], []]
    await Promise.all([...writers.map(write), ...seen.map((list, n) => follow(writers[n]!, list)), kill()])
    const count = await expectWhole(stores.one)
    expect(count).toBeGreaterThan(60)
    if (flavour === 'postgres') expect(killed).toBeGreaterThan(3)
    // No event got a number that a reader had already passed.
    const feed = (await stores.one.events.feedAfter(0, 10_000)).map(stepOf)
    for (const list of seen) expect(list).toEqual(feed.slice(0, list.length))
  })
})

describe('postgres', () => {
  const stores = useStores('postgres', { partitioned: true, deliver: true })

  /** Runs at the commit, and waits there. */
  const AT_COMMIT = `
    create function wait_at_commit() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock(1); return null; end $$;
    create constraint trigger at_commit after insert on merchant_events deferrable initially deferred
      for each row execute function wait_at_commit();`

  test.each([
    ['waits for its lock', `select pg_advisory_xact_lock(${String(NUMBERING_LOCK)})`, ''],
    ['numbers them', 'lock table merchant_events in exclusive mode', ''],
    ['queues their deliveries', 'lock table deliveries in exclusive mode', ''],
    ['commits', 'select pg_advisory_xact_lock(1)', AT_COMMIT],
  ])('numbering that dies while it %s changes nothing', async (_when, hold, before) => {
    const { one } = stores
    const client = new pg.Client({ connectionString: stores.url })
    await client.connect()
    await client.query(before)
    await one.users.ensure('ann', 0)
    await step(one, ENTITIES.slice(0, 2))
    await one.events.number()
    await client.query('begin')
    await client.query(hold)
    await step(one, ENTITIES.slice(0, 2))
    const dying = one.events.number().then(
      () => 'numbered',
      () => 'died',
    )
    let outcome: string | undefined
    // The store numbers by itself too.
    while (outcome === undefined) {
      await client.query(`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`)
      outcome = await Promise.race([dying, sleep(5, undefined)])
    }
    expect(outcome).toBe('died')
    const { rows } = await client.query<{ count: number }>('select count(*)::int as count from merchant_events')
    expect(rows).toEqual([{ count: 2 }])
    await client.query('rollback')
    await client.end()
    expect(await expectWhole(one)).toBe(4)
  })

  test('a batch keeps the order within a transaction of the gateway', async () => {
    const { one } = stores
    for (const user of USERS) if (user !== null) await one.users.ensure(user, 0)
    const other = await stores.another()
    const client = new pg.Client({ connectionString: stores.url })
    await client.connect()
    await client.query(`begin; select pg_advisory_xact_lock(${String(NUMBERING_LOCK)})`)
    for (let n = 0; n < 12; n += 1) await step(n % 2 === 0 ? one : other, ENTITIES.slice(n % 3, 5))
    await client.query('rollback')
    await client.end()
    expect(await expectWhole(one)).toBe(48)
  })

  test('the feed is read without the newest events while a frozen instance numbers', async () => {
    const { one } = stores
    await step(one, ENTITIES.slice(0, 1))
    expect(await one.events.feedAfter(0, 9)).toHaveLength(1)
    const frozen = new pg.Client({ connectionString: stores.url })
    await frozen.connect()
    await frozen.query(`begin; select pg_advisory_xact_lock(${String(NUMBERING_LOCK)})`)
    await step(one, ENTITIES.slice(0, 1))
    expect(await one.events.feedAfter(0, 9)).toHaveLength(1)
    await frozen.end()
    await expect.poll(async () => (await one.events.feedAfter(0, 9)).length).toBe(2)
  })

  test('an event that commits late gets a later number', async () => {
    const { one } = stores
    for (const user of ['ann', 'bob']) await one.users.ensure(user, 0)
    const started = Promise.withResolvers<undefined>()
    const end = Promise.withResolvers<undefined>()
    const { db } = one.database
    // Takes an id, and commits after the ids that follow.
    const late = db.transaction().execute(async (tx) => {
      await sql`insert into unnumbered_events (entity, data, created_ms, for_delivery)
        values ('deposit:late', '{}', 1, 1)`.execute(tx)
      started.resolve(undefined)
      await end.promise
    })
    await started.promise
    await step(one, ENTITIES.slice(0, 1))
    const before = await one.events.feedAfter(0, 9)
    end.resolve(undefined)
    await late
    const after = await one.events.feedAfter(1, 9)
    expect([...before, ...after].map(({ cursor, entity }) => [cursor, entity])).toEqual([
      [1, 'deposit:ann-1'],
      [2, 'deposit:late'],
    ])
  })
})

describe('sqlite', () => {
  const stores = useStores('sqlite', { deliver: true })

  test.each(['insert on merchant_events', 'insert on deliveries', 'update on counters'])(
    'a commit that dies at the %s of its numbering leaves nothing',
    async (when) => {
      const { one } = stores
      await one.users.ensure('ann', 0)
      await step(one, ENTITIES.slice(0, 2))
      const run = (statement: string) => sql.raw(statement).execute(one.database.db)
      await run(`create trigger dies before ${when} begin select raise(abort, 'died'); end`)
      await expect(step(one, ENTITIES.slice(0, 2))).rejects.toThrow('died')
      await run('drop trigger dies')
      expect(await expectWhole(one)).toBe(2)
      await step(one, ENTITIES.slice(0, 2))
      expect(await expectWhole(one)).toBe(4)
    },
  )
})
