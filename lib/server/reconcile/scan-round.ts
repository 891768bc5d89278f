import { isTransient } from '../gateway/classify-failure.ts'
import { isGatewayError } from '../gateway/errors.ts'
import { longAgo } from '../ledger/long-ago.ts'
import type { ListScan, Store } from '../store/types.ts'
import { OVERLAP_MS } from './reads-from.ts'
import { beginScan, judgeScan, type Edge, type Judged, type ScanState, type ScanVerdict } from './scan-state.ts'
import { readPages, ScannedRecords, scanList, type ReadLists } from './scan-user-list.ts'

export interface RoundOptions {
  readonly store: Pick<Store, 'listScans' | 'records' | 'reconciliation' | 'users' | 'transaction'>
  readonly read: ReadLists
  readonly clock: () => number
  readonly clockOffsetMs: () => number | null
  /** Applies records, newest first, before the scan's place is stored: a crash between the two reads them again. */
  readonly apply: (edges: readonly Edge[]) => Promise<unknown>
  /** The most pages of one round. */
  readonly mostPages?: number
}

export interface WantedScan {
  /** A job continues only the scans of its own purpose; `absence` takes the place of another. */
  readonly purpose: ListScan['purpose']
  /** By the gateway's clock; null to read the whole list. A scan that is under way keeps its own. */
  readonly sinceMs: number | null
  /** Whether to look for stored records that the list no longer has. */
  readonly findMissing?: boolean
}

export interface ScanRound {
  readonly verdict: ScanVerdict
  /** The records of this round, newest first. They are applied. */
  readonly edges: readonly Edge[]
  /** When the scan's first page was requested, perhaps in an earlier round, and the gateway's clock minus that clock. */
  readonly began_ms: number
  readonly clock_offset_ms: number | null
  /** The same by the database's time, if that instance did not know the gateway's time. */
  readonly began_database_ms: number | null
  /** When the database was last restored before the scan began. */
  readonly restored_ms: number | null
  /** Some record named another user. */
  readonly foreign: boolean
  /** The failure of a part that could not be read even as the smallest page; null if there was none. */
  readonly unreadable: unknown
  /** When the read of the whole list began that has ended now; null if it goes on, or read a part of the list. */
  readonly wholeMs: number | null
  /** Whether it was a complete read of the whole list; null if it read a part of the list. */
  readonly isComplete: boolean | null
  /** After a complete scan with `findMissing`: the uuids of stored records that the list no longer has. */
  readonly missing: readonly string[]
  /** The list lacks further records, which were stored shortly before. Only of a scan for an absence. */
  readonly lacksRecent: boolean
}

/** Pages of one round: with 20 records a page, a list of 4,000 records is one round. */
const ROUND_PAGES = 200

/** Records that were stored shortly before the scan are not missed: another instance's clock may be behind. */
const STORED_BEFORE_MS = 600_000

/** Withdrawals are checked every few seconds: after this time none waits for the scan any more. */
const ABSENCE_WAITS_MS = 600_000

const isAbandoned = ({ purpose, updated_ms }: ListScan, nowMs: number): boolean =>
  purpose === 'absence' && nowMs - updated_ms > ABSENCE_WAITS_MS

const resumed = ({ user_reference_id: _user, purpose: _purpose, updated_ms: _at, ...state }: ListScan): ScanState => ({
  ...state,
  ended: null,
  suspect: 0,
})

interface Lacking {
  readonly missing: readonly string[]
  readonly lacksRecent: boolean
}

const NOTHING: Lacking = { missing: [], lacksRecent: false }

type Settled = Judged & Lacking

/**
 * One round of a scan of a user's list: continues the stored scan, or begins one, and reads at most `mostPages` pages.
 * What is left is stored, and read by the user's next round on any instance. A list that fits into one round is never
 * stored.
 * @throws gateway errors, after it has kept what was read before
 */
export async function scanRound(options: RoundOptions, user: string, wanted: WantedScan): Promise<ScanRound> {
  const { store, read, clock, clockOffsetMs, apply, mostPages = ROUND_PAGES } = options
  const { purpose, findMissing = false } = wanted
  const knownUsers = (names: readonly string[]) => store.users.knownAmong(names)
  // A restore deletes the stored scans, so this is also the time for a scan that goes on.
  const restoredMs = await store.reconciliation.restoredMs()
  const stored = await store.listScans.find(user)
  const current = stored === null || isAbandoned(stored, clock()) ? null : stored
  const continued = current?.purpose === purpose ? current : null
  const mayKeep = current === null || continued !== null || purpose === 'absence'
  const records = new ScannedRecords()

  /** The stored records that neither this scan's earlier rounds nor this one has read. */
  const lackingOf = async (
    from: Pick<Store, 'records'>,
    { state, verdict }: Judged,
    scan: 'stored' | 'of one round',
  ): Promise<Lacking> => {
    if (!findMissing || verdict !== 'complete') return NOTHING
    const now = new Set(records.uuids)
    const storedBefore = async (ms: number): Promise<readonly string[]> =>
      (await from.records.missingSince(user, longAgo(state.began_ms, ms), scan)).filter((uuid) => !now.has(uuid))
    const missing = await storedBefore(state.began_ms - STORED_BEFORE_MS)
    // Whatever their time: what was stored a moment ago is in a list that proves an absence.
    const all = purpose === 'absence' ? await storedBefore(Number.MAX_SAFE_INTEGER) : missing
    return { missing, lacksRecent: all.length > missing.length }
  }

  /** Judges the scan by all its rounds, and keeps it if more must be read. */
  const settleStored = (before: ScanState, after: ScanState, isNew: boolean): Promise<Settled> =>
    store.transaction(async (tx) => {
      // The user may have been erased while the list was read.
      if (!(await tx.load({ users: [user] })).hasUser(user)) return { state: after, verdict: 'broken', ...NOTHING }
      // What the earlier pages told may be lost.
      if ((await tx.reconciliation.restoredMs()) !== restoredMs) return { state: after, verdict: 'broken', ...NOTHING }
      if (isNew) await tx.listScans.remove(user)
      const judged = judgeScan(before, after, await tx.listScans.addRecords(user, records.uuids))
      if (judged.verdict === 'more') {
        const { ended: _ended, suspect: _suspect, ...kept } = judged.state
        await tx.listScans.put({ ...kept, user_reference_id: user, purpose, updated_ms: clock() })
        return { ...judged, ...NOTHING }
      }
      const lacking = await lackingOf(tx, judged, 'stored')
      await tx.listScans.remove(user)
      return { ...judged, ...lacking }
    })

  /** Judges a scan that no earlier round has begun. */
  const settleFirst = async (before: ScanState, after: ScanState): Promise<Settled> => {
    const judged = judgeScan(before, after, records.uuids.length)
    return { ...judged, ...(await lackingOf(store, judged, 'of one round')) }
  }

  // A scan that goes on reads old records: what is newer than its last round is read first.
  if (continued?.purpose === 'compare') {
    const sinceMs = continued.updated_ms + (clockOffsetMs() ?? 0) - OVERLAP_MS
    await apply((await scanList(read, user, { sinceMs, knownUsers, mostPages })).edges)
  }

  const begin = async (): Promise<ScanState> => {
    const isTimed = purpose === 'compare' || clockOffsetMs() !== null
    const beganDatabaseMs = isTimed ? null : await store.reconciliation.nowMs()
    const state = beginScan({ beganMs: clock(), sinceMs: wanted.sinceMs, beganDatabaseMs })
    // Of the same moment: our clock may be set meanwhile.
    return { ...state, clock_offset_ms: clockOffsetMs() }
  }

  let settled: Settled = {
    state: continued === null ? await begin() : resumed(continued),
    verdict: 'more',
    ...NOTHING,
  }
  let unreadable: unknown = null
  let isStored = continued !== null
  for (let left = mostPages; left > 0 && settled.verdict === 'more';) {
    const before = settled.state
    const pages = await readPages(read, user, before, { most: left, records, knownUsers })
    left -= pages.calls
    unreadable = pages.unreadable ?? unreadable
    // Another instance may have begun it, by another clock.
    const ownOffset = continued === null ? clockOffsetMs() : null
    const after = { ...pages.state, clock_offset_ms: before.clock_offset_ms ?? ownOffset }
    if (pages.failure !== null && pages.calls === 0) {
      // The gateway may no longer know the cursor: the next round begins again.
      const lasting = isGatewayError(pages.failure) && !isTransient(pages.failure)
      if (isStored && lasting && pages.failure.kind !== 'rate_limited') await store.listScans.remove(user)
      throw pages.failure
    }
    await apply(records.edges)
    const mustKeep = pages.failure !== null || left <= 0
    if (isStored || (mustKeep && mayKeep)) {
      settled = await settleStored(before, after, !isStored)
      isStored = true
    } else settled = await settleFirst(before, after)
    if (pages.failure !== null) throw pages.failure
  }
  const { state, verdict, missing, lacksRecent } = settled
  const ended = verdict !== 'more'
  return {
    verdict,
    edges: records.edges,
    began_ms: state.began_ms,
    clock_offset_ms: state.clock_offset_ms,
    began_database_ms: state.began_database_ms,
    restored_ms: restoredMs,
    foreign: state.has_foreign === 1,
    unreadable: verdict === 'unreadable' ? (unreadable ?? new Error('an earlier round could not read a record')) : null,
    wholeMs: verdict === 'complete' || (ended && state.since_ms === null) ? state.began_ms : null,
    isComplete: verdict === 'complete' || state.since_ms === null ? verdict === 'complete' : null,
    missing,
    lacksRecent,
  }
}
