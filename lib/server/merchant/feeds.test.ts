import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import type { QuarantineQuery } from '#lib/contract/merchant-requests.ts'
import { openStore, type Store } from '../store/store.ts'
import { sampleQuarantined } from '../store/testing/sample-rows.ts'
import { seed } from '../store/testing/seed.ts'
import { FLAVOURS, newTestDatabase, type TestDatabase } from '../store/testing/test-databases.ts'
import { createFeedCursors, feedCursor } from './feed-cursor.ts'
import { createListMerchantEvents } from './events-feed.ts'
import { createListQuarantine } from './quarantine-list.ts'

const NOW = Date.UTC(2026, 4, 1)
const OPEN = { reason: null, state: 'open', after: null, limit: 100 } as const

describe.each(FLAVOURS)('on %s', (flavour) => {
  let database: TestDatabase
  let store: Store

  beforeEach(async () => {
    database = await newTestDatabase(flavour, inject('postgresUrl'))
    store = await openStore({ url: database.url, clock: () => NOW, deliver: false })
  })

  afterEach(async () => {
    await store.close()
    await database.remove()
  })

  test('the feed is read page by page to its end, where the cursor stays', async () => {
    const { epoch } = await store.feedEpoch.position()
    const list = createListMerchantEvents(store, createFeedCursors(store))
    expect(await list({ after: null, limit: 2 })).toEqual({ events: [], next_cursor: feedCursor(epoch, 0) })
    for (const status of ['pending', 'processing', 'succeeded']) {
      await store.unitOfWork({ users: [] }, (unit) => {
        unit.outbox.addTransaction({
          entity: 'onramp:o',
          user: 'u',
          streamUser: null,
          source: 'reconciliation',
          event: {
            transaction_uuid: 'o',
            kind: 'onramp',
            status,
            amount: '123456789012345678.123456789012345678',
            currency_code: 'BTC',
            network: 'Bitcoin',
            tx_hash: null,
            updated_at: '2026-05-01T00:00:00.000Z',
            session_reference: 'r',
          },
        })
      })
    }
    const first = await list({ after: null, limit: 2 })
    expect(first.next_cursor).toBe(feedCursor(epoch, 2))
    expect(first.events[0]).toEqual({
      cursor: feedCursor(epoch, 1),
      type: 'transaction.updated',
      created_at: '2026-05-01T00:00:00.000Z',
      data: {
        transaction_uuid: 'o',
        kind: 'onramp',
        status: 'pending',
        amount: '123456789012345678.123456789012345678',
        currency_code: 'BTC',
        network: 'Bitcoin',
        tx_hash: null,
        updated_at: '2026-05-01T00:00:00.000Z',
        session_reference: 'r',
        user_reference_id: 'u',
        source: 'reconciliation',
      },
    })
    const second = await list({ after: first.next_cursor, limit: 2 })
    expect(second.events.map(({ cursor, data }) => [cursor, data['status']])).toEqual([
      [feedCursor(epoch, 3), 'succeeded'],
    ])
    expect(await list({ after: second.next_cursor, limit: 2 })).toEqual({
      events: [],
      next_cursor: feedCursor(epoch, 3),
    })
  })

  test('quarantine shows the event with every digit as received, and invalid JSON as text', async () => {
    const list = createListQuarantine(store)
    expect(await list({ ...OPEN, limit: 2 })).toEqual({ items: [], next_cursor: '0' })
    const sentNumbers = '{"event":"User Deposit","transaction":{"amount":0.000000000000000001,"n":1e-18,"x":[12.50]}}'
    for (const event of [sentNumbers, 'not JSON', '{}'])
      await seed(store, { quarantine: [sampleQuarantined({ event })] })
    const first = await list({ ...OPEN, limit: 2 })
    const open = '"settled_at":null,"settled_by":null,"note":null'
    expect(JSON.stringify(first)).toBe(
      `{"items":[{"id":"1","reason":"stale","received_at":"2026-05-01T00:00:00.000Z","event":${sentNumbers},${open}},` +
        `{"id":"2","reason":"stale","received_at":"2026-05-01T00:00:00.000Z","event":"not JSON",${open}}],"next_cursor":"2"}`,
    )
    expect((await list({ ...OPEN, after: first.next_cursor, limit: 2 })).items.map(({ id }) => id)).toEqual(['3'])
    expect(await list({ ...OPEN, after: '3', limit: 2 })).toEqual({ items: [], next_cursor: '3' })
  })

  test('quarantine is filtered by reason and state', async () => {
    const list = createListQuarantine(store)
    for (const reason of ['stale', 'conflict', 'stale'] as const)
      await seed(store, { quarantine: [sampleQuarantined({ reason })] })
    await store.quarantine.settle(1, { by: 'merchant', now: NOW + 1000, note: 'asked the gateway' })
    const ids = async (query: Partial<QuarantineQuery>): Promise<string[]> =>
      (await list({ ...OPEN, ...query })).items.map(({ id }) => id)
    expect(await ids({})).toEqual(['2', '3'])
    expect(await ids({ reason: 'stale' })).toEqual(['3'])
    expect(await ids({ reason: 'stale', after: '3' })).toEqual([])
    expect(await ids({ state: 'settled' })).toEqual(['1'])
    expect(await ids({ state: 'settled', reason: 'conflict' })).toEqual([])
    expect((await list({ ...OPEN, state: 'settled' })).items[0]).toMatchObject({
      settled_at: '2026-05-01T00:00:01.000Z',
      settled_by: 'merchant',
      note: 'asked the gateway',
    })
    await expect(list({ ...OPEN, reason: 'stail' })).rejects.toMatchObject({
      code: 'invalid_request',
      extras: { errors: { reason: [expect.stringContaining('stale')] } },
    })
  })

  test.each(['x', '-1', '1.0', '', ' 1', '12345678901234567'])('a cursor %j is refused by its field', async (after) => {
    const refusal = { code: 'invalid_request', extras: { errors: { after: [expect.any(String)] } } }
    const feed = createListMerchantEvents(store, createFeedCursors(store))
    await expect(feed({ after, limit: 1 })).rejects.toMatchObject(refusal)
    await expect(createListQuarantine(store)({ ...OPEN, after, limit: 1 })).rejects.toMatchObject(refusal)
  })
})
