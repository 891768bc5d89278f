import { isGatewayError } from '../gateway/errors.ts'
import type { Gateway } from '../gateway/types.ts'
import { foreignNames, spelledOtherwise } from '../ledger/record-owner.ts'
import {
  advanceScan,
  beginScan,
  judgeScan,
  nextRequest,
  type Edge,
  type ScanState,
  type ScanVerdict,
} from './scan-state.ts'

export type { Edge } from './scan-state.ts'

export type ReadLists = Pick<Gateway, 'listUserTransactions'>

/** Which of these users are known. */
export type KnownUsers = (names: readonly string[]) => Promise<ReadonlySet<string>>

/** The records of a scan of a user's list. `complete`: every page was read, with as many records as `total_count`. */
export interface Scan {
  readonly edges: readonly Edge[]
  readonly complete: boolean
  /**
   * True if records may be missing in the scanned range: the list broke off, had fewer records than it counted, or had
   * records of another user, which may replace the user's own.
   */
  readonly broken: boolean
  /** The failure of a part that could not be read even as the smallest page; null if there was none. */
  readonly unreadable: unknown
}

export interface ScanOptions {
  /** Stop after a page whose records are all older; the scan is then incomplete. */
  readonly sinceMs?: number
  /** By default nobody is asked: a user in another case is then another user. */
  readonly knownUsers?: KnownUsers
  readonly mostPages?: number
}

/** The limit of pages of a scan that is not continued. */
const MOST_PAGES = 1000

/** The records of some pages, newest first. A record that comes again replaces its earlier state. */
export class ScannedRecords {
  readonly #rows = new Map<string, Edge>()
  /** The uuids by where they were found: at the top, on the way down, and behind an unreadable record. */
  readonly #places: Record<ScanState['phase'], string[]> = { top: [], down: [], up: [] }

  /** Adds a page; returns the number of records that are new. */
  add(edges: readonly Edge[], phase: ScanState['phase']): number {
    const fresh: string[] = []
    for (const edge of edges) {
      const uuid = edge.node.transaction_uuid
      if (!this.#rows.has(uuid)) fresh.push(uuid)
      this.#rows.set(uuid, edge)
    }
    if (phase === 'up') this.#places.up.unshift(...fresh)
    else this.#places[phase].push(...fresh)
    return fresh.length
  }

  get uuids(): readonly string[] {
    return [...this.#rows.keys()]
  }

  get edges(): readonly Edge[] {
    const { top, down, up } = this.#places
    return [...top, ...down, ...up].flatMap((uuid) => this.#rows.get(uuid) ?? [])
  }
}

export interface PagesOptions {
  /** The most calls. */
  readonly most: number
  readonly records: ScannedRecords
  readonly knownUsers: KnownUsers
}

export interface PagesRead {
  readonly state: ScanState
  readonly calls: number
  /** Why a part is unreadable; null if nothing is. */
  readonly unreadable: unknown
  /** Why the next page could not be requested; null if nothing failed. */
  readonly failure: Error | null
}

/** Whether a page of this user's list has a record of another user. */
async function hasForeign(user: string, edges: readonly Edge[], knownUsers: KnownUsers): Promise<boolean> {
  const names = edges.map(({ node }) => node.user_ref_id)
  const asked = spelledOtherwise(user, names)
  const known = asked.length === 0 ? new Set<string>() : await knownUsers(asked)
  return foreignNames(user, names, known).size > 0
}

const isUnreadable = (error: unknown): boolean => isGatewayError(error) && error.kind === 'unreadable'

const asError = (error: unknown): Error =>
  error instanceof Error ? error : new Error('reading the list failed', { cause: error })

/** Reads pages until the walk ends, a call fails, or `most` calls were made. */
export async function readPages(
  gateway: ReadLists,
  user: string,
  from: ScanState,
  { most, records, knownUsers }: PagesOptions,
): Promise<PagesRead> {
  let state = from
  let unreadable: unknown = null
  let calls = 0
  for (; calls < most && state.ended === null; calls += 1) {
    const reply = await gateway.listUserTransactions(user, nextRequest(state)).catch((error: unknown) => ({ error }))
    if (!('error' in reply)) {
      const foreign = await hasForeign(user, reply.edges, knownUsers)
      const fresh = records.add(reply.edges, state.phase)
      state = advanceScan(state, { list: reply, fresh, foreign })
    } else if (isUnreadable(reply.error)) {
      unreadable = reply.error
      state = advanceScan(state, 'unreadable')
    } else return { state, calls, unreadable, failure: asError(reply.error) }
  }
  return { state, calls, unreadable, failure: null }
}

/** Without a store: every name may be a user. */
const EVERYBODY: KnownUsers = (names) => Promise.resolve(new Set(names))

/**
 * Reads a user's list page by page, newest first, and keeps nothing: `scan-round.ts` has the scan that continues over
 * rounds.
 * @throws gateway errors
 */
export async function scanList(
  gateway: ReadLists,
  user: string,
  { sinceMs, knownUsers = EVERYBODY, mostPages = MOST_PAGES }: ScanOptions = {},
): Promise<Scan> {
  const records = new ScannedRecords()
  let state = beginScan({ beganMs: 0, sinceMs: sinceMs ?? null })
  let verdict: ScanVerdict = 'more'
  let unreadable: unknown = null
  for (let left = mostPages; left > 0 && verdict === 'more';) {
    const pages = await readPages(gateway, user, state, { most: left, records, knownUsers })
    if (pages.failure !== null) throw pages.failure
    left -= pages.calls
    unreadable = pages.unreadable ?? unreadable
    ;({ state, verdict } = judgeScan(state, pages.state, records.uuids.length))
  }
  return {
    edges: records.edges,
    complete: verdict === 'complete',
    broken: verdict === 'broken' || verdict === 'unreadable' || verdict === 'more',
    unreadable: verdict === 'unreadable' ? unreadable : null,
  }
}
