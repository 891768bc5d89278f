/** What an administrator does beside traffic: it fails with a fault of the store, and goes on by itself. */
import { sql } from 'kysely'
import pg from 'pg'
import { expect, test } from 'vitest'
import { useStores } from '../testing/use-stores.ts'

const stores = useStores('postgres')
const write = (user: string): Promise<void> =>
  stores.one.lane('webhooks').transaction(async (tx) => {
    await tx.users.lock([user])
    await tx.users.scheduleReconciliation(user, 5)
  })

async function connected(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: stores.url })
  await client.connect()
  return client
}

test('a lock as VACUUM FULL takes it is a fault of the store; then writes go on', async () => {
  await stores.one.users.ensure('ann', 10)
  const admin = await connected()
  try {
    // VACUUM FULL holds this lock until the table is copied.
    await admin.query('begin; lock table users in access exclusive mode')
    expect(stores.one.faultOf(await write('ann').catch((error: unknown) => error))).toBe('locked')
    await admin.query('commit')
    await admin.query('vacuum full users')
    await write('ann')
  } finally {
    await admin.end()
  }
})

test('a dump beside traffic holds up nobody', async () => {
  await stores.one.users.ensure('ann', 10)
  const dump = await connected()
  try {
    // As pg_dump begins.
    await dump.query('begin isolation level repeatable read, read only; lock table users in access share mode')
    await expect(write('ann')).resolves.toBeUndefined()
  } finally {
    await dump.end()
  }
})

test('limits that the server sets for everybody do not replace ours', async () => {
  const admin = await connected()
  const name = new URL(stores.url).pathname.slice(1)
  await admin.query(
    `alter database ${name} set statement_timeout = '1ms'; alter database ${name} set lock_timeout = '1ms'`,
  )
  await admin.end()
  const store = await stores.another()
  const { rows } = await sql`select current_setting('statement_timeout') as statement,
    current_setting('lock_timeout') as lock, pg_sleep(0.05)`.execute(store.database.lanes.webhooks)
  expect(rows).toMatchObject([{ statement: '4s', lock: '500ms' }])
})

test('a statement that takes too long is a fault of the store, and the next one runs', async () => {
  const slow = sql`select pg_sleep(10)`.execute(stores.one.database.lanes.webhooks)
  expect(stores.one.faultOf(await slow.catch((error: unknown) => error))).toBe('failed')
  await stores.one.lane('webhooks').users.ensure('ann', 10)
})
