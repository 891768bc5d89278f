import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { CompiledQuery, Kysely, sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isStoreFailure } from './store-fault.ts'
import { NodeSqliteDialect, openSqlite } from './node-sqlite-dialect.ts'

interface Notes {
  notes: { text: string }
}

describe('while another program writes', () => {
  let folder: string
  let db: Kysely<Notes>
  let other: DatabaseSync

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'cashier-sqlite-'))
    const file = join(folder, 'test.db')
    db = new Kysely<Notes>({ dialect: new NodeSqliteDialect(openSqlite(file)) })
    await db.schema.createTable('notes').addColumn('text', 'text').execute()
    other = new DatabaseSync(file)
    other.exec('begin immediate')
  })

  afterEach(async () => {
    other.close()
    await db.destroy()
    rmSync(folder, { recursive: true })
  })

  const texts = async (): Promise<string[]> =>
    (await db.selectFrom('notes').select('text').execute()).map((row) => row.text)
  const insert = (text: string): Promise<unknown> => db.insertInto('notes').values({ text }).execute()
  const insertInTransaction = (text: string): Promise<unknown> =>
    db.transaction().execute((transaction) => transaction.insertInto('notes').values({ text }).execute())

  test.each([
    ['a statement', insert],
    ['a transaction', insertInTransaction],
  ])('%s waits, and reads are answered meanwhile', async (_name, write) => {
    const written = write('one')
    expect(await texts()).toEqual([])
    other.exec('rollback')
    await written
    expect(await texts()).toEqual(['one'])
  })

  test('all waiting statements are written', async () => {
    const written = Promise.all([insertInTransaction('one'), insert('two'), insertInTransaction('three')])
    await texts()
    other.exec('rollback')
    await written
    expect((await texts()).sort()).toEqual(['one', 'three', 'two'])
  })

  test('several statements of one caller wait together', async () => {
    const written = db
      .connection()
      .execute((one) => Promise.all(['one', 'two'].map((text) => one.insertInto('notes').values({ text }).execute())))
    expect(await texts()).toEqual([])
    other.exec('rollback')
    await written
    expect((await texts()).sort()).toEqual(['one', 'two'])
  })

  test('a statement that waits too long fails with a store fault', async () => {
    const ends = await Promise.allSettled([insertInTransaction('one'), insert('two'), insertInTransaction('three')])
    for (const end of ends) expect(end.status === 'rejected' && isStoreFailure(end.reason)).toBe(true)
    other.exec('rollback')
    await insert('four')
    expect(await texts()).toEqual(['four'])
  })
})

test('after SQLite has given up a transaction, its other statements are not committed one by one', async () => {
  const file = openSqlite(':memory:')
  const db = new Kysely<Notes>({ dialect: new NodeSqliteDialect(file) })
  await db.schema.createTable('notes').addColumn('text', 'text').execute()
  const insert = (on: Kysely<Notes>, text: string): Promise<unknown> =>
    on.insertInto('notes').values({ text }).execute()
  file.exec('pragma max_page_count = 3')
  const written = db
    .transaction()
    .execute((all) => Promise.all([insert(all, 'one'), insert(all, 'x'.repeat(100_000)), insert(all, 'three')]))
  await expect(written).rejects.toThrow('database or disk is full')
  const texts = () => db.selectFrom('notes').select('text').execute()
  expect(await texts()).toEqual([])

  // A statement that is at fault ends its transaction on PostgreSQL, too.
  const faulty = db.transaction().execute(async (all) => {
    await insert(all, 'four')
    await Promise.all([sql`insert into nowhere values (1)`.execute(all), insert(all, 'five')]).catch(() => undefined)
    await insert(all, 'six')
  })
  await expect(faulty).rejects.toThrow('no such table: nowhere')
  const { promise: ended, resolve: end } = Promise.withResolvers<null>()
  const late: Promise<unknown>[] = []
  await db
    .transaction()
    .execute((all) =>
      all.getExecutor().provideConnection((runner) => {
        late.push(ended.then(() => runner.executeQuery(CompiledQuery.raw("insert into notes values ('late')"))))
        return Promise.reject(new Error('given up'))
      }),
    )
    .catch(() => end(null))
  await expect(late[0]).rejects.toThrow('the transaction was rolled back')
  await insert(db, 'seven')
  expect(await texts()).toEqual([{ text: 'seven' }])
  await db.destroy()
})

test('rows are plain objects with the columns of now, also after another program has added one', async () => {
  const file = openSqlite(':memory:')
  const db = new Kysely<Notes>({ dialect: new NodeSqliteDialect(file) })
  file.exec(`create table notes (text text); create table tags (tag text);
    insert into notes values ('one'); insert into tags values ('red')`)
  const all = async () => (await sql`select * from notes, tags`.execute(db)).rows
  expect(await all()).toStrictEqual([{ text: 'one', tag: 'red' }])
  file.exec("alter table notes add column size text default 'small'")
  expect(await all()).toStrictEqual([{ text: 'one', size: 'small', tag: 'red' }])
  expect((await sql`select text from notes where false`.execute(db)).rows).toEqual([])
  await db.destroy()
})
