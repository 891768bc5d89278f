import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest'
import { openStore, type Store } from '../store/store.ts'
import { newTestDatabase, type TestDatabase } from '../store/testing/test-databases.ts'
import { readLastEventId } from './sse-text.ts'
import { createEventReader } from './testing/event-reader.ts'
import { numbersOf, openReader, startStreamServer, tell, type TestStreamServer } from './testing/test-stream.ts'

let database: TestDatabase
let store: Store
const servers: TestStreamServer[] = []

const serve = async (options: Parameters<typeof startStreamServer>[1] = {}): Promise<TestStreamServer> => {
  const server = await startStreamServer(store, options)
  servers.push(server)
  return server
}

beforeEach(async () => {
  database = await newTestDatabase('sqlite', inject('postgresUrl'))
  store = await openStore({ url: database.url, clock: Date.now, deliver: false })
  await store.users.ensure('u', 0)
})

afterEach(async () => {
  vi.useRealTimers()
  await Promise.all(servers.splice(0).map((server) => server.close()))
  await store.close()
  await database.remove()
})

/** Waits in real time: `vi.waitFor` would move the mocked clock. */
const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await sleep(5)
}

test('the response forbids caching and transformation, and says when to reconnect', async () => {
  const { url } = await serve()
  const response = await new Promise<IncomingMessage>((resolve) => request(`${url}/u/s`, resolve).end())
  const [first] = (await once(response, 'data')) as [Buffer]
  expect(response.headers).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache, no-transform',
  })
  expect(first.toString()).toMatch(/^: .*\nretry: 2000\n\n/)
  response.destroy()
})

test('without an id the stream begins at the present, and a cut before the first event loses nothing', async () => {
  const { url } = await serve()
  await tell(store, 'u', 1)
  const first = await openReader(`${url}/u/s`)
  await vi.waitFor(() => expect(first.lastEventId).toBe('1'))
  first.cut()
  await tell(store, 'u', 2)
  const second = await openReader(`${url}/u/s`, first.lastEventId)
  await vi.waitFor(() => expect(numbersOf(second)).toEqual([2]))
  expect(first.events).toEqual([])
})

test('an event has its number, its type and its JSON', async () => {
  const { url } = await serve()
  const reader = await openReader(`${url}/u/s`, '0')
  await tell(store, 'u', 7)
  await vi.waitFor(() => expect(reader.events).toHaveLength(1))
  expect(reader.events).toEqual([{ id: '1', type: 'balance', data: '{"currency_id":"c","available":"7","held":"0"}' }])
})

test.each(['5', '99', 'x'])(
  'an id that is not stored (%s) resets, and the stream continues from the present',
  async (id) => {
    const { url } = await serve()
    for (const n of [1, 2, 3]) await tell(store, 'u', n)
    if (id === '5') for (const n of [4, 5, 6, 7]) await tell(store, 'u', n)
    const head = id === '5' ? 7 : 3
    await store.database.db
      .updateTable('users')
      .set({ stream_floor: id === '5' ? 6 : 0 })
      .execute()
    const reader = await openReader(`${url}/u/s`, id)
    await vi.waitFor(() => expect(reader.events).toHaveLength(1))
    await tell(store, 'u', head + 1)
    await vi.waitFor(() => expect(reader.events).toHaveLength(2))
    expect(reader.events.map(({ id: number, type }) => [number, type])).toEqual([
      [String(head), 'reset'],
      [String(head + 1), 'balance'],
    ])
  },
)

test.each([false, true])(
  'a comment comes every 15 seconds, and the session is checked every 5 (framed: %s)',
  async (framed) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const endedSessions = vi.fn(async () => [])
    const { url, hub } = await serve({ endedSessions, framed })
    const other = await openReader(`${url}/u/t`)
    const reader = await openReader(`${url}/u/s`)
    await until(() => reader.comments.length === 1)
    vi.advanceTimersByTime(14_999)
    await sleep(50)
    expect([reader.comments.length, endedSessions.mock.calls]).toEqual([1, [[['t', 's']], [['t', 's']]]])
    vi.advanceTimersByTime(1)
    await until(() => reader.comments.length === 2)
    vi.advanceTimersByTime(15_000)
    await until(() => reader.comments.length === 3)
    expect(endedSessions).toHaveBeenCalledTimes(6)
    other.cut()
    await until(() => hub.size === 1)
    vi.advanceTimersByTime(10_000)
    await until(() => endedSessions.mock.calls.length === 8)
    expect(endedSessions.mock.calls.slice(6)).toEqual([[['s']], [['s']]])
  },
)

test('a session that ended elsewhere ends its stream; a failed check does not', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const answers = [() => Promise.reject(new Error('away')), () => Promise.resolve(['s'])]
  const onClose = vi.fn()
  const { url } = await serve({ endedSessions: () => answers.shift()!(), onClose })
  const reader = await openReader(`${url}/u/s`)
  vi.advanceTimersByTime(5000)
  await tell(store, 'u', 1)
  await until(() => reader.events.length === 1)
  vi.advanceTimersByTime(5000)
  await reader.ended
  await until(() => onClose.mock.calls.length > 0)
  expect(onClose).toHaveBeenCalledTimes(1)
})

test('the end of a session or of the hub ends open streams', async () => {
  const { url, hub } = await serve()
  const [mine, other] = await Promise.all([openReader(`${url}/u/s`), openReader(`${url}/u/t`)])
  hub.endSession('s')
  await mine.ended
  await vi.waitFor(() => expect(hub.size).toBe(1))
  await hub.close()
  await other.ended
  await vi.waitFor(() => expect(hub.size).toBe(0))
})

test('errors are thrown before the first byte', async () => {
  const { url, hub } = await serve()
  const reader = await openReader(`${url}/nobody/s`)
  expect([reader.status, hub.size]).toEqual([500, 0])
})

test('a reader that disconnects leaves no subscription', async () => {
  const onClose = vi.fn()
  const { url, hub } = await serve({ onClose })
  const reader = await openReader(`${url}/u/s`)
  expect(hub.size).toBe(1)
  reader.cut()
  await vi.waitFor(() => expect(hub.size).toBe(0))
  expect(onClose).toHaveBeenCalledTimes(1)
})

test('a client that does not read is disconnected, and a client that reads gets everything', async () => {
  const { url, hub } = await serve()
  const lazy = await new Promise<IncomingMessage>((resolve) => request(`${url}/u/s`, resolve).end())
  lazy.on('error', () => undefined).pause()
  const keen = await openReader(`${url}/u/t`)
  expect(hub.size).toBe(2)
  const BATCH = 200
  const network = 'x'.repeat(2000)
  let written = 0
  while (hub.size === 2 && written < 20_000) {
    await store.unitOfWork({ users: [] }, (unit) => {
      for (let n = 0; n < BATCH; n += 1) {
        unit.outbox.addTransaction({
          entity: 'deposit:1',
          user: 'u',
          streamUser: 'u',
          source: 'webhook',
          event: {
            transaction_uuid: '1',
            kind: 'deposit',
            status: 'processing',
            amount: '1',
            currency_code: 'BTC',
            network,
            tx_hash: null,
            updated_at: '',
          },
        })
      }
    })
    written += BATCH
    await vi.waitFor(() => expect(keen.events).toHaveLength(written))
  }
  expect(hub.size).toBe(1)
  expect(keen.events.map(({ id }) => Number(id))).toEqual(Array.from({ length: written }, (_item, n) => n + 1))
  lazy.destroy()
})

test('the stream waits for a client that resumes far back', async () => {
  const TOTAL = 6000
  await store.unitOfWork({ users: [] }, (unit) => {
    for (let n = 0; n < TOTAL; n += 1) {
      unit.outbox.addTransaction({
        entity: 'deposit:1',
        user: 'u',
        streamUser: 'u',
        source: 'webhook',
        event: {
          transaction_uuid: '1',
          kind: 'deposit',
          status: 'processing',
          amount: '1',
          currency_code: 'BTC',
          network: 'x'.repeat(2000),
          tx_hash: null,
          updated_at: '',
        },
      })
    }
  })
  const { url, hub } = await serve()
  const slow = request(`${url}/u/s`, { headers: { 'last-event-id': '0' } }).end()
  const [response] = (await once(slow, 'response')) as [IncomingMessage]
  response.pause()
  await sleep(500)
  expect(hub.size).toBe(1)
  const reader = createEventReader()
  for await (const chunk of response.setEncoding('utf8')) {
    reader.push(String(chunk))
    if (reader.lastEventId === String(TOTAL)) break
  }
  expect(reader.events).toHaveLength(TOTAL)
})

test.each([
  { header: undefined, query: null, wanted: null },
  { header: '', query: '', wanted: null },
  { header: '7', query: '3', wanted: 7 },
  { header: null, query: '3', wanted: 3 },
  { header: '7.0', query: null, wanted: -1 },
  { header: '1764000000000001', query: null, wanted: 1764000000000001 },
  { header: '9007199254740992', query: null, wanted: -1 },
  { header: '12345678901234567890', query: null, wanted: -1 },
])('Last-Event-ID $header and query $query: after $wanted', ({ header, query, wanted }) => {
  expect(readLastEventId(header, query)).toBe(wanted)
})

test('after a promotion, too, a reader resumes with what it missed, and without a reset', async () => {
  const { url } = await serve()
  await store.unseenNumbers.renumberStreams()
  await tell(store, 'u', 1)
  const first = await openReader(`${url}/u/s`, '0')
  await vi.waitFor(() => expect(numbersOf(first)).toHaveLength(1))
  first.cut()
  await tell(store, 'u', 2)
  const second = await openReader(`${url}/u/s`, first.lastEventId)
  await vi.waitFor(() => expect(second.events).toHaveLength(1))
  expect([second.events[0]?.type, second.lastEventId]).toEqual([
    first.events[0]?.type,
    String(Number(first.lastEventId) + 1),
  ])
})
