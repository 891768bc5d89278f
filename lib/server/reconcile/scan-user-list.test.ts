import { describe, expect, test } from 'vitest'
import { OutcomeUnknownError, UnreadableReplyError } from '../gateway/errors.ts'
import type { TransactionsList, TransactionsListRequest } from '../gateway/types.ts'
import { scanList, type Edge, type ReadLists } from './scan-user-list.ts'
import { depositEdge, pagedGateway } from './testing/user-list.ts'

const NEWEST_MS = 1_000_000_000_000
const ALL = Array.from({ length: 250 }, (_item, index) => depositEdge(`u${index}`, NEWEST_MS - index * 60_000))

const without = (page: TransactionsList, count: number): TransactionsList => ({
  ...page,
  edges: page.edges.slice(count),
})

test('a scan of every page with every counted record is complete', async () => {
  const scan = await scanList(pagedGateway(ALL), 'user_1')
  expect(scan.complete).toBe(true)
  expect(scan.edges).toHaveLength(250)
})

test.each<[string, boolean, (page: TransactionsList, number: number) => TransactionsList]>([
  ['fewer records than counted', true, (page, number) => (number === 2 ? without(page, 1) : page)],
  [
    'a count that grows',
    false,
    (page, number) => ({ ...page, total_count: page.total_count + (number === 3 ? 1 : 0) }),
  ],
  [
    'a repeated cursor',
    true,
    (page) => ({ ...page, page_info: { ...page.page_info, end_cursor: 'u99', has_next_page: true } }),
  ],
  ['an empty page that claims a next one', true, (page, number) => (number === 2 ? without(page, 100) : page)],
  ['a list without an end', true, (page) => ({ ...page, page_info: { ...page.page_info, has_next_page: true } })],
])('%s is not a complete scan', async (_name, broken, spoil) => {
  expect(await scanList(pagedGateway(ALL, { spoil }), 'user_1')).toMatchObject({ complete: false, broken })
})

test('smaller pages than requested are read, too', async () => {
  const small = pagedGateway(ALL, { most: 7 })
  expect(await scanList(small, 'user_1')).toMatchObject({ complete: true, broken: false })
})

const ofAnother = (edge: Edge): Edge => ({ ...edge, node: { ...edge.node, user_ref_id: 'user_2' } })

test.each<[string, number | undefined]>([
  ['the whole list', undefined],
  ['a part of it', NEWEST_MS - 10 * 60_000],
])(
  "in %s, a record of another user in the place of the user's own: records may be missing, and nothing is proved",
  async (_name, sinceMs) => {
    const list = ALL.map((edge, place) => (place === 5 ? ofAnother(edge) : edge))
    const options = sinceMs === undefined ? {} : { sinceMs }
    expect(await scanList(pagedGateway(list), 'user_1', options)).toMatchObject({ complete: false, broken: true })
    const complete = sinceMs === undefined
    expect(await scanList(pagedGateway(ALL), 'user_1', options)).toMatchObject({ complete, broken: false })
  },
)

test.each([
  ['nobody has that name', [], true],
  ['a user has that name', ['USER_1'], false],
])('a record that differs from the user in case alone: %s', async (_name, known, complete) => {
  const list = ALL.map((edge, place) =>
    place === 5 ? { ...edge, node: { ...edge.node, user_ref_id: 'USER_1' } } : edge,
  )
  const knownUsers = (names: readonly string[]) =>
    Promise.resolve(new Set(known.filter((name) => names.includes(name))))
  expect(await scanList(pagedGateway(list), 'user_1', { knownUsers })).toMatchObject({ complete, broken: !complete })
})

describe('a list that grows while it is read', () => {
  const LATE = [depositEdge('late1', NEWEST_MS + 2000), depositEdge('late2', NEWEST_MS + 1000)]

  /** A list, in pages of 20, that is `list` from this call on. */
  const growing = (list: readonly Edge[], from = 2): ReadLists => {
    const [before, after] = [pagedGateway(ALL, { most: 20 }), pagedGateway(list, { most: 20 })]
    let calls = 0
    return {
      listUserTransactions(...query) {
        calls += 1
        return (calls < from ? before : after).listUserTransactions(...query)
      },
    }
  }

  test('is complete once its new records on top are read', async () => {
    const scan = await scanList(growing([...LATE, ...ALL]), 'user_1')
    expect(scan).toMatchObject({ complete: true, broken: false })
    expect(scan.edges.map(({ node }) => node.transaction_uuid)).toEqual(
      [...LATE, ...ALL].map(({ node }) => node.transaction_uuid),
    )
  })

  test('is not complete if a record appears behind the pages that were read', async () => {
    const list = [...ALL.slice(0, 50), ...LATE, ...ALL.slice(50)]
    expect(await scanList(growing(list, 5), 'user_1')).toMatchObject({ complete: false, broken: false })
  })

  test('is not complete if it grows with every page', async () => {
    let size = ALL.length
    const spoil = (page: TransactionsList): TransactionsList => ({ ...page, total_count: (size += 1) })
    const scan = await scanList(pagedGateway(ALL, { spoil }), 'user_1')
    expect(scan.complete).toBe(false)
    expect(size - ALL.length).toBeLessThan(10)
  })
})

test('a scan since a time stops after it and proves no absence', async () => {
  const scan = await scanList(pagedGateway(ALL), 'user_1', { sinceMs: NEWEST_MS - 10 * 60_000 })
  expect(scan.edges).toHaveLength(200)
  expect(scan).toMatchObject({ complete: false, broken: false })
})

/** A gateway on which a page with one of these records cannot be read. */
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
  ['two, with others in between', [10, 200], 59],
  ['two next to each other', [130, 131], 248],
])(
  'an unreadable record, %s: the others are read, newest first, and the scan is incomplete',
  async (_name, at, count) => {
    const { read, sizes } = withUnreadable(...at)
    const scan = await scanList(read, 'user_1')
    expect(scan.edges).toHaveLength(count)
    const times = scan.edges.map((each) => each.inserted_at)
    expect(times).toEqual(times.toSorted().reverse())
    expect(scan).toMatchObject({ complete: false, unreadable: { kind: 'unreadable' } })
    expect(sizes.length).toBeLessThan(40)
  },
)

test('a fully unreadable list costs a few calls', async () => {
  const { read, sizes } = withUnreadable(...ALL.keys())
  expect(await scanList(read, 'user_1')).toMatchObject({
    edges: [],
    complete: false,
    unreadable: { kind: 'unreadable' },
  })
  expect(sizes).toEqual([100, 50, 25, 12, 6, 3, 1, 100, 50, 25, 12, 6, 3, 1])
})

test('a page that is unreadable only once leaves no gap', async () => {
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
