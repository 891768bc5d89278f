import { sql, type Kysely } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { isStoreFailure } from './store-fault.ts'
import { LANES, type Lane } from './lanes.ts'
import type { Tables } from './schema.ts'
import { openStore, type Store } from '../store.ts'
import { holdUserLock, type HeldLock } from '../testing/hold-lock.ts'
import { startTcpProxy } from '../testing/tcp-proxy.ts'
import { FLAVOURS } from '../testing/test-databases.ts'
import { useStores } from '../testing/use-stores.ts'

/** Schedules the user under the user's lock, as most transactions of a user begin. */
const work = (store: Store, user: string): Promise<void> =>
  store.transaction(async (tx) => {
    await tx.users.lock([user])
    await tx.users.scheduleReconciliation(user, 5)
  })

describe.each(FLAVOURS)('lanes on %s', (flavour) => {
  const stores = useStores(flavour)

  test('each lane reads and writes the same', async () => {
    const { one } = stores
    for (const lane of Object.keys(LANES) as Lane[]) {
      await one.lane(lane).users.ensure(lane, 10)
      await work(one.lane(lane), lane)
    }
    const seen = (await one.reconcileQueue.claimDue('open', 9, 1000)).map((row) => row.user_reference_id)
    expect(seen.sort()).toEqual(Object.keys(LANES).sort())
  })
})

describe('lanes on PostgreSQL', () => {
  const stores = useStores('postgres')

  const heldFor = async (user: string, held: (lock: HeldLock) => Promise<void>): Promise<void> => {
    for (const one of ['ann', 'ben']) await stores.one.users.ensure(one, 10)
    const lock = await holdUserLock(stores.url, user)
    try {
      await held(lock)
    } finally {
      await lock.release()
    }
  }

  test.each(['calls', 'jobs'] as const)('%s that wait for a lock use no connection of webhooks', async (lane) => {
    const { one } = stores
    const pool = (lane === 'calls' ? one.database.pool : one.database.signals)!
    let waiting: Promise<PromiseSettledResult<void>[]> = Promise.resolve([])
    await heldFor('ann', async (lock) => {
      const count = LANES[lane].connections + 4
      waiting = Promise.allSettled(Array.from({ length: count }, () => work(one.lane(lane), 'ann')))
      await lock.waiting(1)
      expect([pool.totalCount, pool.idleCount]).toEqual([LANES[lane].connections, 0])
      await work(one.lane('webhooks'), 'ben')
    })
    // On a slow machine some of them may wait too long.
    for (const one of await waiting)
      if (one.status === 'rejected') expect(stores.one.faultOf(one.reason)).toBe('locked')
  })

  test('a call waits for a lock a few times, then fails with a store fault, and nothing of it stays', async () => {
    const { one } = stores
    let tries = 0
    const addUser = async (): Promise<void> =>
      one.transaction(async (tx) => {
        tries += 1
        await tx.users.insertIfMissing('new', 10)
        await tx.users.lock(['ann'])
      })
    await heldFor('ann', async () => {
      const error = await addUser().catch((reason: unknown) => reason)
      expect([one.faultOf(error), isStoreFailure(error)]).toEqual(['locked', true])
      expect(tries).toBe(3)
      expect(
        await one.database.db.selectFrom('users').selectAll().where('user_reference_id', '=', 'new').execute(),
      ).toEqual([])
    })
    await addUser()
  })

  test('a call succeeds if the lock is free at its second wait', async () => {
    const { one } = stores
    let again = (): void => undefined
    const secondTry = new Promise<void>((resolve) => {
      again = resolve
    })
    let tries = 0
    let call: Promise<void> = Promise.resolve()
    await heldFor('ann', async () => {
      call = one.transaction(async (tx) => {
        if ((tries += 1) > 1) again()
        await tx.users.lock(['ann'])
      })
      await secondTry
    })
    await call
    expect(tries).toBeGreaterThan(1)
  })

  test('a prepared statement is prepared again after its table gets a column, in a transaction too', async () => {
    const { one } = stores
    await one.users.ensure('ann', 10)
    const read = (db: Kysely<Tables>) => db.selectFrom('users').selectAll().where('user_reference_id', '=', 'ann')
    const outside = (): Promise<object[]> => read(one.database.db).execute()
    let tries = 0
    const inside = (): Promise<unknown> =>
      one.lane('webhooks').transaction(async (tx) => {
        tries += 1
        return tx.withdrawals.find('w')
      })
    const addColumn = (table: string) =>
      sql`alter table ${sql.table(table)} add column later text`.execute(one.database.lanes.commands)
    for (let times = 0; times < 3; times += 1) expect(await outside()).toHaveLength(1)
    await addColumn('users')
    expect((await outside())[0]).toHaveProperty('later')

    for (let times = 0; times < 3; times += 1) await inside()
    const { rows } = await sql<{ prepared: number }>`
      select count(*) as prepared from pg_prepared_statements where statement like '%from "users"%'`.execute(
      one.database.db,
    )
    expect(rows[0]?.prepared).toBeGreaterThan(0)
    await addColumn('withdrawals')
    tries = 0
    expect(await inside()).toBeNull()
    expect(tries).toBe(2)
  })

  test('migrations and commands wait for locks without a limit', async () => {
    const { one } = stores
    const { rows } = await sql<{ lock_timeout: string }>`show lock_timeout`.execute(one.database.lanes.commands)
    expect(rows).toEqual([{ lock_timeout: '0' }])
  })

  test('a connection to a database that hangs is lost once, with all connections that were opened before', async () => {
    const proxy = await startTcpProxy(stores.url)
    const store = await openStore({ url: proxy.url, clock: Date.now, deliver: false })
    try {
      const webhooks = store.lane('webhooks')
      await store.users.ensure('ann', 10)
      // Three connections are open and idle when the database is lost.
      await Promise.all([1, 2, 3].map(() => work(webhooks, 'ann')))
      proxy.hang()
      const error = await work(webhooks, 'ann').catch((reason: unknown) => reason)
      expect([store.faultOf(error), isStoreFailure(error)]).toEqual(['away', true])
      proxy.resume()
      await work(webhooks, 'ann')
    } finally {
      await store.close()
      await proxy.stop()
    }
  })

  test.each(['calls', 'webhooks', 'jobs'] as const)(
    'an instance that is cut off inside a transaction of %s holds its locks for seconds only',
    async (lane) => {
      const proxy = await startTcpProxy(stores.url)
      const cutOff = await openStore({ url: proxy.url, clock: Date.now, deliver: false })
      try {
        await stores.one.users.ensure('ann', 10)
        const { promise: hung, resolve: hang } = Promise.withResolvers<undefined>()
        const lost = cutOff
          .lane(lane)
          .transaction(async (tx) => {
            await tx.users.lock(['ann'])
            proxy.hang()
            hang(undefined)
            await tx.users.scheduleReconciliation('ann', 5)
          })
          .catch((reason: unknown) => reason)
        await hung
        await vi.waitFor(() => work(stores.one.lane('webhooks'), 'ann'), { interval: 200 })
        await proxy.stop()
        expect(cutOff.faultOf(await lost)).toBe('away')
      } finally {
        await proxy.stop()
        await cutOff.close()
      }
    },
  )

  test('every connection gives its locks back when its program is silent', async () => {
    for (const [lane, { idleMs }] of Object.entries(LANES)) {
      const { rows } = await sql<{ ms: string }>`
        select setting as ms from pg_settings where name = 'idle_in_transaction_session_timeout'`.execute(
        stores.one.database.lanes[lane as Lane],
      )
      expect(rows, lane).toEqual([{ ms: String(idleMs) }])
    }
  })

  test('the limits of a lane are in the startup packet', async () => {
    for (const [lane, { lockMs, statementMs, idleMs }] of Object.entries(LANES)) {
      // What the session began with.
      const { rows } = await sql<{ name: string; reset_val: string }>`select name, reset_val from pg_settings
        where name in ('idle_in_transaction_session_timeout', 'lock_timeout', 'statement_timeout', 'tcp_user_timeout')
        order by name`.execute(stores.one.database.lanes[lane as Lane])
      expect(
        rows.map(({ reset_val }) => reset_val),
        lane,
      ).toEqual([idleMs, lockMs, statementMs, idleMs].map(String))
    }
  })
})
