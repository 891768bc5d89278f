import { expect, test } from 'vitest'
import { gatewayCursor, mergeRows, pageOf } from './history-page.ts'
import type { HistoryEntry } from './history-rows.ts'

const row = (cursor: string, insertedMs: number): HistoryEntry => ({
  cursor,
  insertedMs,
  node: { inserted_at: new Date(insertedMs).toISOString() } as HistoryEntry['node'],
})

test('rows of ours stand between the gateway’s by time; paging goes on from the record before them', () => {
  const edges = mergeRows([row('a', 9), row('b', 5)], [row('local:1', 10), row('local:2', 7), row('local:3', 1)])
  expect(edges.map(({ cursor }) => cursor)).toEqual(['local:1@', 'a', 'local:2@a', 'b', 'local:3@b'])
  expect(edges.map(({ cursor }) => gatewayCursor(cursor))).toEqual([null, 'a', 'a', 'b', 'b'])
})

const ROWS = ['a', 'b', 'local:x', 'c', 'd'].map((cursor, index) => row(cursor, 10 - index))
const cursors = (query: Parameters<typeof pageOf>[1]) => pageOf(ROWS, query).edges.map(({ cursor }) => cursor)

test('stored rows page in both directions by the gateway’s rules', () => {
  expect(cursors({ first: 2 })).toEqual(['a', 'b'])
  expect(cursors({ first: 2, after: 'b' })).toEqual(['local:x', 'c'])
  expect(cursors({ first: 2, after: 'local:x@b' })).toEqual(['c', 'd'])
  expect(cursors({ last: 2 })).toEqual(['c', 'd'])
  expect(cursors({ last: 2, before: 'c' })).toEqual(['b', 'local:x'])
  expect(cursors({ first: 9, after: 'a', before: 'd' })).toEqual(['b', 'local:x', 'c'])
  expect(cursors({ first: 9, after: 'gone' })).toEqual([])
  expect(pageOf(ROWS, { first: 2, after: 'b' })).toMatchObject({
    page_info: { start_cursor: 'local:x', end_cursor: 'c', has_next_page: true, has_previous_page: true },
    total_count: 5,
  })
  expect(pageOf(ROWS, { last: 2, before: 'c' }).page_info).toMatchObject({
    has_next_page: true,
    has_previous_page: true,
  })
  expect(pageOf([], { first: 5 })).toMatchObject({ edges: [], total_count: 0 })
})
