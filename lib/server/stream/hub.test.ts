import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import { Problem } from '#lib/contract/problems.ts'
import { openStore, type Store } from '../store/store.ts'
import { FLAVOURS, newTestDatabase, type TestDatabase } from '../store/testing/test-databases.ts'
import { createStreamHub, type StreamHub, type StreamHubOptions } from './hub.ts'
import { tell } from './testing/test-stream.ts'

const log = { warn: () => undefined }

/** A sink that keeps all that it receives. */
function keep() {
  const kept = { seqs: [] as number[], resets: [] as number[], ended: false }
  const sink = {
    write: (events: readonly { seq: number }[]) => void kept.seqs.push(...events.map(({ seq }) => seq)),
    reset: (head: number) => void kept.resets.push(head),
    drained: async () => undefined,
    end: () => {
      kept.ended = true
    },
  }
  return { kept, sink }
}

const upTo = (n: number, from = 1): number[] => Array.from({ length: n - from + 1 }, (_item, index) => from + index)

test('while the store does not answer a stream is sent no heartbeat', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  const store = await openStore({ url: 'file::memory:', clock: Date.now, deliver: false })
  await store.users.ensure('u', 0)
  const hub = createStreamHub({ store, log, pollMs: 1000 })
  /** Each second leaves time for a poll. */
  const pass = async (seconds: number): Promise<void> => {
    for (let count = 0; count < seconds; count += 1) {
      vi.advanceTimersByTime(1000)
      await sleep(25)
    }
  }
  try {
    const stream = await hub.open({ user: 'u', sessionId: 's', after: null })
    let beats = 0
    stream.beat(() => void (beats += 1))
    await pass(30)
    expect(beats).toBe(2)
    const away = vi.spyOn(store.events, 'foreignVersion').mockRejectedValue(new Error('away'))
    await pass(15)
    const before = beats
    await pass(30)
    expect(beats).toBe(before)
    away.mockRestore()
    await pass(16)
    expect(beats).toBe(before + 1)
  } finally {
    vi.useRealTimers()
    await hub.close()
    await store.close()
  }
})

describe.each(FLAVOURS)('on %s', (flavour) => {
  let database: TestDatabase
  let store: Store
  const hubs: StreamHub[] = []
  const stores: Store[] = []

  const newHub = (options: Partial<StreamHubOptions> = {}): StreamHub => {
    const hub = createStreamHub({ store, log, pollMs: 60_000, ...options })
    hubs.push(hub)
    return hub
  }
  const newStore = async (): Promise<Store> => {
    const opened = await openStore({ url: database.url, clock: Date.now, deliver: false })
    stores.push(opened)
    return opened
  }

  beforeEach(async () => {
    database = await newTestDatabase(flavour, inject('postgresUrl'))
    store = await newStore()
    await store.users.ensure('u', 0)
    await store.users.ensure('v', 0)
  })

  afterEach(async () => {
    await Promise.all(hubs.splice(0).map((hub) => hub.close()))
    await Promise.all(stores.splice(0).map((opened) => opened.close()))
    await database.remove()
  })

  test('a backlog of several pages and new events arrive once each, in order', async () => {
    for (const n of upTo(25)) await tell(store, 'u', n)
    const hub = newHub({ pageLimit: 10 })
    const stream = await hub.open({ user: 'u', sessionId: 's', after: 0 })
    const { kept, sink } = keep()
    stream.attach(sink)
    for (const n of upTo(60, 26)) await tell(store, 'u', n)
    await vi.waitFor(() => expect(kept.seqs).toEqual(upTo(60)))
  })

  test('an event that is committed between opening and attaching is not missed', async () => {
    const stream = await newHub().open({ user: 'u', sessionId: 's', after: null })
    await tell(store, 'u', 1)
    const { kept, sink } = keep()
    stream.attach(sink)
    await vi.waitFor(() => expect(kept.seqs).toEqual([1]))
  })

  test("one user's events reach no other user", async () => {
    const hub = newHub()
    const [mine, other] = [keep(), keep()]
    ;(await hub.open({ user: 'u', sessionId: 's', after: null })).attach(mine.sink)
    ;(await hub.open({ user: 'v', sessionId: 't', after: null })).attach(other.sink)
    await tell(store, 'v', 1)
    await vi.waitFor(() => expect(other.kept.seqs).toEqual([1]))
    expect(mine.kept.seqs).toEqual([])
  })

  test('without a signal, the poll finds the commit of another process', async () => {
    const stream = await newHub({
      pollMs: 50,
      store: { ...store, listen: () => ({ stop: async () => undefined }) },
    }).open({ user: 'u', sessionId: 's', after: null })
    const { kept, sink } = keep()
    stream.attach(sink)
    await tell(await newStore(), 'u', 1)
    await vi.waitFor(() => expect(kept.seqs).toEqual([1]))
  })

  test('the poll repeats a failed read', async () => {
    let broken = true
    const events = {
      ...store.events,
      after: (...args: Parameters<Store['events']['after']>) =>
        broken ? Promise.reject(new Error('away')) : store.events.after(...args),
    }
    const stream = await newHub({ pollMs: 50, store: { ...store, events } }).open({
      user: 'u',
      sessionId: 's',
      after: null,
    })
    const { kept, sink } = keep()
    stream.attach(sink)
    await tell(store, 'u', 1)
    await sleep(20)
    expect(kept.seqs).toEqual([])
    broken = false
    await vi.waitFor(() => expect(kept.seqs).toEqual([1]))
  })

  test('the end of a session ends its streams only', async () => {
    const hub = newHub()
    const [mine, other] = [keep(), keep()]
    ;(await hub.open({ user: 'u', sessionId: 's', after: null })).attach(mine.sink)
    ;(await hub.open({ user: 'u', sessionId: 't', after: null })).attach(other.sink)
    hub.endSession('s')
    expect([mine.kept.ended, other.kept.ended]).toEqual([true, false])
    await hub.close()
    expect(other.kept.ended).toBe(true)
  })

  test('a session has a limit of streams; a closed stream frees a place', async () => {
    const sizes: number[] = []
    const hub = newHub({ streamsPerSession: 2, onSize: (size) => void sizes.push(size) })
    const order = { user: 'u', sessionId: 's', after: null }
    const first = await hub.open(order)
    await hub.open(order)
    await expect(hub.open(order)).rejects.toMatchObject({ code: 'rate_limited' })
    await expect(hub.open({ ...order, sessionId: 't' })).resolves.toBeDefined()
    first.close()
    first.close()
    await expect(hub.open(order)).resolves.toBeDefined()
    await expect(hub.open(order)).rejects.toBeInstanceOf(Problem)
    expect(hub.size).toBe(3)
    expect(sizes).toEqual([1, 2, 3, 2, 3])
  })

  test('an unknown user gets no stream, and takes no place', async () => {
    const hub = newHub()
    await expect(hub.open({ user: 'nobody', sessionId: 's', after: null })).rejects.toMatchObject({
      code: 'unauthenticated',
    })
    expect(hub.size).toBe(0)
  })

  test('a stream ends when its user no longer exists', async () => {
    const hub = newHub({ pollMs: 50 })
    const { kept, sink } = keep()
    ;(await hub.open({ user: 'u', sessionId: 's', after: null })).attach(sink)
    await store.database.db.deleteFrom('users').where('user_reference_id', '=', 'u').execute()
    await vi.waitFor(() => expect(kept.ended).toBe(true))
  })

  test.each([
    { case: 'no id: now', after: null, wanted: { cursor: 9, reset: false } },
    { case: 'the head: nothing missed', after: 9, wanted: { cursor: 9, reset: false } },
    { case: 'held', after: 5, wanted: { cursor: 5, reset: false } },
    { case: 'the floor: all later events are stored', after: 3, wanted: { cursor: 3, reset: false } },
    { case: 'below the floor', after: 2, wanted: { cursor: 9, reset: true } },
    { case: 'above the head', after: 10, wanted: { cursor: 9, reset: true } },
    { case: 'no number', after: -1, wanted: { cursor: 9, reset: true } },
  ])('a stream starts at $case', async ({ after, wanted }) => {
    for (const n of upTo(9)) await tell(store, 'u', n)
    await store.database.db.deleteFrom('stream_events').where('seq', '<=', 3).execute()
    await store.database.db.updateTable('users').set({ stream_floor: 3 }).execute()
    expect((await newHub().open({ user: 'u', sessionId: 's', after })).start).toEqual(wanted)
  })

  test('after a promotion a reader goes on if it has seen nothing that is lost, and starts over if it has', async () => {
    for (const n of upTo(3)) await tell(store, 'u', n)
    const hub = newHub()
    const [whole, misled] = [keep(), keep()]
    ;(await hub.open({ user: 'u', sessionId: 's', after: 2 })).attach(whole.sink)
    await vi.waitFor(() => expect(whole.kept.seqs).toEqual([3]))
    // Number 4 was told and is lost.
    await tell(store, 'u', 4)
    ;(await hub.open({ user: 'u', sessionId: 't', after: 3 })).attach(misled.sink)
    await vi.waitFor(() => expect([whole.kept.seqs, misled.kept.seqs]).toEqual([[3, 4], [4]]))
    await hub.close()
    await store.database.db.deleteFrom('stream_events').where('seq', '=', 4).execute()
    await store.database.db.updateTable('users').set({ stream_seq: 3 }).execute()
    await store.transaction((tx) => tx.unseenNumbers.renumberStreams())
    const base = (await store.events.bounds('u'))?.head ?? 0
    const starts = async () => {
      const opened = await Promise.all(
        [2, 3, 4, base].map((after) => newHub().open({ user: 'u', sessionId: 's', after })),
      )
      return opened.map(({ start }) => start)
    }
    const wanted = [2, 3].map((cursor) => ({ cursor, reset: false }))
    expect(await starts()).toEqual([...wanted, { cursor: base, reset: true }, { cursor: base, reset: false }])
    const { kept, sink } = keep()
    ;(await newHub().open({ user: 'u', sessionId: 's', after: 2 })).attach(sink)
    await tell(store, 'u', 5)
    await vi.waitFor(() => expect(kept).toMatchObject({ seqs: [3, base + 1], resets: [] }))
    expect(await starts()).toEqual([...wanted, { cursor: base + 1, reset: true }, { cursor: base, reset: false }])
  })

  test('a reader whose next events were deleted gets a reset, and continues from there', async () => {
    for (const n of upTo(5)) await tell(store, 'u', n)
    const stream = await newHub().open({ user: 'u', sessionId: 's', after: 1 })
    await store.database.db.deleteFrom('stream_events').where('seq', '<=', 3).execute()
    const { kept, sink } = keep()
    stream.attach(sink)
    await vi.waitFor(() => expect(kept.resets).toEqual([5]))
    await tell(store, 'u', 6)
    await vi.waitFor(() => expect(kept.seqs).toEqual([6]))
  })
})
