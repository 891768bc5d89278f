/** The cashier behind a real PgBouncer: session mode works; the other modes are refused at once, with the reason. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { checkDatabase } from '#lib/server/runtime/doctor/check-database.ts'
import { TEST_ENVIRONMENT } from '#lib/server/runtime/testing/config.ts'
import { openStore } from '#lib/server/store/store.ts'
import { newTestDatabase, type TestDatabase } from '#lib/server/store/testing/test-databases.ts'
import { hasPgbouncer, startPgbouncer, type Pgbouncer } from './pgbouncer.ts'

const ENTRY = join(import.meta.dirname, '../server.ts')

async function durationOf(act: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await act()
  return performance.now() - began
}

describe.runIf(hasPgbouncer())('behind PgBouncer', () => {
  let database: TestDatabase
  const poolers: Pgbouncer[] = []
  const start = async (...options: Parameters<typeof startPgbouncer>): Promise<string> => {
    const pooler = await startPgbouncer(...options)
    poolers.push(pooler)
    return pooler.url
  }
  beforeEach(async () => {
    database = await newTestDatabase('postgres', inject('postgresUrl'))
  })
  afterEach(async () => {
    for (const pooler of poolers.splice(0)) await pooler.stop()
    await database.remove()
  })

  test.each([
    ['transaction', {}],
    ['transaction', { default_pool_size: '1' }],
    ['transaction', { server_round_robin: '1' }],
    ['statement', {}],
  ] as const)('in %s mode with %j the start is refused within a second, with the reason', async (mode, settings) => {
    const url = await start(database.url, mode, settings)
    const open = (at: string) => openStore({ url: at, clock: Date.now, deliver: false })
    const refusedMs = await durationOf(() => expect(open(url)).rejects.toThrow('is not in session mode'))
    // On a busy machine each start takes longer.
    const openedMs = await durationOf(async () => (await open(database.url)).close())
    expect(refusedMs).toBeLessThan(1000 + openedMs)
    const found = await checkDatabase(url)
    expect(found.map(({ level }) => level)).toEqual(['fault'])
    expect(found[0]?.fix).toContain('pool_mode = session')
  })

  test('the process ends with exit code 1, and says why', async () => {
    const DATABASE_URL = await start(database.url, 'transaction')
    const child = spawn(process.execPath, ['--conditions=react-server', ENTRY], {
      env: {
        PATH: process.env['PATH'],
        NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
        ...TEST_ENVIRONMENT,
        PORT: '0',
        DATABASE_URL,
      } as unknown as NodeJS.ProcessEnv,
    })
    let stderr = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
    expect(await once(child, 'close')).toEqual([1, null])
    expect(stderr).toMatch(/^Cannot start: the pooler of DATABASE_URL is not in session mode.*\n$/)
  })

  test.each([
    {},
    { ignore_startup_parameters: 'lock_timeout,statement_timeout,idle_in_transaction_session_timeout,options' },
  ])('in session mode with %j two instances work, each with its limits', async (settings) => {
    const url = await start(database.url, 'session', { default_pool_size: '60', ...settings })
    expect((await checkDatabase(url)).map(({ level }) => level)).not.toContain('fault')
    const stores = await Promise.all([1, 2].map(() => openStore({ url, clock: Date.now, deliver: false })))
    try {
      for (const [index, store] of stores.entries())
        for (let times = 0; times < 3; times += 1) await store.users.ensure(`user-${String(index)}`, 10)
      const { rows } = await sql`select current_setting('lock_timeout') as lock,
          current_setting('statement_timeout') as statement,
          current_setting('idle_in_transaction_session_timeout') as idle`.execute(stores[0]!.database.lanes.webhooks)
      expect(rows).toEqual([{ lock: '500ms', statement: '4s', idle: '5s' }])
    } finally {
      for (const store of stores) await store.close()
    }
  })
})
