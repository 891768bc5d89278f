import { setTimeout as sleep } from 'node:timers/promises'
import type { TransactionNode, TransactionsPage } from '#lib/contract/cashier.ts'
import type { HistoryFileQuery, TransactionsQuery } from '#lib/contract/cashier-requests.ts'
import { Problem } from '#lib/contract/problems.ts'
import { parseStoredRecord } from '../gateway/schemas.ts'
import type { StatusReader } from '../gateway/status-words.ts'
import type { TransactionRecord } from '../gateway/types.ts'
import { hashKey } from '../ledger/facts.ts'
import type { CashierSession, ExportedRecord, OwnOnramp, RecordPlace, Store } from '../store/types.ts'
import { recordNode, type HistoryEntry, type LocalMatch } from './history-rows.ts'
import { localMatchOf, unlistedRows } from './local-history.ts'
import { inWindow, timeWindow, type TimeWindow } from './time-window.ts'

export interface HistoryFileOptions {
  readonly store: Pick<Store, 'exports' | 'history' | 'users'>
  readonly statuses: StatusReader
  /** The list, which stores what the gateway shows. */
  readonly listTransactions: (session: CashierSession, query: TransactionsQuery) => Promise<TransactionsPage>
  readonly clock: () => number
}

/** Rows of one step; each holds up the other calls of the process for a few milliseconds. */
const STEP_ROWS = 200
/** Files of one user that one process sends at once. */
const MOST_AT_ONCE = 2
/** The gateway's largest page. */
const GATEWAY_ROWS = 100
/** How long the first read of a user's whole list may hold up the file. */
const READ_WHOLE_MS = 20_000

type Nodes = readonly TransactionNode[]

/**
 * `GET /api/cashier/history.csv`: all rows that pass the filters, newest first, in steps. They come from the store,
 * which first gets what the gateway's list has and it lacks; while the gateway is away, it is what is stored. Rejects
 * with `gateway_unavailable` while the user's list is so long that its first read is not over, and with `rate_limited`
 * while two files of the user are being sent.
 */
export function createHistoryFile(options: HistoryFileOptions) {
  const running = new Map<string, number>()
  const count = (user: string, change: 1 | -1): void => {
    const now = (running.get(user) ?? 0) + change
    if (now === 0) running.delete(user)
    else running.set(user, now)
  }
  async function* counted(user: string, steps: AsyncIterable<Nodes>): AsyncIterable<Nodes> {
    try {
      yield* steps
    } finally {
      count(user, -1)
    }
  }
  return async (session: CashierSession, query: Omit<HistoryFileQuery, 'locale'>): Promise<AsyncIterable<Nodes>> => {
    const user = session.user_reference_id
    if ((running.get(user) ?? 0) >= MOST_AT_ONCE)
      throw new Problem('rate_limited', 'Another file of this user is still being sent.', { retryAfterS: 10 })
    count(user, 1)
    try {
      await readNews(options, session)
    } catch (error) {
      count(user, -1)
      throw error
    }
    return counted(user, nodesOf(options, user, query))
  }
}

async function readNews(
  { store, listTransactions, clock }: HistoryFileOptions,
  session: CashierSession,
): Promise<void> {
  const endMs = clock() + READ_WHOLE_MS
  // Once the whole list was read, webhooks and reconciliation follow it; what is newer than their last step is on its
  // first page.
  const isWhole = await store.users.isWhole(session.user_reference_id)
  let page = await listTransactions(session, { first: GATEWAY_ROWS })
  while (!isWhole && page.stale !== true && page.page_info.has_next_page && page.page_info.end_cursor !== null) {
    if (clock() > endMs)
      throw new Problem('gateway_unavailable', 'The whole list is still being read. Try again in a minute.', {
        retryAfterS: 60,
      })
    page = await listTransactions(session, { first: GATEWAY_ROWS, after: page.page_info.end_cursor })
  }
}

/** Merges two lists of steps, each newest first. */
async function* nodesOf(
  options: HistoryFileOptions,
  user: string,
  { time_range, transaction_types: types }: Omit<HistoryFileQuery, 'locale'>,
): AsyncIterable<Nodes> {
  const window = time_range === undefined ? null : timeWindow(time_range, options.clock())
  const records = listedRows(options, user, window)
  const own = ownRows(options, user, window)
  let listed = await nextStep(records)
  let unlisted = await nextStep(own)
  while (listed.length > 0 || unlisted.length > 0) {
    const oldestMs = Math.max(listed.at(-1)?.insertedMs ?? -1, unlisted.at(-1)?.insertedMs ?? -1)
    const isDue = ({ insertedMs }: HistoryEntry): boolean => insertedMs >= oldestMs
    const due = [...unlisted.filter(isDue), ...listed.filter(isDue)].sort((a, b) => b.insertedMs - a.insertedMs)
    const shown = due.filter(
      (row) => inWindow(window, row.insertedMs) && (types === undefined || types.includes(row.node.type)),
    )
    if (shown.length > 0) yield shown.map(({ node }) => node)
    listed = listed.filter((row) => !isDue(row))
    unlisted = unlisted.filter((row) => !isDue(row))
    if (listed.length === 0) listed = await nextStep(records)
    if (unlisted.length === 0) unlisted = await nextStep(own)
    await sleep(0)
  }
}

type Steps = AsyncIterator<readonly HistoryEntry[]>

/** Empty at the end. */
async function nextStep(steps: Steps): Promise<readonly HistoryEntry[]> {
  for (;;) {
    const step = await steps.next()
    if (step.done === true) return []
    if (step.value.length > 0) return step.value
  }
}

/** Rows of the gateway's list, as stored. */
async function* listedRows({ store, statuses }: HistoryFileOptions, user: string, window: TimeWindow | null): Steps {
  let before: RecordPlace | null =
    window?.untilMs === undefined ? null : { inserted_ms: window.untilMs, transaction_uuid: '' }
  for (;;) {
    const found: readonly ExportedRecord[] = await store.exports.recordsBefore(
      user,
      { fromMs: window?.fromMs ?? Number.MIN_SAFE_INTEGER, before },
      STEP_ROWS,
    )
    const rows = found.map((row) => ({ row, record: parseStoredRecord(row.record) }))
    const onramps = await onrampsOf(
      store,
      user,
      rows.map(({ record }) => record),
    )
    yield rows.map(({ row, record }): HistoryEntry => ({
      name: row.transaction_uuid,
      gatewayCursor: null,
      insertedMs: row.inserted_ms,
      node: recordNode(record, matchOf(row, record, onramps), statuses),
    }))
    const last = found.at(-1)
    if (last === undefined || found.length < STEP_ROWS) return
    before = last
  }
}

/** The user's purchases of which these records may be the deposits. */
async function onrampsOf(
  store: HistoryFileOptions['store'],
  user: string,
  records: readonly TransactionRecord[],
): Promise<readonly OwnOnramp[]> {
  const deposits = records.filter(({ type }) => type.toLowerCase() !== 'payout')
  if (deposits.length === 0) return []
  const found = await store.exports.onrampsOf(user, {
    uuids: deposits.map(({ transaction_uuid }) => transaction_uuid),
    correlationKeys: deposits.flatMap(({ correlation_key: key }) => (key === null || key === '' ? [] : [key])),
    hashKeys: deposits.flatMap(({ tx_hash, currency: { network } }) => hashKey({ tx_hash, network }) ?? []),
  })
  return found.map((one) => ({ ...one, currency: null, listed: true }))
}

function matchOf(row: ExportedRecord, record: TransactionRecord, onramps: readonly OwnOnramp[]): LocalMatch {
  const { withdrawal_id: id, withdrawal_status: status, user_message } = row
  return {
    ...localMatchOf(record, { withdrawals: [], onramps, statusOf: (kind) => row[kind] ?? undefined }),
    ...(id !== null && status !== null && { withdrawal: { id, status, user_message } }),
  }
}

/** Our own rows that the list does not have. */
async function* ownRows({ store, clock }: HistoryFileOptions, user: string, window: TimeWindow | null): Steps {
  let untilMs = window?.untilMs ?? Number.MAX_SAFE_INTEGER
  for (;;) {
    const own = await store.history.ownRows(user, window?.fromMs ?? 0, untilMs)
    const { cutMs } = own
    const rows = unlistedRows(own, [], user, clock(), null)
    if (cutMs === null) {
      yield rows
      return
    }
    // The rows of the cut itself may not be whole yet, unless there is nothing after them.
    const isStuck = untilMs === cutMs + 1
    yield rows.filter(({ insertedMs }) => isStuck || insertedMs > cutMs)
    untilMs = isStuck ? cutMs : cutMs + 1
  }
}
