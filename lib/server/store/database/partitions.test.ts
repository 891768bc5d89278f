import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { openStore, type Store } from '../store.ts'
import { newTestDatabase, type TestDatabase } from '../testing/test-databases.ts'
import { useStores } from '../testing/use-stores.ts'
import { TABLES_BY_USER } from './migrations/0001-initial.ts'

let database: TestDatabase
beforeEach(async () => {
  database = await newTestDatabase('postgres', inject('postgresUrl'), { empty: true })
})
afterEach(() => database.remove())

/** Opens the store, and returns how many parts each partitioned table has. */
async function opened(partitions: number | null): Promise<Record<string, number>> {
  const store = await openStore({ url: database.url, clock: Date.now, deliver: false, partitions })
  const { rows } = await sql<{ name: string; count: number }>`
    select relname as name, count(*) as count from pg_inherits
    join pg_class on pg_class.oid = inhparent and relkind = 'p' group by relname`.execute(store.database.db)
  await store.close()
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]))
}

test('the first start makes the partitions, and each later one keeps them', async () => {
  const parts = Object.fromEntries(TABLES_BY_USER.map((table) => [table, 2]))
  expect(await opened(2)).toEqual(parts)
  expect(await opened(2)).toEqual(parts)
  expect(await opened(null)).toEqual(parts)
  await expect(opened(8)).rejects.toThrow(
    'DATABASE_PARTITIONS is 8, but the tables of this database were made with 2 partitions and keep them: set it to 2, or leave it out',
  )
})

test('tables that were made without partitions keep none', async () => {
  expect(await opened(null)).toEqual({})
  await expect(opened(4)).rejects.toThrow(
    'DATABASE_PARTITIONS is 4, but the tables of this database were made without partitions and keep them: leave it out',
  )
})

test('of two instances that start together with two numbers, one is refused', async () => {
  const both = await Promise.allSettled([opened(2), opened(3)])
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
})

/** The columns of each primary key and unique index, by table. */
const keysOf = async (store: Store) =>
  (
    await sql<{ table: string; columns: string }>`
      select relname as table, (select string_agg(attname, ',' order by place) from pg_attribute
        join unnest(indkey) with ordinality as k (number, place) on attnum = number
        where attrelid = indrelid) as columns
      from pg_index join pg_class on pg_class.oid = indrelid
      where indisunique and relnamespace = 'public'::regnamespace and not relispartition`.execute(store.database.db)
  ).rows

describe.each([true, false])('with partitions: %s', (partitioned) => {
  const stores = useStores('postgres', { partitioned })

  test('the user is the first column of each key of a table by user', async () => {
    const keys = await keysOf(stores.one)
    const byUser = keys.filter(({ table }) => (TABLES_BY_USER as readonly string[]).includes(table))
    expect(new Set(byUser.map(({ table }) => table))).toEqual(new Set(TABLES_BY_USER))
    expect(byUser.filter(({ columns }) => !columns.startsWith('user_reference_id,'))).toEqual([])
  })
})
