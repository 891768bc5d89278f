import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { sql, type Kysely } from 'kysely'
import { describe, expect, inject, test, vi } from 'vitest'
import { connectDatabase, type Database } from './database.ts'
import { migrate, MIGRATIONS, pendingMigrations } from './migrate.ts'
import { openStore } from '../store.ts'
import { FLAVOURS, newTestDatabase } from '../testing/test-databases.ts'

const run = promisify(execFile)

const addUser = ({ db }: Database) =>
  db.insertInto('users').values({ user_reference_id: 'u', known: 1, created_ms: 1, last_seen_ms: 1 }).execute()

const namesOfRun = async ({ db }: Database): Promise<readonly string[]> => {
  const { rows } = await sql<{ name: string }>`select name from schema_migrations order by name`.execute(db)
  return rows.map(({ name }) => name)
}

const program = fileURLToPath(new URL('../testing/open-store.ts', import.meta.url))

describe.each(FLAVOURS)('%s', (flavour) => {
  test('four instances that start together run each migration once', async () => {
    const database = await newTestDatabase(flavour, inject('postgresUrl'), { empty: true })
    const outputs = await Promise.all(
      [1, 2, 3, 4].map(async () => (await run(process.execPath, [program, database.url])).stdout),
    )
    const opened = connectDatabase(database.url)
    const found = await namesOfRun(opened)
    const counters = await sql<{ value: number }>`select value from counters`.execute(opened.db)
    const users = await opened.db.selectFrom('users').select('user_reference_id').execute()
    expect(await pendingMigrations(opened)).toEqual([])
    await opened.close()
    await database.remove()
    expect(outputs).toEqual(Array(4).fill('open\n'))
    expect(found).toEqual(MIGRATIONS.map(({ name }) => name))
    expect(counters.rows).toEqual([{ value: 0 }])
    expect(users).toHaveLength(4)
  })

  test('a store that is opened again keeps its data', async () => {
    const database = await newTestDatabase(flavour, inject('postgresUrl'), { empty: true })
    const options = { url: database.url, clock: Date.now, deliver: false }
    const first = await openStore(options)
    await first.users.ensure('u', 1)
    await first.close()
    const second = await openStore(options)
    const known = await second.users.exists('u')
    await second.close()
    await database.remove()
    expect(known).toBe(true)
  })

  test('a second migration runs once, after the first and on its data', async () => {
    const database = await newTestDatabase(flavour, inject('postgresUrl'), { empty: true })
    const opened = connectDatabase(database.url)
    await migrate(opened)
    await addUser(opened)
    const up = vi.fn(async (db: Kysely<never>) => {
      await sql`alter table users add column later text`.execute(db)
      await sql`update users set later = user_reference_id`.execute(db)
    })
    const onMigrated = vi.fn()
    for (let run = 0; run < 2; run += 1)
      await migrate(opened, [...MIGRATIONS, { name: '0002-later', up }], { onMigrated })
    expect(onMigrated.mock.calls).toEqual([['0002-later']])
    const users = await sql`select user_reference_id, later from users`.execute(opened.db)
    const found = await namesOfRun(opened)
    await opened.close()
    await database.remove()
    expect(up).toHaveBeenCalledExactlyOnceWith(expect.anything(), flavour, null)
    expect(users.rows).toEqual([{ user_reference_id: 'u', later: 'u' }])
    expect(found).toEqual([...MIGRATIONS.map(({ name }) => name), '0002-later'])
  })

  test('if a migration fails, nothing of its run stays, and the next run does everything', async () => {
    const database = await newTestDatabase(flavour, inject('postgresUrl'), { empty: true })
    const opened = connectDatabase(database.url)
    await migrate(opened)
    await addUser(opened)
    const second = {
      name: '0002-later',
      up: async (db: Kysely<never>) => {
        await sql`alter table users add column later text`.execute(db)
      },
    }
    const up = vi.fn(async (db: Kysely<never>) => {
      await sql`update users set later = 'x'`.execute(db)
    })
    up.mockImplementationOnce(async (db) => {
      await sql`delete from users`.execute(db)
      throw new Error('broken')
    })
    const all = [...MIGRATIONS, second, { name: '0003-broken', up }]
    await expect(migrate(opened, all)).rejects.toThrow('broken')
    const [runBefore, kept] = [await namesOfRun(opened), await sql`select * from users`.execute(opened.db)]
    await migrate(opened, all)
    const after = await sql`select user_reference_id, later from users`.execute(opened.db)
    const runAfter = await namesOfRun(opened)
    await opened.close()
    await database.remove()
    expect(runBefore).toEqual(MIGRATIONS.map(({ name }) => name))
    expect(kept.rows).toEqual([expect.not.objectContaining({ later: expect.anything() as unknown })])
    expect(after.rows).toEqual([{ user_reference_id: 'u', later: 'x' }])
    expect(runAfter).toEqual(all.map(({ name }) => name))
  })
})
