import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest'
import { openStore, type Store } from '../store/store.ts'
import { newTestDatabase, type TestDatabase } from '../store/testing/test-databases.ts'
import { numbersOf, openReader, startStreamServer, tell, type TestStreamServer } from './testing/test-stream.ts'

let database: TestDatabase
const stores: Store[] = []
const servers: TestStreamServer[] = []

const newStore = async (): Promise<Store> => {
  const store = await openStore({ url: database.url, clock: Date.now, deliver: true })
  stores.push(store)
  return store
}

beforeEach(async () => {
  database = await newTestDatabase('postgres', inject('postgresUrl'))
})

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
  await Promise.all(stores.splice(0).map((store) => store.close()))
  await database.remove()
})

test('a commit on one instance wakes a stream of another, without the poll', async () => {
  const here = await newStore()
  await here.users.ensure('u', 0)
  const there = await newStore()
  const server = await startStreamServer(there, { pollMs: 60_000 })
  servers.push(server)
  const reader = await openReader(`${server.url}/u/s`)
  await tell(here, 'u', 1)
  await vi.waitFor(() => expect(numbersOf(reader)).toEqual([1]))
})

test('a session that is ended on one instance ends its stream of another, without the check of sessions', async () => {
  const [here, there] = [await newStore(), await newStore()]
  await here.users.ensure('u', 0)
  const told = await startStreamServer(here)
  const server = await startStreamServer(there, { sessionCheckMs: 60_000 })
  servers.push(told, server)
  const [mine, other] = [await openReader(`${server.url}/u/s`), await openReader(`${server.url}/u/t`)]
  await tell(here, 'u', 1)
  await vi.waitFor(() => expect(numbersOf(mine)).toEqual([1]))

  told.hub.endSession('s')
  await mine.ended
  await tell(here, 'u', 2)
  await vi.waitFor(() => expect(numbersOf(other)).toEqual([1, 2]))
  expect(numbersOf(mine)).toEqual([1])
})

test('listening continues after its connection was cut', async () => {
  const here = await newStore()
  await here.users.ensure('u', 0)
  const there = await newStore()
  const server = await startStreamServer(there, { pollMs: 60_000 })
  servers.push(server)
  const reader = await openReader(`${server.url}/u/s`)
  await tell(here, 'u', 1)
  await vi.waitFor(() => expect(numbersOf(reader)).toEqual([1]))

  const listening = `select pg_terminate_backend(pid) from pg_stat_activity where query = 'listen cashier_commit'
    and datname = current_database()`
  const cut = await here.database.pool!.query(listening)
  await tell(here, 'u', 2)
  await vi.waitFor(() => expect(numbersOf(reader)).toEqual([1, 2]))
  expect(cut.rowCount).toBe(1)
})

test('with four writers that commit slowly, stream and feed skip nothing and repeat nothing', async () => {
  const users = ['u', 'v']
  const writers = await Promise.all([newStore(), newStore(), newStore(), newStore()])
  const reading = await newStore()
  for (const user of users) await reading.users.ensure(user, 0)
  const server = await startStreamServer(reading, { pollMs: 1000 })
  servers.push(server)
  const readers = await Promise.all(users.map((user) => openReader(`${server.url}/${user}/s`)))

  const EACH = 40
  const cursors: number[] = []
  let writing = true
  const followFeed = async (): Promise<void> => {
    for (let done = false; !done;) {
      done = !writing
      const page = await reading.events.feedAfter(cursors.at(-1) ?? 0, 7)
      cursors.push(...page.map(({ cursor }) => cursor))
      if (page.length > 0) done = false
      await sleep(3)
    }
  }
  const write = async (store: Store, writer: number): Promise<void> => {
    for (let n = 0; n < EACH; n += 1) {
      const user = users[(n + writer) % users.length]!
      await store.transaction(async (tx) => {
        const unit = await tx.load({ users: [user] })
        unit.outbox.addTransaction({
          entity: `deposit:${writer}-${n}`,
          user,
          streamUser: user,
          source: 'webhook',
          event: {
            transaction_uuid: `${writer}-${n}`,
            kind: 'deposit',
            status: 'succeeded',
            amount: '1',
            currency_code: 'BTC',
            network: 'Bitcoin',
            tx_hash: null,
            updated_at: '2026-01-01T00:00:00.000Z',
          },
        })
        await sleep(Math.random() * 15)
        await tx.save(unit)
      })
    }
  }
  const feed = followFeed()
  await Promise.all(writers.map(write))
  writing = false
  await feed

  const total = EACH * writers.length
  expect(cursors).toEqual(Array.from({ length: total }, (_item, n) => n + 1))
  for (const reader of readers) {
    await vi.waitFor(() => expect(reader.events).toHaveLength(total / users.length))
    expect(reader.events.map(({ id }) => Number(id))).toEqual(Array.from({ length: total / 2 }, (_item, n) => n + 1))
  }
  const told = readers.flatMap((reader) => reader.events.map(({ data }) => data))
  expect(new Set(told).size).toBe(total)
})
