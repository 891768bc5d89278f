/** Commits on a real server that waits for a standby which does not come. */
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { startPostgres, type Postgres } from '../../scripts/postgres.ts'
import { UnknownOutcomeError } from '#lib/server/store/database/commit-outcome.ts'
import { LANES, type Lane } from '#lib/server/store/database/lanes.ts'
import { createReadiness } from '#lib/server/runtime/readiness.ts'
import { openStore, type Store } from '#lib/server/store/store.ts'
import { newTestDatabase, type TestDatabase } from '#lib/server/store/testing/test-databases.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

let server: Postgres
let admin: pg.Client
let database: TestDatabase
const open: Store[] = []

const openOne = async (replicated: boolean): Promise<Store> => {
  const store = await openStore({ url: database.url, clock: Date.now, deliver: false, replicated })
  open.push(store)
  return store
}

/** Commits wait for this standby: `nobody` is none, `*` is any. */
async function waitFor(standby: 'nobody' | '*' | ''): Promise<void> {
  await admin.query(`alter system set synchronous_standby_names = '${standby}'`)
  await admin.query('select pg_reload_conf()')
  await vi.waitFor(async () => {
    const { rows } = await admin.query<{ names: string }>(
      `select current_setting('synchronous_standby_names') as names`,
    )
    expect(rows).toEqual([{ names: standby }])
  })
}

/**
 * The connections to this test's database whose commits wait for a standby. Others wait too: autovacuum, and the removal
 * of the last test's database.
 */
async function waiting(): Promise<readonly number[]> {
  const { rows } = await admin.query<{ pid: number }>(
    `select pid from pg_stat_activity
     where wait_event = 'SyncRep' and backend_type = 'client backend' and datname = $1`,
    [new URL(database.url).pathname.slice(1)],
  )
  return rows.map(({ pid }) => pid)
}

/** Ends the wait of the first commit that waits. */
async function endWait(how: 'pg_cancel_backend' | 'pg_terminate_backend'): Promise<void> {
  const pid = await vi.waitFor(
    async () => {
      const [first] = await waiting()
      expect(first).toBeDefined()
      return first
    },
    { timeout: 20_000, interval: 20 },
  )
  await admin.query(`select ${how}($1)`, [pid])
}

const add = (store: Store, user: string, lane: Lane = 'webhooks'): Promise<boolean> =>
  store.lane(lane).transaction(async (tx) => {
    await tx.users.insertIfMissing(user, 1)
    return true
  })
const hasAnn = async ({ users }: Pick<Store, 'users'>): Promise<boolean> =>
  (await users.idsAfter('', 99)).includes('ann')
const outcomeOf = (write: Promise<unknown>): Promise<unknown> => write.catch((error: unknown) => error)

beforeAll(async () => {
  server = await startPostgres()
  admin = new pg.Client({ connectionString: server.url })
  await admin.connect()
})
afterAll(async () => {
  await admin.end()
  await server.stop()
})
beforeEach(async () => {
  database = await newTestDatabase('postgres', server.url, { empty: true })
  // Its migrations need no standby.
  await openOne(false)
})
afterEach(async () => {
  await waitFor('')
  for (const store of open.splice(0)) await store.close()
  await database.remove()
})

test('without a standby an instance starts although old marks are to be deleted, and says why it cannot write', async () => {
  const [one] = open as [Store]
  await one.watchLosses(() => undefined)
  await one.database.db
    .insertInto('commit_marks')
    .values({ instance: 'gone', slot: 0, value: 2, at_ms: Date.now() - 61 * 86_400_000 })
    .execute()
  await waitFor('nobody')
  const store = await openOne(true)
  await store.watchLosses(() => undefined)
  const old = one.database.db.selectFrom('commit_marks').select('slot').where('instance', '=', 'gone')
  expect(await old.execute()).toEqual([])

  const said: string[] = []
  const log = { warn: ({ err }: { readonly err?: Error }) => said.push(err?.message ?? '') }
  const ready = createReadiness({ store, instance: 'i', log: log as never })
  await vi.waitFor(
    async () => {
      expect(await ready()).toEqual({ store: ['does not answer'] })
      expect(said.at(-1)).toContain('perhaps its synchronous standby is away')
    },
    { timeout: 40_000, interval: 100 },
  )
})

test('a commit whose wait for a standby is cancelled is not acknowledged', async () => {
  const [one] = open as [Store]
  await waitFor('nobody')
  const write = outcomeOf(add(one, 'ann'))
  await endWait('pg_cancel_backend')
  const error = await write
  expect(error).toBeInstanceOf(UnknownOutcomeError)
  expect([one.faultOf(error), one.isUnknown(error)]).toEqual(['away', true])
  // PostgreSQL shows what it has committed.
  expect(await hasAnn(one)).toBe(true)
})

test.each(['pg_cancel_backend', 'pg_terminate_backend'] as const)(
  'after %s a commit is acknowledged once the server has what it waits for',
  async (how) => {
    const [one] = open as [Store]
    await waitFor('nobody')
    const write = outcomeOf(add(one, 'ann', 'calls'))
    await endWait(how)
    await vi.waitFor(async () => expect(await hasAnn(one)).toBe(true), { timeout: 20_000 })
    await waitFor('')
    expect(await write).toBe(true)
    expect(await one.users.idsAfter('', 9)).toEqual(['ann'])
  },
)

test('a single statement whose wait is cancelled fails', async () => {
  const [one] = open as [Store]
  await waitFor('nobody')
  const write = outcomeOf(one.users.ensure('ann', 1))
  await endWait('pg_cancel_backend')
  expect(await write).toBeInstanceOf(UnknownOutcomeError)
})

test('with DATABASE_REPLICATED a commit is not acknowledged when the server stops waiting for standbys', async () => {
  await waitFor('nobody')
  const store = await openOne(true)
  const write = outcomeOf(add(store, 'ann'))
  await vi.waitFor(async () => expect(await waiting()).not.toEqual([]), { timeout: 20_000, interval: 20 })
  await waitFor('')
  expect(await write).toBeInstanceOf(UnknownOutcomeError)
})

test.each<[string, (store: Store, user: string) => Promise<unknown>]>([
  ['transactions', (store, user) => add(store, user)],
  ['single statements', (store, user) => store.lane('webhooks').users.ensure(user, 1)],
])('while no standby answers, %s do not pile up on the server, and reads go on', async (_name, write) => {
  const [one] = open as [Store]
  await waitFor('nobody')
  const counts: number[] = []
  for (let turn = 0; turn < 4; turn += 1) {
    const users = ['ann', 'ben', 'cat'].map((name) => `${name}-${String(turn)}`)
    for (const error of await Promise.all(users.map((user) => outcomeOf(write(one, user)))))
      expect(one.faultOf(error)).toBe('away')
    counts.push((await waiting()).length)
    expect(await hasAnn(one)).toBe(false)
  }
  // Those that began before the first was given up, and a probe.
  expect(counts[0]).toBe(LANES.webhooks.connections)
  expect(Math.max(...counts)).toBeLessThanOrEqual(LANES.webhooks.connections + 1)
  await waitFor('')
  await vi.waitFor(async () => expect(await add(one, 'later')).toBe(true), { timeout: 20_000, interval: 100 })
})

test('with DATABASE_REPLICATED no answer relies on what the standby does not have', async () => {
  await waitFor('nobody')
  const store = (await openOne(true)).lane('webhooks')
  const write = outcomeOf(add(store, 'ann'))
  await endWait('pg_cancel_backend')
  expect(await write).toBeInstanceOf(UnknownOutcomeError)
  // Another instance, which does not know of the cancelled wait.
  const other = (await openOne(true)).lane('webhooks')
  const reads = [other.transaction(hasAnn), other.confirmReads()]
  for (const error of await Promise.all(reads.map(outcomeOf))) expect(other.faultOf(error)).toBe('away')

  const standby = await startPostgres({ standbyOf: server })
  try {
    await waitFor('*')
    await vi.waitFor(() => other.confirmReads(), { timeout: 30_000, interval: 100 })
    expect(await other.transaction(hasAnn)).toBe(true)
  } finally {
    await waitFor('')
    await standby.stop()
  }
})
