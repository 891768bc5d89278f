import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Kysely, sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { NodeSqliteDialect, openSqlite } from './node-sqlite-dialect.ts'
import { createSqliteLog, FlushFailedError, type SqliteLog } from './sqlite-log.ts'

interface Notes {
  notes: { text: string }
}

let folder: string
let file: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cashier-log-'))
  file = join(folder, 'test.db')
})

afterEach(() => {
  rmSync(folder, { recursive: true })
})

describe('a commit', () => {
  /** Flushes that end when the test says so. */
  let flushes: (() => void)[]
  let db: Kysely<Notes>
  const log: SqliteLog = {
    flush: () => new Promise((resolve) => flushes.push(resolve)),
    committed: () => undefined,
    close: () => Promise.resolve(),
  }

  beforeEach(async () => {
    flushes = []
    db = new Kysely<Notes>({ dialect: new NodeSqliteDialect(openSqlite(file), { log }) })
    const made = sql`create table notes (text text)`.execute(db)
    await vi.waitUntil(() => flushes.length === 1)
    flushes.shift()?.()
    await made
  })

  afterEach(() => db.destroy())

  const insert = (text: string): Promise<unknown> => db.insertInto('notes').values({ text }).execute()

  test.each([
    [
      'of a transaction',
      (text: string) => db.transaction().execute(async (tx) => tx.insertInto('notes').values({ text }).execute()),
    ],
    ['of one statement', insert],
    [
      'of a statement that returns rows',
      (text: string) => db.insertInto('notes').values({ text }).returning('text').execute(),
    ],
    ['of tables', (name: string) => sql`create table ${sql.table(name)} (text text)`.execute(db)],
  ])('%s is answered after its flush, and nobody reads it before', async (_what, write) => {
    const order: string[] = []
    const written = write('one').then(() => order.push('written'))
    const read = db
      .selectFrom('notes')
      .select('text')
      .execute()
      .then(() => order.push('read'))
    await vi.waitUntil(() => flushes.length === 1)
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(order).toEqual([])
    order.push('flushed')
    flushes.shift()?.()
    await Promise.all([written, read])
    expect(order).toEqual(['flushed', 'written', 'read'])
    expect(flushes).toEqual([])
  })

  test('is not flushed by SQLite too', async () => {
    expect((await sql<{ synchronous: number }>`pragma synchronous`.execute(db)).rows).toEqual([{ synchronous: 1 }])
  })

  test('without changes needs no flush, and neither does a rollback', async () => {
    await db.transaction().execute((tx) => tx.selectFrom('notes').selectAll().execute())
    await expect(
      db.transaction().execute(async (tx) => {
        await tx.insertInto('notes').values({ text: 'one' }).execute()
        throw new Error('changed my mind')
      }),
    ).rejects.toThrow('changed my mind')
    expect(flushes).toEqual([])
  })
})

test('without a log SQLite flushes each commit', async () => {
  const db = new Kysely<Notes>({ dialect: new NodeSqliteDialect(openSqlite(file)) })
  expect((await sql<{ synchronous: number }>`pragma synchronous`.execute(db)).rows).toEqual([{ synchronous: 2 }])
  await db.destroy()
})

test('the log is written back by the thread once many rows have changed', async () => {
  const own = openSqlite(file)
  own.exec('pragma wal_autocheckpoint = 0')
  const log = createSqliteLog(file, { everyRows: 300 })
  const db = new Kysely<Notes>({ dialect: new NodeSqliteDialect(own, { log }) })
  await sql`create table notes (text text)`.execute(db)
  const text = 'x'.repeat(2000)
  const write = (): Promise<unknown> =>
    db
      .insertInto('notes')
      .values(Array.from({ length: 100 }, () => ({ text })))
      .execute()
  const size = (): number => statSync(file).size
  await write()
  await write()
  const before = size()
  await write()
  await expect.poll(size, { timeout: 10_000 }).toBeGreaterThan(before + 300 * 2000)
  await db.destroy()
})

describe('a flush that fails', () => {
  test('does not end, and is reported', async () => {
    mkdirSync(`${file}-wal`)
    const failures: unknown[] = []
    const log = createSqliteLog(file, { onFailure: (error) => failures.push(error) })
    const ended = vi.fn()
    void log.flush().then(ended)
    await vi.waitUntil(() => failures.length === 1)
    expect(failures[0]).toBeInstanceOf(FlushFailedError)
    expect(ended).not.toHaveBeenCalled()
    await log.close()
  })

  test('ends the process', async () => {
    const script = `const { createSqliteLog } = await import(${JSON.stringify(new URL('./sqlite-log.ts', import.meta.url).href)})
      await createSqliteLog(${JSON.stringify(join(folder, 'missing'))}).flush()
      console.log('went on')`
    const run = promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
    await expect(run).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('FlushFailedError: cannot flush') as string,
    })
  })
})
