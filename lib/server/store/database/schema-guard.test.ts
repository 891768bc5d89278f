import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { connectDatabase } from './database.ts'
import { isStoreFailure } from './store-fault.ts'
import { migrate, MIGRATIONS, pendingMigrations } from './migrate.ts'
import { NewerSchemaError } from './schema-guard.ts'
import { openStore, type Store } from '../store.ts'
import { FLAVOURS } from '../testing/test-databases.ts'
import { useStores } from '../testing/use-stores.ts'

/** A migration of a newer version. */
const LATER = {
  name: '9999-later',
  up: async (db: Parameters<(typeof MIGRATIONS)[number]['up']>[0]): Promise<void> => {
    await sql`alter table withdrawals add column later text`.execute(db)
  },
}

async function upgrade(url: string, onWait?: () => void): Promise<void> {
  const database = connectDatabase(url)
  try {
    await migrate({ ...database, db: database.lanes.commands }, [...MIGRATIONS, LATER], { onMigrationWait: onWait })
  } finally {
    await database.close()
  }
}

const addUser = (store: Store, user: string): Promise<void> =>
  store.transaction((tx) => tx.users.insertIfMissing(user, 1))
const rejection = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  )

describe.each(FLAVOURS)('%s', (flavour) => {
  const stores = useStores(flavour)

  test('after a newer version has upgraded the database, an older one writes nothing and does not start', async () => {
    const { one, url } = stores
    await addUser(one, 'before')
    await upgrade(url)
    const error = await rejection(addUser(one.lane('webhooks'), 'after'))
    expect(error).toBeInstanceOf(NewerSchemaError)
    expect([one.faultOf(error), isStoreFailure(error)]).toEqual(['away', true])
    expect(await rejection(one.users.exists('before'))).toBeInstanceOf(NewerSchemaError)
    expect(await rejection(openStore({ url, clock: Date.now, deliver: false }))).toBeInstanceOf(NewerSchemaError)
    const newer = connectDatabase(url)
    const users = await newer.db.selectFrom('users').select('user_reference_id').execute()
    expect(await rejection(pendingMigrations(newer))).toBeInstanceOf(NewerSchemaError)
    await newer.close()
    expect(users).toEqual([{ user_reference_id: 'before' }])
  })

  test('after a check of the migrations has found a newer version, single statements are refused too', async () => {
    const { one, url } = stores
    await upgrade(url)
    const found = await rejection(pendingMigrations({ db: one.database.lanes.webhooks }, one.database.guard))
    expect(found).toBeInstanceOf(NewerSchemaError)
    expect(await rejection(one.lane('jobs').leases.keepAlive('old', 1000))).toBeInstanceOf(NewerSchemaError)
    expect(await rejection(pendingMigrations(one.database))).toBeInstanceOf(NewerSchemaError)
  })
})

describe('on PostgreSQL', () => {
  const stores = useStores('postgres')

  test('a migration waits for a transaction that has begun, and the next transaction sees the migration', async () => {
    const { one, url } = stores
    const order: string[] = []
    const { promise: held, resolve: release } = Promise.withResolvers<undefined>()
    const { promise: begun, resolve: begin } = Promise.withResolvers<undefined>()
    const open = one.transaction(async (tx) => {
      begin(undefined)
      await held
      await tx.users.insertIfMissing('open', 1)
      order.push('written')
    })
    await begun
    const upgraded = upgrade(url).then(() => order.push('upgraded'))
    const observer = connectDatabase(url)
    await vi.waitFor(async () => {
      const waiting = await sql`select 1 from pg_locks where not granted and database =
        (select oid from pg_database where datname = current_database())`.execute(observer.db)
      expect(waiting.rows).toHaveLength(1)
    })
    await observer.close()
    release(undefined)
    await open
    await upgraded
    expect(order).toEqual(['written', 'upgraded'])
    expect(await rejection(addUser(one, 'after'))).toBeInstanceOf(NewerSchemaError)
  })

  test('while a dump reads the database, a migration delays others only briefly, and runs afterwards', async () => {
    const { one, url } = stores
    const dump = new pg.Client({ connectionString: url })
    await dump.connect()
    await dump.query('begin; select name from schema_migrations')
    const onWait = vi.fn()
    const upgraded = upgrade(url, onWait)
    await vi.waitFor(() => expect(onWait).toHaveBeenCalledOnce())
    for (let n = 0; n < 8; n += 1) {
      await addUser(one, `user-${n}`)
      await sleep(100)
    }
    await dump.query('rollback')
    await dump.end()
    await upgraded
    expect(onWait).toHaveBeenCalledOnce()
    expect(await rejection(addUser(one, 'after'))).toBeInstanceOf(NewerSchemaError)
  })

  test('a transaction that begins during a migration waits for its lock, and its connection stays usable', async () => {
    const { one, url } = stores
    const migrating = new pg.Client({ connectionString: url })
    await migrating.connect()
    await migrating.query('begin; lock table schema_migrations in access exclusive mode')
    const errors = await Promise.all(
      Array.from({ length: 6 }, (_item, at) => rejection(addUser(one.lane('webhooks'), `user-${at}`))),
    )
    await migrating.query('rollback')
    await migrating.end()
    expect(errors.map((error) => one.faultOf(error))).toEqual(Array(6).fill('locked'))
    await Promise.all(Array.from({ length: 6 }, (_item, at) => addUser(one.lane('webhooks'), `user-${at}`)))
    expect(await one.database.db.selectFrom('users').select('user_reference_id').execute()).toHaveLength(6)
  })
})
