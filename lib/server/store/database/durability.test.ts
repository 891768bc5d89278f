/** What was acknowledged survives a crash of the server, whatever role, database and server are set to. */
import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { connectDatabase } from './database.ts'
import { LANES, type Lane } from './lanes.ts'
import { NotReplicatedError } from './schema-guard.ts'
import { durabilityFaults } from './server-facts.ts'
import { isStoreFailure } from './store-fault.ts'
import { openStore } from '../store.ts'
import { useStores } from '../testing/use-stores.ts'

async function ask(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(statement)
  await client.end()
}

const nameOf = (url: string): string => new URL(url).pathname.slice(1)

describe('durability on PostgreSQL', () => {
  const stores = useStores('postgres')

  test.each([
    ['off', 'on'],
    ['local', 'on'],
    ['remote_write', 'on'],
    ['on', 'on'],
    ['remote_apply', 'remote_apply'],
  ])('a database with synchronous_commit = %s is used with %s, in each lane', async (set, used) => {
    await ask(stores.url, `alter database ${nameOf(stores.url)} set synchronous_commit = ${set}`)
    const database = connectDatabase(stores.url)
    try {
      for (const lane of Object.keys(LANES) as Lane[]) {
        const { rows } = await sql<{ used: string }>`select current_setting('synchronous_commit') as used`.execute(
          database.lanes[lane],
        )
        expect(rows, lane).toEqual([{ used }])
      }
    } finally {
      await database.close()
    }
  })

  test('a role with synchronous_commit = off is used with on', async () => {
    const role = `weak_${nameOf(stores.url)}`
    await ask(stores.url, `create role ${role} superuser login password 'of-a-test'`)
    await ask(stores.url, `alter role ${role} set synchronous_commit = off`)
    const url = new URL(stores.url)
    url.username = role
    url.password = 'of-a-test'
    const database = connectDatabase(url.href)
    try {
      const { rows } = await sql<{ used: string }>`select current_setting('synchronous_commit') as used`.execute(
        database.db,
      )
      expect(rows).toEqual([{ used: 'on' }])
    } finally {
      await database.close()
      await ask(stores.url, `drop role ${role}`)
    }
  })

  test('with DATABASE_REPLICATED nothing is written without a synchronous standby, and reads go on', async () => {
    const store = await openStore({ url: stores.url, clock: Date.now, deliver: false, replicated: true })
    try {
      const write = store.transaction((tx) => tx.users.insertIfMissing('ann', 10)).catch((error: unknown) => error)
      const error = await write
      expect([error instanceof NotReplicatedError, isStoreFailure(error), store.faultOf(error)]).toEqual([
        true,
        true,
        'away',
      ])
      expect(await store.users.exists('ann')).toBe(false)
    } finally {
      await store.close()
    }
  })

  test('the server of the tests is found to lose commits in a crash', async () => {
    const facts = await stores.one.database.serverFacts()
    expect(facts).toEqual({ fsync: false, fullPageWrites: true, replicated: false })
    expect(durabilityFaults(facts!, false).map(({ fix }) => fix)).toEqual(['set `fsync = on` in postgresql.conf'])
  })
})

test('each setting that may lose commits is a fault of its own', () => {
  const safe = { fsync: true, fullPageWrites: true, replicated: true }
  expect(durabilityFaults(safe, true)).toEqual([])
  expect(durabilityFaults({ ...safe, replicated: false }, false)).toEqual([])
  for (const [fact, word] of [
    ['fsync', 'fsync'],
    ['fullPageWrites', 'full_page_writes'],
    ['replicated', 'synchronous standby'],
  ] as const) {
    const found = durabilityFaults({ ...safe, [fact]: false }, true)
    expect(found).toHaveLength(1)
    expect(found[0]?.message).toContain(word)
  }
})
