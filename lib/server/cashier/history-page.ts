import type { TransactionsPage } from '#lib/contract/cashier.ts'
import type { HistoryRow } from './history-rows.ts'

/** What the page asks for; the gateway's own words. */
export interface HistoryQuery {
  readonly first?: number
  readonly after?: string
  readonly last?: number
  readonly before?: string
}

const edgeOf = ({ cursor, node }: HistoryRow): TransactionsPage['edges'][number] => ({
  cursor,
  inserted_at: node.inserted_at,
  node,
})

/** Where a row of ours stands, the gateway's cursor before it is kept in its own: paging goes on from there. */
const LOCAL = /^(local:[^@]*)@(.*)$/s

/** The gateway's part of a cursor: of a row of ours, that of the record before it (none: the top of the list). */
export function gatewayCursor(cursor: string): string | null {
  const match = LOCAL.exec(cursor)
  return match ? match[2] || null : cursor
}

const nameOf = (cursor: string): string => LOCAL.exec(cursor)?.[1] ?? cursor

/** Lays rows of ours between the gateway's, by time; the gateway's keep their order. */
export function mergeRows(listed: readonly HistoryRow[], ours: readonly HistoryRow[]): TransactionsPage['edges'] {
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

/** One page of rows that are all here, newest first, by the rules of the gateway's cursors. */
export function pageOf(rows: readonly HistoryRow[], query: HistoryQuery): TransactionsPage {
  const at = (cursor: string): number => rows.findIndex((row) => nameOf(row.cursor) === nameOf(cursor))
  const afterAt = query.after === undefined ? -1 : at(query.after)
  const beforeAt = query.before === undefined ? rows.length : at(query.before)
  // A cursor that is not known leaves nothing to show: better than rows from the wrong place.
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
