import { expect, test } from 'vitest'
import type { Decimal } from '#lib/contract/money.ts'
import { OutcomeUnknownError, UnreadableReplyError } from '../gateway/errors.ts'
import type { TransactionsList, TransactionsListRequest } from '../gateway/port.ts'
import { scanList, type Edge } from './scan-user-list.ts'

const edge = (index: number): Edge => ({
  cursor: `c${index}`,
  inserted_at: new Date(1_000_000_000_000 - index * 60_000).toISOString(),
  node: {
    transaction_uuid: `u${index}`,
    type: 'Deposit',
    status: 'TXN_NEW',
    merchant_status: null,
    amount: '1' as Decimal,
    amount_usd: null,
    currency: {
      id: 'c',
      code: 'c',
      name: 'c',
      symbol: 'c',
      network: 'n',
      currency_icon: null,
      network_icon: null,
      token_address: null,
    },
    correlation_key: null,
    from_address: null,
    to_address: null,
    tx_hash: null,
    provider_transaction_id: null,
    provider_wallet_reference: null,
    trn_provider_ref: null,
    failure_reason: null,
    transaction_data: {},
    user_ref_id: 'user_1',
    inserted_at: new Date(1_000_000_000_000 - index * 60_000).toISOString(),
    updated_at: null,
    completed_at: null,
  },
})

const ALL = Array.from({ length: 250 }, (_, index) => edge(index))

/** A gateway that pages truly, but for what `spoil` does to a page. */
const gateway = (spoil: (page: TransactionsList, number: number) => TransactionsList = (page) => page) => {
  let number = 0
  return {
    listUserTransactions: (_user: string, query: TransactionsListRequest = {}): Promise<TransactionsList> => {
      number += 1
      const start = query.after === undefined ? 0 : ALL.findIndex(({ cursor }) => cursor === query.after) + 1
      const edges = ALL.slice(start, start + (query.first ?? 20))
      const page: TransactionsList = {
        edges,
        page_info: {
          start_cursor: edges[0]?.cursor ?? null,
          end_cursor: edges.at(-1)?.cursor ?? null,
          has_next_page: start + edges.length < ALL.length,
          has_previous_page: start > 0,
        },
        total_count: ALL.length,
      }
      return Promise.resolve(spoil(page, number))
    },
  }
}

const without = (page: TransactionsList, count: number): TransactionsList => ({
  ...page,
  edges: page.edges.slice(count),
})

test('every page read and every record counted is a complete scan', async () => {
  const scan = await scanList(gateway(), 'user_1')
  expect(scan.complete).toBe(true)
  expect(scan.edges).toHaveLength(250)
})

test.each<[string, (page: TransactionsList, number: number) => TransactionsList]>([
  ['fewer records than counted', (page, number) => (number === 2 ? without(page, 1) : page)],
  ['a count that changes', (page, number) => ({ ...page, total_count: page.total_count + (number === 3 ? 1 : 0) })],
  [
    'a cursor that comes twice',
    (page) => ({ ...page, page_info: { ...page.page_info, end_cursor: 'c99', has_next_page: true } }),
  ],
  ['an empty page that goes on', (page, number) => (number === 2 ? without(page, 100) : page)],
  ['no end in sight', (page) => ({ ...page, page_info: { ...page.page_info, has_next_page: true } })],
])('%s is not a complete scan', async (_, spoil) => {
  expect((await scanList(gateway(spoil), 'user_1')).complete).toBe(false)
})

test('smaller pages than asked for are read all the same', async () => {
  const clamped = gateway()
  const small = {
    listUserTransactions: (user: string, query: TransactionsListRequest = {}) =>
      clamped.listUserTransactions(user, { ...query, first: 7 }),
  }
  expect(await scanList(small, 'user_1')).toMatchObject({ complete: true })
})

test('a scan since a time stops behind it and proves no absence', async () => {
  const scan = await scanList(gateway(), 'user_1', { sinceMs: 1_000_000_000_000 - 10 * 60_000 })
  expect(scan.edges).toHaveLength(200)
  expect(scan.complete).toBe(false)
})

/** A gateway on which no page can be read that holds one of these records. */
function withUnreadable(...places: readonly number[]) {
  const sizes: number[] = []
  const read = {
    listUserTransactions: (_user: string, query: TransactionsListRequest = {}): Promise<TransactionsList> => {
      const { first, last, after, before } = query
      sizes.push(first ?? last ?? 0)
      const place = (cursor: string) => ALL.findIndex((each) => each.cursor === cursor)
      const end = before === undefined ? ALL.length : place(before)
      const start = last === undefined ? (after === undefined ? 0 : place(after) + 1) : Math.max(0, end - last)
      const until = last === undefined ? Math.min(ALL.length, start + (first ?? 20)) : end
      if (places.some((at) => at >= start && at < until))
        return Promise.reject(new UnreadableReplyError('another shape', { operation: 'list' }))
      const edges = ALL.slice(start, until)
      return Promise.resolve({
        edges,
        page_info: {
          start_cursor: edges[0]?.cursor ?? null,
          end_cursor: edges.at(-1)?.cursor ?? null,
          has_next_page: until < ALL.length,
          has_previous_page: start > 0,
        },
        total_count: ALL.length,
      })
    },
  }
  return { read, sizes }
}

test.each([
  ['the newest', [0], 249],
  ['one within a page', [142], 249],
  ['the oldest', [249], 249],
  ['two, with others between', [10, 200], 59],
  ['two beside each other', [130, 131], 248],
])(
  'a record that cannot be read, %s: the others are, newest first, and the scan is not complete',
  async (_, at, count) => {
    const { read, sizes } = withUnreadable(...at)
    const scan = await scanList(read, 'user_1')
    expect(scan.edges).toHaveLength(count)
    const times = scan.edges.map((each) => each.inserted_at)
    expect(times).toEqual(times.toSorted().reverse())
    expect(scan).toMatchObject({ complete: false, unreadable: { kind: 'unreadable' } })
    expect(sizes.length).toBeLessThan(40)
  },
)

test('a list of which nothing can be read costs a few calls', async () => {
  const { read, sizes } = withUnreadable(...ALL.keys())
  expect(await scanList(read, 'user_1')).toMatchObject({
    edges: [],
    complete: false,
    unreadable: { kind: 'unreadable' },
  })
  expect(sizes).toEqual([100, 50, 25, 12, 6, 3, 1, 100, 50, 25, 12, 6, 3, 1])
})

test('a page that could not be read once is no gap', async () => {
  const { read } = withUnreadable()
  let fails = true
  const once = {
    listUserTransactions: (user: string, query: TransactionsListRequest = {}) => {
      if (!fails || query.after === undefined) return read.listUserTransactions(user, query)
      fails = false
      return Promise.reject(new UnreadableReplyError('garbled', { operation: 'list' }))
    },
  }
  expect(await scanList(once, 'user_1')).toMatchObject({ complete: true, unreadable: null })
})

test('any other failure is a failure of the scan', async () => {
  const away = { listUserTransactions: () => Promise.reject(new OutcomeUnknownError('cut', { operation: 'list' })) }
  await expect(scanList(away, 'user_1')).rejects.toThrow('cut')
})
