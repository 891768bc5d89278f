import { expect, test } from 'vitest'
import { gatewayQuery, readHistoryQuery, mergeRows, oursOnPage, pageOf } from './history-page.ts'
import type { HistoryEntry } from './history-rows.ts'

const row = (name: string, insertedMs: number, uuid: string | null = null): HistoryEntry => ({
  name,
  gatewayCursor: name.startsWith('record:') ? name.slice('record:'.length) : null,
  insertedMs,
  node: { inserted_at: new Date(insertedMs).toISOString(), transaction_uuid: uuid } as HistoryEntry['node'],
})
const ours = [row('withdrawal:1', 10), row('withdrawal:2', 7), row('withdrawal:3', 1)]
const query = (asked: Parameters<typeof readHistoryQuery>[1]) => readHistoryQuery('u', asked)

test('our rows stand among the gateway’s by time; paging continues from the records around them', () => {
  const edges = mergeRows([row('record:a', 9), row('record:b', 5)], ours, 'u')
  expect(edges.map(({ inserted_at }) => Date.parse(inserted_at))).toEqual([10, 9, 7, 5, 1])
  const cursors = edges.map(({ cursor }) => cursor)
  expect([cursors[1], cursors[3]]).toEqual(['a', 'b'])
  expect(cursors.map((after) => gatewayQuery(query({ after })))).toEqual([
    {},
    { after: 'a' },
    { after: 'a' },
    { after: 'b' },
    { after: 'b' },
  ])
  expect(cursors.slice(0, 4).map((before) => gatewayQuery(query({ before })))).toEqual([
    { before: 'a' },
    { before: 'a' },
    { before: 'b' },
    { before: 'b' },
  ])
  expect(() => gatewayQuery(query({ before: cursors[4] ?? '' }))).toThrow('Not valid: before.')
  expect(oursOnPage(ours, query({ after: cursors[2] ?? '' }), false)).toEqual([ours[2]])
  expect(oursOnPage(ours, query({ after: 'a' }), false)).toEqual([])
  expect(oursOnPage(ours, query({ before: cursors[2] ?? '' }), true)).toEqual([ours[0]])
})

const ROWS = [
  ...[row('record:a', 10), row('record:b', 9), row('withdrawal:x', 8), row('record:c', 7), row('record:d', 6)],
  row('withdrawal:y', 5, 'y'),
]
const at = (rows: readonly { readonly inserted_at: string }[]) => rows.map((one) => Date.parse(one.inserted_at))
const page = (asked: Parameters<typeof readHistoryQuery>[1]) => pageOf(ROWS, query(asked))

test('stored rows are paged in both directions by the gateway’s rules', () => {
  const first = page({ first: 3 })
  expect(at(first.edges)).toEqual([10, 9, 8])
  expect(first).toMatchObject({ page_info: { has_next_page: true, has_previous_page: false }, total_count: 6 })
  expect(first.page_info.end_cursor).toBe(first.edges[2]?.cursor)
  const second = page({ first: 2, after: first.page_info.end_cursor ?? '' })
  expect(at(second.edges)).toEqual([7, 6])
  expect(second.page_info).toMatchObject({ has_next_page: true, has_previous_page: true })
  expect(at(page({ last: 2, before: second.page_info.start_cursor ?? '' }).edges)).toEqual([9, 8])
  expect(at(page({ last: 2 }).edges)).toEqual([6, 5])
  expect(at(page({ first: 9, after: 'a', before: 'd' }).edges)).toEqual([9, 7])
  expect(pageOf([], query({ first: 5 }))).toMatchObject({ edges: [], total_count: 0 })
})

test('a cursor of the gateway follows a first page that had our rows without a transaction', () => {
  const second = page({ first: 2, after: 'a' })
  expect(at(second.edges)).toEqual([9, 7])
  expect(at(page({ first: 9, after: second.page_info.end_cursor ?? '' }).edges)).toEqual([6, 5])
  expect(oursOnPage(ours, query({ after: second.page_info.end_cursor ?? '' }), false)).toEqual([])
})

test('the place of a row that is gone is found by its time', () => {
  const [edge] = pageOf([row('withdrawal:gone', 8)], query({ first: 1 })).edges
  expect(at(page({ first: 2, after: edge?.cursor ?? '' }).edges)).toEqual([7, 6])
  expect(at(page({ last: 2, before: edge?.cursor ?? '' }).edges)).toEqual([10, 9])
})

test('a cursor that no stored record has, or several have, is a problem', () => {
  expect(() => page({ first: 2, after: 'gone' })).toThrow('cannot be reached')
  expect(() => pageOf([...ROWS, row('record:a', 4)], query({ first: 2, after: 'a' }))).toThrow('cannot be reached')
})
