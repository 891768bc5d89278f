/** The move to PostgreSQL while cashiers run on the source, start on it, or wake up on it. */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { newTestDatabase, type TestDatabase } from '#lib/server/store/testing/test-databases.ts'
import { watchLocks } from '#lib/server/store/testing/hold-lock.ts'
import { depositEvent } from '../e2e/system/deposit-event.ts'
import { webhookHeaders } from '../e2e/system/gateway-signature.ts'
import { startSystem, type System } from '../e2e/system/start-system.ts'

const USER = 'mover'
let system: System
let target: TestDatabase
beforeEach(async () => {
  system = await startSystem()
  target = await newTestDatabase('postgres', inject('postgresUrl'), { partitioned: true })
  await system.page(USER)
})
afterEach(async () => {
  await system.close()
  await target.remove()
})

const copy = (...args: string[]): Promise<{ code: number; out: string; err: string }> =>
  new Promise((done) => {
    const child = execFile(
      process.execPath,
      ['--conditions=react-server', resolve(import.meta.dirname, 'copy-database.ts'), ...args],
      (_error, out, err) => done({ code: child.exitCode ?? -1, out, err }),
    )
  })
const move = () => copy(system.databaseUrl, target.url)

const deposit = async (): Promise<number> => {
  const body = depositEvent({ uuid: randomUUID(), user: USER, amount: '1', status: 'succeeded' })
  const headers = { ...webhookHeaders(system.gatewayKey, body), 'content-type': 'application/json' }
  return (await fetch(`${system.publicUrl}/api/webhooks/gateway`, { method: 'POST', headers, body })).status
}

function inSource<T>(work: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync(system.databaseUrl.slice('file:'.length))
  try {
    db.exec('pragma busy_timeout = 5000')
    return work(db)
  } finally {
    db.close()
  }
}

/** What time does after a cashier has died or stopped. */
const endLeases = () => inSource((db) => db.prepare('update leases set expires_ms = 0').run())

async function countInTarget(table: string): Promise<number> {
  const client = new pg.Client({ connectionString: target.url })
  await client.connect()
  const { rows } = await client.query<{ count: number }>(`select count(*)::int as count from ${table}`)
  await client.end()
  return rows[0]?.count ?? 0
}

/** An instance on the target is alive for so many milliseconds. */
async function setLeaseInTarget(ms: string): Promise<void> {
  const client = new pg.Client({ connectionString: target.url })
  await client.connect()
  await client.query(
    `insert into leases values ('instance:x', 'x', (extract(epoch from now()) * 1000)::bigint + ${ms})
      on conflict (name) do update set expires_ms = excluded.expires_ms`,
  )
  await client.end()
}

/** The error of a start that fails. */
const failedStart = () =>
  system.cashiers[0].start().then(
    () => 'it started',
    (error: unknown) => String(error),
  )

test('nothing is copied while a cashier runs, nor until the lease of a killed cashier ends', async () => {
  expect(await deposit()).toBe(200)
  const beside = await move()
  expect([beside.code, beside.err]).toEqual([1, expect.stringContaining('run on the source: 1. Stop them first.')])
  await system.cashiers[0].kill()
  const killed = await move()
  const [, seconds] = /counts for up to (\d+) s more/.exec(killed.err) ?? []
  expect([killed.code, Number(seconds) > 0, Number(seconds) <= 15]).toEqual([1, true, true])
  expect([await countInTarget('users'), inSource((db) => db.prepare('select * from schema_migrations').all())]).toEqual(
    [0, [expect.anything()]],
  )
  endLeases()
  expect(await move()).toMatchObject({ code: 0, err: '' })
  expect(await countInTarget('transactions')).toBe(1)
})

test('no cashier starts on the source during the copy, nor after it, until the copy is given up', async () => {
  await system.cashiers[0].stop()
  const holder = new pg.Client({ connectionString: target.url })
  const locks = await watchLocks(target.url)
  await holder.connect()
  await holder.query('begin; lock table balances in share mode')
  const moving = move()
  await locks.waiting(1)
  expect(await failedStart()).toContain('database is locked')
  await holder.query('rollback')
  await Promise.all([holder.end(), locks.end()])
  expect(await moving).toMatchObject({ code: 0, err: '' })

  expect(await failedStart()).toMatch(/was copied to PostgreSQL at 2\d{3}-.*set DATABASE_URL to the new database/)
  const again = await move()
  expect([again.code, again.err]).toEqual([1, expect.stringContaining('was copied to PostgreSQL at')])
  const undo = () => copy('--undo', system.databaseUrl, target.url)
  await setLeaseInTarget('60000')
  const beside = await undo()
  expect([beside.code, beside.err]).toEqual([1, expect.stringContaining('run on the copy: 1. Stop them first.')])
  expect(await failedStart()).toContain('was copied to PostgreSQL at')
  await setLeaseInTarget('-1')
  const undone = await undo()
  expect(undone.out).toContain('starts on')
  expect(undone.out).toContain('Adjustments since the copy are lost')
  expect(undone.out).toContain('no earlier than WITHDRAWAL_ABSENCE_S after the last withdrawal on the copy')
  expect((await undo()).out).toContain('was not copied')
  await system.cashiers[0].start()
  expect(await deposit()).toBe(200)
})

test('a suspended cashier that wakes up after the copy writes nothing', async () => {
  const [cashier] = system.cashiers
  expect(await deposit()).toBe(200)
  cashier.signal('SIGSTOP')
  endLeases()
  const moved = await move()
  cashier.signal('SIGCONT')
  expect(moved).toMatchObject({ code: 0, err: '' })
  expect(await deposit()).toBe(503)
  expect(inSource((db) => db.prepare('select count(*) as count from transactions').get())).toEqual({ count: 1 })
  await cashier.kill()
})

test('nothing is copied to a database on which a cashier runs, and wrong arguments are refused', async () => {
  await system.cashiers[0].stop()
  await setLeaseInTarget('60000')
  const refused = await move()
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('run on the target: 1. Stop them first.')])
  const [from, to] = [system.databaseUrl, target.url]
  for (const wrong of [
    [],
    ['--undo', from],
    ['--undo', '--gone', from, to],
    ['--gone', from, to],
    ['--force', from, to],
  ])
    expect((await copy(...wrong)).code).toBe(2)
  expect((await copy('--undo', '--gone', from)).out).toContain('was not copied')
})
