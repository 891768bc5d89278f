import { createHash } from 'node:crypto'
import { copyFileSync } from 'node:fs'
import { afterEach, describe, expect, inject, onTestFinished, test } from 'vitest'
import type { Loss } from '../store/database/lost-commits.ts'
import { distrust } from '../store/restored.ts'
import { openStore, type Store } from '../store/store.ts'
import { seed } from '../store/testing/seed.ts'
import { FLAVOURS, newTestDatabase, type TestDatabase } from '../store/testing/test-databases.ts'
import { createListMerchantEvents } from './events-feed.ts'
import { createFeedCursors } from './feed-cursor.ts'

const LOST = { code: 'cursor_lost', detail: expect.stringContaining('from its beginning') as unknown }

const happen = (store: Store, ...statuses: string[]): Promise<void> =>
  seed(store, {
    published: statuses.map((status) => ({
      entity: 'deposit:t',
      user: 'u',
      streamUser: null,
      source: 'webhook',
      event: {
        transaction_uuid: 't',
        kind: 'deposit',
        status,
        amount: '1',
        currency_code: 'BTC',
        network: 'Bitcoin',
        tx_hash: null,
        updated_at: '',
      },
    })),
  })

const WENT_BACK: Loss = { noticedBy: 'cursor', timeline: null, before: null }

/** The losses that are noticed from now on. */
async function lossesOf(store: Store): Promise<readonly Loss[]> {
  const losses: Loss[] = []
  await store.watchLosses((loss) => losses.push(loss))
  return losses
}

/** An instance of the cashier that remembers the position of the feed. */
function reader(store: Store) {
  const list = createListMerchantEvents(store, createFeedCursors(store))
  return async (after: string | null) => {
    const { events, next_cursor } = await list({ after, limit: 100 })
    return { statuses: events.map(({ data }) => data['status']), next: next_cursor }
  }
}

describe.each(FLAVOURS)('%s', (flavour) => {
  const databases: TestDatabase[] = []
  const stores: Store[] = []
  const open = async (): Promise<Store> => {
    const database = await newTestDatabase(flavour, inject('postgresUrl'), { empty: true })
    databases.push(database)
    const store = await openStore({ url: database.url, clock: Date.now, deliver: false })
    stores.push(store)
    return store
  }
  afterEach(async () => {
    for (const store of stores.splice(0)) await store.close()
    for (const database of databases.splice(0)) await database.remove()
  })

  /** Takes the feed back to its state after `head` events, as a backup of that time has it. */
  const restore = async ({ database: { db } }: Store, head: number): Promise<void> => {
    await db.deleteFrom('merchant_events').where('cursor', '>', head).execute()
    await db.updateTable('counters').set({ value: head }).where('name', '=', 'merchant_events').execute()
  }

  test('after a restore with a new epoch, an older cursor is lost, and the feed begins again', async () => {
    const store = await open()
    await happen(store, 'one', 'two', 'three')
    const { next } = await reader(store)(null)
    await restore(store, 1)
    await store.feedEpoch.startEpoch((await store.feedEpoch.position()).epoch)
    await happen(store, 'new two', 'new three', 'new four')
    const read = reader(store)
    await expect(read(next)).rejects.toMatchObject(LOST)
    const all = await read(null)
    expect(all.statuses).toEqual(['one', 'new two', 'new three', 'new four'])
    expect(await read(all.next)).toEqual({ statuses: [], next: all.next })
    await expect(read('3')).rejects.toMatchObject(LOST)
  })

  test('a cursor ahead of the feed shows an unannounced restore: all cursors of that epoch are lost', async () => {
    const store = await open()
    await happen(store, 'one', 'two', 'three')
    const two = (await createListMerchantEvents(store, createFeedCursors(store))({ after: null, limit: 2 })).next_cursor
    const { next } = await reader(store)(null)
    await restore(store, 1)
    await expect(reader(store)(next)).rejects.toMatchObject(LOST)
    await happen(store, 'new two', 'new three', 'new four')
    const read = reader(store)
    for (const cursor of [next, two]) await expect(read(cursor)).rejects.toMatchObject(LOST)
    expect((await read(null)).statuses).toEqual(['one', 'new two', 'new three', 'new four'])
  })

  test('a running instance notices that the feed went back, with any cursor', async () => {
    const store = await open()
    const losses = await lossesOf(store)
    await happen(store, 'one', 'two', 'three')
    const read = reader(store)
    const { next } = await read(null)
    await restore(store, 1)
    expect((await read(null)).statuses).toEqual(['one'])
    expect(losses).toEqual([WENT_BACK])
    await happen(store, 'new two', 'new three', 'new four')
    await expect(reader(store)(next)).rejects.toMatchObject(LOST)
  })

  test('an unannounced restore is told of once, and one after `npm run restored` not again', async () => {
    const store = await open()
    const losses = await lossesOf(store)
    await happen(store, 'one', 'two', 'three')
    const { next } = await reader(store)(null)
    await restore(store, 1)
    const reads = await Promise.allSettled(Array.from({ length: 5 }, () => reader(store)(next)))
    expect(reads.map(({ status }) => status)).toEqual(Array.from(reads, () => 'rejected'))
    expect(losses).toEqual([WENT_BACK])
    const told = { reason: 'lost_commits', settled: false, after: 0, limit: 9 } as const
    const lines = (await store.quarantine.list(told)).map(({ event }) => JSON.parse(event) as unknown)
    expect(lines).toEqual([{ ...WENT_BACK, doubted: 0 }])
    expect(await store.reconciliation.lostMs()).not.toBeNull()

    await happen(store, 'new two')
    const again = (await reader(store)(null)).next
    await restore(store, 1)
    await store.transaction((tx) => distrust(tx))
    await expect(reader(store)(again)).rejects.toMatchObject(LOST)
    expect(losses).toHaveLength(1)
  })

  test('a cursor after which retention has deleted events is lost, and the feed begins with what is kept', async () => {
    const store = await open()
    const read = reader(store)
    const empty = (await read(null)).next
    await happen(store, 'one', 'two', 'three')
    const list = createListMerchantEvents(store, createFeedCursors(store))
    const places: string[] = []
    for (let after: string | null = null; places.length < 3; after = places.at(-1) ?? null)
      places.push((await list({ after, limit: 1 })).next_cursor)
    const [one = '', two = '', three = ''] = places
    await store.transaction((tx) => tx.retention.deleteMerchantEvents(Number.MAX_SAFE_INTEGER, 2))
    for (const lost of [empty, one]) await expect(read(lost)).rejects.toMatchObject(LOST)
    for (const kept of [null, '0', two]) expect(await read(kept)).toEqual({ statuses: ['three'], next: three })
    await store.transaction((tx) => tx.retention.deleteMerchantEvents(Number.MAX_SAFE_INTEGER, 9))
    for (const kept of [null, three]) expect(await read(kept)).toEqual({ statuses: [], next: three })
    await happen(store, 'four')
    expect((await read(three)).statuses).toEqual(['four'])
  })

  test('a cursor after which events are deleted while the feed is read is lost', async () => {
    const store = await open()
    await happen(store, 'one', 'two', 'three')
    const cursors = createFeedCursors(store)
    const { next_cursor: one } = await createListMerchantEvents(store, cursors)({ after: null, limit: 1 })
    const feedAfter: Store['events']['feedAfter'] = async (...args) => {
      await store.transaction((tx) => tx.retention.deleteMerchantEvents(Number.MAX_SAFE_INTEGER, 2))
      return store.events.feedAfter(...args)
    }
    const list = createListMerchantEvents({ events: { ...store.events, feedAfter } }, cursors)
    await expect(list({ after: one, limit: 9 })).rejects.toMatchObject(LOST)
  })

  test('a cursor of another database is lost, even if its number exists', async () => {
    const [first, second] = [await open(), await open()]
    for (const store of [first, second]) await happen(store, 'one')
    const { next } = await reader(first)(null)
    await expect(reader(second)(next)).rejects.toMatchObject(LOST)
    await expect(reader(second)('1')).rejects.toMatchObject(LOST)
    expect((await reader(second)('0')).statuses).toEqual(['one'])
  })
})

test('a cursor with a changed number is lost, and other cursors stay valid', async () => {
  const database = await newTestDatabase('sqlite', inject('postgresUrl'), { empty: true })
  onTestFinished(() => database.remove())
  const store = await openStore({ url: database.url, clock: Date.now, deliver: false })
  onTestFinished(() => store.close())
  await happen(store, 'one', 'two')
  const read = reader(store)
  const { next } = await read(null)
  const losses = await lossesOf(store)
  const name = next.slice(0, 12)
  const forged = `${name}${createHash('sha256').update(`${name}-3`).digest('hex').slice(0, 12)}-3`
  const changed = ['1', '3', '99999999'].map((number) => next.replace(/\d+$/, number))
  for (const made of [...changed, forged]) await expect(read(made)).rejects.toMatchObject(LOST)
  expect(await read(next)).toEqual({ statuses: [], next })
  expect(losses).toEqual([])
})

test('after a file is copied back, all older cursors are lost and the feed shows every new event', async () => {
  const database = await newTestDatabase('sqlite', inject('postgresUrl'), { empty: true })
  onTestFinished(() => database.remove())
  const path = database.url.slice('file:'.length)
  const opened = () => openStore({ url: database.url, clock: Date.now, deliver: false })
  const before = await opened()
  await happen(before, 'one')
  await before.close()
  copyFileSync(path, `${path}.backup`)
  const lost = await opened()
  await happen(lost, 'two', 'three')
  const { next } = await reader(lost)(null)
  await lost.close()
  copyFileSync(`${path}.backup`, path)
  const restored = await opened()
  onTestFinished(() => restored.close())
  await expect(reader(restored)(next)).rejects.toMatchObject(LOST)
  await happen(restored, 'new two', 'new three')
  await expect(reader(restored)(next)).rejects.toMatchObject(LOST)
  expect((await reader(restored)(null)).statuses).toEqual(['one', 'new two', 'new three'])
})
