/**
 * The scan of a user's list as a pure state machine; `scan-user-list.ts` asks the pages, and `scan-round.ts` stores the
 * state of a scan that takes more than one round.
 *
 * What a complete scan proves: each record that the list had when the first page was requested has been read.
 *
 * - The list is newest first, and new records come on top. Each page begins at the cursor of the page before, so a new
 *   record moves no other record out of a later page.
 * - The number of distinct records must equal `total_count` at the end. The store counts them by uuid over all rounds
 *   (`scanned_records`), so a record that comes twice cannot take the place of a missing one.
 * - If `total_count` grew meanwhile, the scan reads the top again until the numbers are equal: a record that came on top
 *   is then found there, and one that was inserted behind the cursor is not, so the scan is not complete.
 * - If `total_count` ever fell, a record was removed and another may hide it: the scan is not complete.
 * - Each page downwards must bring a new record, so a list whose cursors go round in a circle ends as broken.
 */
import type { TransactionsList, TransactionsListRequest } from '../gateway/types.ts'
import type { ListScan } from '../store/types.ts'

export type Edge = TransactionsList['edges'][number]

/** How the walk through the pages ended; null: it goes on. */
type Ended = 'end' | 'early' | 'broken' | 'unreadable' | null

export interface ScanState extends Omit<ListScan, 'user_reference_id' | 'purpose' | 'updated_ms'> {
  readonly ended: Ended
  /** If not 0, one of this many next records is unreadable. */
  readonly suspect: number
}

/**
 * - `complete`: the whole list was read;
 * - `recent`: every record since `since_ms` was read;
 * - `changed`: nothing seems to be missing, but the list changed in a way that proves nothing;
 * - `broken`: records may be missing in the range that was read;
 * - `unreadable`: a record could not be read even alone;
 * - `more`: further pages must be read.
 */
export type ScanVerdict = 'complete' | 'recent' | 'changed' | 'broken' | 'unreadable' | 'more'

/** Whether a part of the list is unreadable; null: such a scan does not show it. */
export const UNREADABLE: Readonly<Record<ScanVerdict, boolean | null>> = {
  complete: false,
  recent: false,
  changed: false,
  broken: null,
  unreadable: true,
  more: null,
}

/** A page, with the number of its records that this round has not seen before. */
export interface ReadPage {
  readonly list: TransactionsList
  readonly fresh: number
  /** It has a record of another user. */
  readonly foreign: boolean
}

/** Records per page; the gateway may return fewer. */
const PAGE = 100

/** How often the top is read again for the records that came meanwhile. */
const MOST_PASSES = 3

export interface ScanStart {
  readonly beganMs: number
  /** Null to read the whole list. */
  readonly sinceMs: number | null
  readonly beganDatabaseMs?: number | null
}

export const beginScan = ({ beganMs, sinceMs, beganDatabaseMs = null }: ScanStart): ScanState => ({
  began_ms: beganMs,
  began_database_ms: beganDatabaseMs,
  clock_offset_ms: null,
  since_ms: sinceMs,
  phase: 'down',
  cursor: null,
  rows_seen: 0,
  fewest_total: null,
  last_total: null,
  fell: 0,
  has_foreign: 0,
  wanted: 0,
  passes: 0,
  ended: null,
  suspect: 0,
})

const sizeOf = ({ suspect }: ScanState): number => (suspect === 0 ? PAGE : Math.max(1, Math.floor(suspect / 2)))

/** The request of the next page. */
export function nextRequest(state: ScanState): TransactionsListRequest {
  const { phase, cursor } = state
  if (phase === 'up') return { last: sizeOf(state), ...(cursor === null ? {} : { before: cursor }) }
  return { first: sizeOf(state), ...(cursor === null ? {} : { after: cursor }) }
}

const isOlder = (edge: Edge, sinceMs: number): boolean => Date.parse(edge.node.inserted_at) < sinceMs

type Step = (state: ScanState, page: ReadPage) => ScanState

const goOn = (state: ScanState, cursor: string | null | undefined, otherwise: Ended): ScanState =>
  cursor === null || cursor === undefined || cursor === state.cursor
    ? { ...state, ended: otherwise }
    : { ...state, cursor }

const STEPS: Readonly<Record<ScanState['phase'], Step>> = {
  down(state, { list: { edges, page_info }, fresh }) {
    const since = state.since_ms
    if (!page_info.has_next_page) return { ...state, ended: 'end' }
    if (since !== null && edges.length > 0 && edges.every((edge) => isOlder(edge, since)))
      return { ...state, ended: 'early' }
    if (fresh === 0) return { ...state, ended: 'broken' }
    return goOn(state, page_info.end_cursor ?? edges.at(-1)?.cursor, 'broken')
  },
  top(state, { list: { edges, page_info } }) {
    const wanted = state.wanted - edges.length
    if (wanted <= 0 || edges.length === 0 || !page_info.has_next_page) return { ...state, wanted: 0, ended: 'end' }
    return goOn({ ...state, wanted }, page_info.end_cursor ?? edges.at(-1)?.cursor, 'end')
  },
  up(state, { list: { edges, page_info }, fresh }) {
    // A record that was seen before: the walk down had come this far.
    if (fresh === 0 || fresh < edges.length || !page_info.has_previous_page) return { ...state, ended: 'unreadable' }
    return goOn(state, page_info.start_cursor ?? edges[0]?.cursor, 'unreadable')
  },
}

/**
 * Takes a page, or `unreadable` if it could not be read. An unreadable page is requested in halves, down to a single
 * unreadable record; the records behind it are then read from the other end.
 */
export function advanceScan(state: ScanState, page: ReadPage | 'unreadable'): ScanState {
  if (page === 'unreadable') {
    const size = sizeOf(state)
    if (size > 1) return { ...state, suspect: size }
    if (state.phase !== 'down') return { ...state, ended: 'unreadable' }
    return { ...state, phase: 'up', cursor: null, suspect: 0 }
  }
  const { total_count: total, edges } = page.list
  const counted: ScanState = {
    ...state,
    suspect: Math.max(0, state.suspect - edges.length),
    rows_seen: state.rows_seen + page.fresh,
    fell: state.last_total !== null && total < state.last_total ? 1 : state.fell,
    fewest_total: Math.min(total, state.fewest_total ?? total),
    last_total: total,
    has_foreign: page.foreign ? 1 : state.has_foreign,
    // Of `top` alone: records that came since are to be read, too.
    wanted: state.wanted + Math.max(0, total - (state.last_total ?? total)),
  }
  return STEPS[state.phase](counted, page)
}

export interface Judged {
  readonly state: ScanState
  readonly verdict: ScanVerdict
}

/** The walk has reached the end of the list; `rows_seen` is exact. */
function judgeEnd(state: ScanState): Judged {
  const { rows_seen: rows, fewest_total, last_total, passes } = state
  const last = last_total ?? 0
  if (rows < (fewest_total ?? 0) || state.has_foreign === 1) return { state, verdict: 'broken' }
  if (state.fell === 1 || rows > last) return { state, verdict: 'changed' }
  if (rows === last) return { state, verdict: 'complete' }
  if (passes >= MOST_PASSES) return { state, verdict: 'changed' }
  return {
    state: { ...state, phase: 'top', cursor: null, ended: null, wanted: last - rows, passes: passes + 1 },
    verdict: 'more',
  }
}

/**
 * Judges a scan after some pages.
 * @param before the state before these pages
 * @param rows the exact number of distinct records of the whole scan
 */
export function judgeScan(before: ScanState, after: ScanState, rows: number): Judged {
  const state: ScanState = { ...after, rows_seen: rows }
  if (state.ended === 'unreadable') return { state, verdict: 'unreadable' }
  if (state.ended === 'broken') return { state, verdict: 'broken' }
  if (state.ended === 'early') return { state, verdict: state.has_foreign === 1 ? 'broken' : 'recent' }
  if (state.ended === 'end') return judgeEnd(state)
  // An earlier round had seen some of these records.
  const repeated = rows < after.rows_seen
  if (state.phase === 'up' && repeated) return { state, verdict: 'unreadable' }
  if (state.phase === 'down' && repeated && rows <= before.rows_seen) return { state, verdict: 'broken' }
  return { state, verdict: 'more' }
}
