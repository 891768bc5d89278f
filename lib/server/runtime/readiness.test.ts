/** An instance is ready only while its database can be written; it goes on by itself. */
import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, test, vi } from 'vitest'
import { openStore } from '../store/store.ts'
import { FLAVOURS } from '../store/testing/test-databases.ts'
import { useStores } from '../store/testing/use-stores.ts'
import { createReadiness } from './readiness.ts'

const CANNOT_WRITE = { store: ['cannot be written: it is full or read-only'] }
const log = { warn: () => undefined }

describe.each(FLAVOURS)('readiness on %s', (flavour) => {
  const stores = useStores(flavour)
  const readiness = () => createReadiness({ store: stores.one, instance: 'i', log })
  /** As a session would be written, of a few kilobytes. */
  const write = (store = stores.one): Promise<boolean> =>
    store.transaction((tx) => tx.leases.take('x', 'x'.repeat(100_000), 1))

  test('a database that can be written is ready, and the check leaves only a lease behind', async () => {
    expect(await readiness()()).toEqual({})
    const rows = await stores.one.database.db.selectFrom('leases').select('name').execute()
    expect(rows).toEqual([{ name: 'writes:i' }])
  })

  test('many checks at once write once', async () => {
    const transaction = vi.spyOn(stores.one.lane('webhooks'), 'transaction')
    const ready = readiness()
    await Promise.all(Array.from({ length: 50 }, ready))
    await ready()
    expect(transaction).toHaveBeenCalledTimes(1)
  })

  if (flavour === 'sqlite')
    test('a full file fails the write, the instance is not ready, and both go on once there is space', async () => {
      const { db } = stores.one.database
      const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(db)
      await sql`pragma max_page_count = ${sql.lit(rows[0]!.page_count)}`.execute(db)
      expect(stores.one.faultOf(await write().catch((error: unknown) => error))).toBe('away')
      expect(await readiness()()).toEqual(CANNOT_WRITE)
      await sql`pragma max_page_count = 1000000`.execute(db)
      expect(await readiness()()).toEqual({})
      await write()
    })

  if (flavour === 'postgres') {
    const ask = async (statement: string): Promise<void> => {
      const client = new pg.Client({ connectionString: stores.url, options: '-c default_transaction_read_only=off' })
      await client.connect()
      try {
        await client.query(statement)
      } finally {
        await client.end()
      }
    }
    const database = (): string => new URL(stores.url).pathname.slice(1)

    test('nothing starts on a read-only database', async () => {
      await ask(`alter database ${database()} set default_transaction_read_only = on`)
      await expect(stores.another()).rejects.toMatchObject({ code: '25006' })
    })

    test('a server that became read-only is not ready, and goes on by itself', async () => {
      await write()
      await ask(`alter database ${database()} set default_transaction_read_only = on`)
      // As after a switchover: the connections are new.
      await ask(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database()}' and pid <> pg_backend_pid()`,
      )
      await vi.waitFor(async () => expect(await readiness()()).toEqual(CANNOT_WRITE))
      expect(await stores.one.users.exists('ann')).toBe(false)
      await ask(`alter database ${database()} reset all`)
      await vi.waitFor(async () => expect(await readiness()()).toEqual({}))
    })

    const FULL = "raise 'could not extend file' using errcode = '53100'"

    test('a disk without space: not ready, although tables with free space can be written', async () => {
      // As PostgreSQL reports it when a table has to grow; `leases` has free space.
      await ask(`create function no_space() returns trigger language plpgsql as $$ begin ${FULL}; end $$;
        create function no_file() returns event_trigger language plpgsql as $$ begin ${FULL}; end $$;
        create trigger no_space before insert on users for each row execute function no_space();
        create event trigger no_file on ddl_command_start when tag in ('CREATE TABLE AS') execute function no_file()`)
      const { one } = stores
      expect(one.faultOf(await one.users.ensure('ann', 1).catch((error: unknown) => error))).toBe('away')
      await write()
      for (let times = 0; times < 3; times += 1) expect(await readiness()()).toEqual(CANNOT_WRITE)
      await ask('drop event trigger no_file')
      expect(await readiness()()).toEqual({})
      await ask('drop trigger no_space on users')
      await one.users.ensure('ann', 1)
    })

    test('without the right to make a table, a large write shows that there is space again', async () => {
      await ask(`revoke temporary on database ${database()} from public`)
      await ask(`create function no_space() returns trigger language plpgsql as
        $$ begin if length(new.holder) > 50000 then ${FULL}; end if; return new; end $$;
        create trigger no_space before insert on leases for each row execute function no_space()`)
      const role = `plain_${database()}`
      await ask(`create role ${role} login password 'of-a-test'; grant all on schema public to ${role};
        grant all on all tables in schema public to ${role}`)
      const url = new URL(stores.url)
      url.username = role
      url.password = 'of-a-test'
      const store = await openStore({ url: url.href, clock: Date.now, deliver: false })
      try {
        expect(store.faultOf(await write(store).catch((error: unknown) => error))).toBe('away')
        const check = () => createReadiness({ store, instance: 'i', log })()
        expect(await check()).toEqual(CANNOT_WRITE)
        await ask('drop trigger no_space on leases')
        expect(await check()).toEqual({})
      } finally {
        await store.close()
        await ask(`drop owned by ${role}; drop role ${role}`)
      }
    })

    test('without a free connection of the server the instance is not ready, and goes on by itself', async () => {
      const role = `few_${database()}`
      await ask(`create role ${role} login password 'of-a-test' connection limit 2; grant all on schema public to ${role};
        grant all on all tables in schema public to ${role}`)
      const url = new URL(stores.url)
      url.username = role
      url.password = 'of-a-test'
      const others = [1, 2].map(() => new pg.Client({ connectionString: url.href }))
      const store = await openStore({ url: url.href, clock: Date.now, deliver: false })
      try {
        const check = () => createReadiness({ store, instance: 'i', log })()
        // Idle connections of the store count too.
        await store.database.lanes.commands.destroy()
        for (const other of others) await vi.waitFor(() => other.connect())
        expect(await check()).toEqual({ store: ['does not answer'] })
        for (const other of others) await other.end()
        await vi.waitFor(async () => expect(await check()).toEqual({}))
      } finally {
        await store.close()
        await ask(`drop owned by ${role}; drop role ${role}`)
      }
    })
  }
})
