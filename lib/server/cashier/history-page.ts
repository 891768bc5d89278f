import type { TransactionsPage } from '#lib/contract/cashier.ts'
import type { TransactionsQuery } from '#lib/contract/cashier-requests.ts'
import type { HistoryEntry } from './history-rows.ts'

/** The page of the list that is asked for, in the gateway's own terms. */
export type HistoryQuery = Pick<TransactionsQuery, 'first' | 'after' | 'last' | 'before'>

const edgeOf = ({ cursor, node }: HistoryEntry): TransactionsPage['edges'][number] => ({
  cursor,
  inserted_at: node.inserted_at,
  node,
})

/** The cursor of a row of ours ends with the gateway's cursor before it, so that paging continues from there. */
const LOCAL = /^(local:[^@]*)@(.*)$/s

/** The gateway's part of a cursor: for a row of ours, that of the record before it (none: the top of the list). */
export function gatewayCursor(cursor: string): string | null {
  const match = LOCAL.exec(cursor)
  return match ? match[2] || null : cursor
}

const nameOf = (cursor: string): string => LOCAL.exec(cursor)?.[1] ?? cursor

/** Merges our own rows into the gateway's by time; the gateway's stay in their order. */
export function mergeRows(listed: readonly HistoryEntry[], ours: readonly HistoryEntry[]): TransactionsPage['edges'] {
  const edges: TransactionsPage['edges'] = []
  let next = 0
  let lastCursor = ''
  const takeOurs = (untilMs: number): void => {
    for (let row = ours[next]; row !== undefined && row.insertedMs >= untilMs; row = ours[next]) {
      edges.push(edgeOf({ ...row, cursor: `${row.cursor}@${lastCursor}` }))
      next += 1
    }
  }
  for (const row of listed) {
    takeOurs(row.insertedMs)
    edges.push(edgeOf(row))
    lastCursor = row.cursor
  }
  takeOurs(Number.NEGATIVE_INFINITY)
  return edges
}

/** One page of rows that are all in memory, newest first, by the rules of the gateway's cursors. */
export function pageOf(rows: readonly HistoryEntry[], query: HistoryQuery): TransactionsPage {
  const at = (cursor: string): number => rows.findIndex((row) => nameOf(row.cursor) === nameOf(cursor))
  const afterAt = query.after === undefined ? -1 : at(query.after)
  const beforeAt = query.before === undefined ? rows.length : at(query.before)
  // An unknown cursor gives an empty page: better than rows from the wrong place.
  const lost = (query.after !== undefined && afterAt < 0) || beforeAt < 0
  const start = lost ? rows.length : afterAt + 1
  const window = rows.slice(start, Math.max(start, lost ? start : beforeAt))
  const kept =
    query.first !== undefined
      ? window.slice(0, query.first)
      : query.last !== undefined
        ? window.slice(-query.last)
        : window
  const from = query.first !== undefined ? start : start + window.length - kept.length
  return {
    edges: kept.map(edgeOf),
    page_info: {
      start_cursor: kept[0]?.cursor ?? null,
      end_cursor: kept.at(-1)?.cursor ?? null,
      has_next_page: from + kept.length < rows.length,
      has_previous_page: from > 0 && kept.length > 0,
    },
    total_count: rows.length,
  }
}
