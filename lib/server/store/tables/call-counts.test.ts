import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { useStores } from '../testing/use-stores.ts'
import { sharedCallCounts } from './call-counts.ts'

const stores = useStores('postgres')

const counts = () => {
  const { pool, db } = stores.one.database
  if (pool === null) throw new Error('no pool')
  /** Lets the callers' minute end. */
  const end = (key: string) => sql`update rate_limits set until_ms = until_ms - 60000 where key = ${key}`.execute(db)
  const keys = async (): Promise<readonly string[]> => {
    const { rows } = await sql<{ key: string }>`select key from rate_limits order by key`.execute(db)
    return rows.map(({ key }) => key)
  }
  return { add: sharedCallCounts(pool), end, keys }
}

test('counts the calls of many callers in one statement, each in its own minute', async () => {
  const { add, end } = counts()
  const first = await add(
    new Map([
      ['calls:b', 1],
      ['calls:a"\\,{}', 2],
    ]),
  )
  expect([...first].map(([key, { count }]) => [key, count]).toSorted()).toEqual([
    ['calls:a"\\,{}', 2],
    ['calls:b', 1],
  ])
  await end('calls:b')
  const second = await add(
    new Map([
      ['calls:a"\\,{}', 3],
      ['calls:b', 4],
    ]),
  )
  expect(second.get('calls:a"\\,{}')?.count).toBe(5)
  expect(second.get('calls:b')).toEqual({ count: 4, leftMs: 60_000 })
  expect(second.get('calls:a"\\,{}')?.leftMs).toBeLessThanOrEqual(60_000)
})

test('deletes minutes that are over, every five minutes', async () => {
  const { add, end, keys } = counts()
  await add(
    new Map([
      ['calls:old', 1],
      ['calls:new', 1],
    ]),
  )
  await end('calls:old')
  const later = performance.now() + 5 * 60_000
  const now = vi.spyOn(performance, 'now').mockReturnValue(later)
  await add(new Map([['calls:new', 1]]))
  now.mockRestore()
  await vi.waitFor(async () => expect(await keys()).toEqual(['calls:new']))
})

test('instances that count the same callers in another order do not block one another', async () => {
  const { add } = counts()
  const [one, two] = ['abcdefgh', 'hgfedcba']
    .map((text) => text.split(''))
    .map((keys) => new Map(keys.map((key) => [key, 1])))
  await Promise.all(Array.from({ length: 40 }, (_item, at) => add((at % 2 ? one : two) ?? new Map())))
  expect((await add(new Map([['h', 1]]))).get('h')?.count).toBe(41)
})
