import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { describe, expect, inject, test } from 'vitest'
import { connectDatabase } from './database.ts'
import { MIGRATIONS, pendingMigrations } from './migrate.ts'
import { openStore } from './store.ts'
import { FLAVOURS, newTestDatabase } from './testing/test-databases.ts'

const run = promisify(execFile)
const program = fileURLToPath(new URL('testing/open-store.ts', import.meta.url))

describe.each(FLAVOURS)('%s', (flavour) => {
  test('four instances that start together run each migration once', { timeout: 40_000 }, async () => {
    const database = await newTestDatabase(flavour, inject('postgresUrl'))
    const outputs = await Promise.all(
      [1, 2, 3, 4].map(async () => (await run(process.execPath, [program, database.url])).stdout),
    )
    const opened = connectDatabase(database.url)
    const rows = await sql<{ name: string }>`select name from schema_migrations`.execute(opened.db)
    const counters = await sql<{ value: number }>`select value from counters`.execute(opened.db)
    const users = await opened.db.selectFrom('users').select('user_reference_id').execute()
    expect(await pendingMigrations(opened)).toEqual([])
    await opened.close()
    await database.remove()
    expect(outputs).toEqual(Array(4).fill('open\n'))
    expect(rows.rows.map(({ name }) => name)).toEqual(MIGRATIONS.map(({ name }) => name))
    expect(counters.rows).toEqual([{ value: 0 }])
    expect(users).toHaveLength(4)
  })

  test('a store that is opened again keeps what it has', async () => {
    const database = await newTestDatabase(flavour, inject('postgresUrl'))
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
})
