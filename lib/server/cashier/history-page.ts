import type { TransactionsPage } from '#lib/contract/cashier.ts'
import type { TransactionsQuery } from '#lib/contract/cashier-requests.ts'
import { Problem } from '#lib/contract/problems.ts'
import { badCursor, placeCursor, readCursorOf, type HistoryCursor, type HistoryPlace } from './history-cursor.ts'
import type { HistoryEntry } from './history-rows.ts'

/** The size of a page, and its cursors after parsing. */
export interface HistoryQuery extends Pick<TransactionsQuery, 'first' | 'last'> {
  readonly user: string
  readonly after?: HistoryCursor
  readonly before?: HistoryCursor
}

/** Reads the cursors of a query. @throws Problem `invalid_request` */
export function readHistoryQuery(
  user: string,
  { first, last, after, before }: Pick<TransactionsQuery, 'first' | 'last' | 'after' | 'before'>,
): HistoryQuery {
  return {
    user,
    ...(first === undefined ? {} : { first }),
    ...(last === undefined ? {} : { last }),
    ...(after === undefined ? {} : { after: readCursorOf(user, 'after', after) }),
    ...(before === undefined ? {} : { before: readCursorOf(user, 'before', before) }),
  }
}

/** The same query for the gateway. @throws Problem `invalid_request` if the gateway's list has no such place */
export function gatewayQuery({ first, last, after, before }: HistoryQuery) {
  const from = typeof after === 'object' ? after.after : after
  const until = typeof before === 'object' ? before.before : before
  if (until === null) throw badCursor('before', 'is no longer valid: begin with the first page')
  return {
    ...(first === undefined ? {} : { first }),
    ...(last === undefined ? {} : { last }),
    ...(from == null ? {} : { after: from }),
    ...(until === undefined ? {} : { before: until }),
  }
}

const edgeOf = ({ node }: HistoryEntry, cursor: string): TransactionsPage['edges'][number] => ({
  cursor,
  inserted_at: node.inserted_at,
  node,
})

/**
 * The places of rows, in order, each with the nearest cursors of the gateway; a row of the list has its own on both
 * sides.
 */
function placesOf(rows: readonly HistoryEntry[], user: string, oursShown: boolean): readonly HistoryPlace[] {
  const places: HistoryPlace[] = []
  let after: string | null = null
  for (const { name, insertedMs, gatewayCursor } of rows) {
    after = gatewayCursor ?? after
    places.push({ user, name, insertedMs, after, before: gatewayCursor, oursShown })
  }
  let before: string | null = null
  return places
    .toReversed()
    .map((place) => {
      before = place.before ?? before
      return { ...place, before }
    })
    .reverse()
}

/** Merges our own rows into the gateway's by time. The gateway's rows keep their order and their cursors. */
export function mergeRows(
  listed: readonly HistoryEntry[],
  ours: readonly HistoryEntry[],
  user: string,
): TransactionsPage['edges'] {
  const rows: HistoryEntry[] = []
  let next = 0
  const takeOurs = (untilMs: number): void => {
    for (let row = ours[next]; row !== undefined && row.insertedMs >= untilMs; row = ours[next]) {
      rows.push(row)
      next += 1
    }
  }
  for (const row of listed) {
    takeOurs(row.insertedMs)
    rows.push(row)
  }
  takeOurs(Number.NEGATIVE_INFINITY)
  return placesOf(rows, user, false).flatMap((place, index) => {
    const row = rows[index]
    return row === undefined ? [] : [edgeOf(row, row.gatewayCursor ?? placeCursor(place))]
  })
}

/**
 * Our own rows that a page of the gateway's list must show: rows between the page's cursors that no other page shows.
 */
export function oursOnPage(
  ours: readonly HistoryEntry[],
  { after, before }: HistoryQuery,
  isFirstPage: boolean,
): readonly HistoryEntry[] {
  if (typeof after === 'object') return after.oursShown ? [] : ours.slice(startAfter(ours, after))
  if (!isFirstPage) return []
  return typeof before === 'object' ? ours.slice(0, endBefore(ours, before)) : ours
}

/** Finds the place by the row's name, else by its time: the row may have become a record of the gateway's list. */
function startAfter(rows: readonly HistoryEntry[], { name, insertedMs }: HistoryPlace): number {
  const at = rows.findIndex((row) => row.name === name)
  if (at >= 0) return at + 1
  // A row of ours follows a record of the same time.
  const isRecord = name.startsWith('record:')
  const older = rows.findIndex((row) => row.insertedMs < insertedMs || (isRecord && row.insertedMs === insertedMs))
  return older < 0 ? rows.length : older
}

function endBefore(rows: readonly HistoryEntry[], { name, insertedMs }: HistoryPlace): number {
  const at = rows.findIndex((row) => row.name === name)
  if (at >= 0) return at
  const notNewer = rows.findIndex((row) => row.insertedMs <= insertedMs)
  return notNewer < 0 ? rows.length : notNewer
}

/**
 * The index of the stored record with the gateway's cursor. If no record has it, or several have (cursors of some
 * gateways move), only the gateway knows what comes next: an empty page would claim that nothing does.
 */
function storedAt(rows: readonly HistoryEntry[], cursor: string): number {
  const found = rows.flatMap(({ gatewayCursor }, index) => (gatewayCursor === cursor ? [index] : []))
  const [at] = found
  if (at === undefined || found.length > 1)
    throw new Problem(
      'gateway_unavailable',
      'The payment gateway cannot be reached, and this page is not stored. Try again shortly.',
      { retryAfterS: 5 },
    )
  return at
}

/** Every first page of the gateway's list shows these rows; later pages do not repeat them. */
const isOnEveryFirstPage = ({ name, node }: HistoryEntry): boolean =>
  name.startsWith('onramp:') || (name.startsWith('withdrawal:') && node.transaction_uuid === null)

/**
 * One page of rows that are all in memory, newest first, by the rules of the gateway's cursors.
 * @throws Problem `gateway_unavailable` if a cursor of the gateway is not stored
 */
export function pageOf(all: readonly HistoryEntry[], query: HistoryQuery): TransactionsPage {
  const { user, first, last, after, before } = query
  const oursShown = after !== undefined && (typeof after === 'string' || after.oursShown)
  const rows = oursShown ? all.filter((row) => !isOnEveryFirstPage(row)) : all
  const start =
    after === undefined ? 0 : typeof after === 'string' ? storedAt(rows, after) + 1 : startAfter(rows, after)
  const end =
    before === undefined ? rows.length : typeof before === 'string' ? storedAt(rows, before) : endBefore(rows, before)
  const window = rows.slice(start, Math.max(start, end))
  const from = first !== undefined || last === undefined ? start : start + Math.max(0, window.length - last)
  const kept = first !== undefined ? window.slice(0, first) : last !== undefined ? window.slice(-last) : window
  const cursors = placesOf(rows, user, oursShown)
    .slice(from, from + kept.length)
    .map(placeCursor)
  return {
    edges: kept.map((row, index) => edgeOf(row, cursors[index] ?? '')),
    page_info: {
      start_cursor: cursors[0] ?? null,
      end_cursor: cursors.at(-1) ?? null,
      has_next_page: from + kept.length < rows.length,
      has_previous_page: from > 0 && kept.length > 0,
    },
    total_count: all.length,
  }
}
