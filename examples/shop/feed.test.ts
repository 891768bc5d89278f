import { expect, test } from 'vitest'
import { CashierApiError, type Events } from './cashier-client.ts'
import { createFeed } from './feed.ts'

const data = { kind: 'deposit', status: 'processing', amount: '1', currency_code: 'USDT', network: 'Tron' }
const event = (cursor: number): Events['events'][number] => ({
  cursor: String(cursor),
  type: 'transaction.updated',
  created_at: '2026-11-20T12:00:00Z',
  data,
})

test('it reads the feed page by page from its cursor, and returns the latest events', async () => {
  const log = Array.from({ length: 2500 }, (_item, at) => event(at + 1))
  const cursors: (string | null)[] = []
  const feed = createFeed({
    events: async (after) => {
      cursors.push(after)
      const from = Number(after ?? 0)
      const events = log.slice(from, from + 1000)
      return { events, next_cursor: String(from + events.length) }
    },
  })

  const [first, again] = await Promise.all([feed(), feed()])
  expect(again).toBe(first)
  expect(first.map(({ cursor }) => cursor)).toEqual(log.slice(-500).map(({ cursor }) => cursor))
  expect(cursors).toEqual([null, '1000', '2000'])

  log.push(event(2501))
  expect((await feed()).at(-1)?.cursor).toBe('2501')
  expect(cursors.at(-1)).toBe('2500')
})

test('after a failure it continues from the same cursor', async () => {
  let working = false
  const feed = createFeed({
    events: async () => {
      if (!working) throw new Error('away')
      return { events: [event(1)], next_cursor: '1' }
    },
  })
  await expect(feed()).rejects.toThrow('away')
  working = true
  expect(await feed()).toHaveLength(1)
})

test('after a restored backup it starts again from the beginning', async () => {
  let epoch = 'a'
  const feed = createFeed({
    events: async (after) => {
      if (after !== null && !after.startsWith(epoch)) throw new CashierApiError(410, 'cursor_lost', 'lost')
      return { events: after === null ? [event(1), event(2)] : [], next_cursor: `${epoch}-2` }
    },
  })
  expect(await feed()).toHaveLength(2)
  epoch = 'b'
  expect((await feed()).map(({ cursor }) => cursor)).toEqual(['1', '2'])
})
