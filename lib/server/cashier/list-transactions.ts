import type { LedgerMode } from '../ledger/accounts.ts'
import type { RecordRow } from '../ledger/rows.ts'
import type { ListedRecord } from '../ledger/facts.ts'
import type { TransactionsPage } from '#lib/contract/cashier.ts'
import type { TransactionsQuery } from '#lib/contract/cashier-requests.ts'
import type { ListCircuits } from '../gateway/circuit.ts'
import { isGatewayError } from '../gateway/errors.ts'
import { agrees, compareCurrencies, compareTexts } from '../ledger/compare.ts'
import { listedRecords } from '../gateway/listed-records.ts'
import type { Gateway, TransactionRecord, TransactionsToShow } from '../gateway/types.ts'
import { parseStoredRecord } from '../gateway/schemas.ts'
import type { CashierSession, OwnRows, Store, TransactionRow } from '../store/types.ts'
import { gatewayProblem } from './gateway-problem.ts'
import { localMatchOf, lookBackFrom, unlistedRows, type LocalHistory, type ShownRecord } from './local-history.ts'
import { gatewayQuery, readHistoryQuery, mergeRows, oursOnPage, pageOf, type HistoryQuery } from './history-page.ts'
import { recordNode, webhookOnlyRow, type HistoryEntry } from './history-rows.ts'
import { createSharedReads } from './shared-reads.ts'
import { inWindow, timeWindow, type TimeWindow } from './time-window.ts'

export interface ListTransactionsOptions {
  readonly store: Store
  readonly gateway: Pick<Gateway, 'showUserTransactions' | 'statuses' | 'clockOffsetMs'>
  readonly circuits: ListCircuits
  readonly ledgerMode: LedgerMode
  /** `LEDGER_START`. */
  readonly ledgerStartMs: number
  readonly clock: () => number
}

const PAGE = 20

/**
 * Failures of the list after which the stored records are shown instead (docs/explanation/page-api.md, "Rows that the
 * list lacks").
 */
const SHOW_STORED = new Set(['unreachable', 'outcome_unknown', 'unreadable', 'not_available'])

interface Filter {
  readonly types: readonly string[] | null
  readonly window: TimeWindow | null
}

const passes = ({ types, window }: Filter, row: HistoryEntry): boolean =>
  (types === null || types.includes(row.node.type)) && inWindow(window, row.insertedMs)

const recordName = (uuid: string): string => `record:${uuid}`

type StoredRecord = ShownRecord & Pick<RecordRow, 'cursor' | 'inserted_ms'>

/** A purchase may be compared with all records, so each is read at most once. */
function storedRecord({ transaction_uuid, cursor, inserted_ms, record }: RecordRow): StoredRecord {
  let read: TransactionRecord | undefined
  return {
    transaction_uuid,
    cursor,
    inserted_ms,
    get record() {
      return (read ??= parseStoredRecord(record))
    },
  }
}

/** True if this page holds the newest records: our own rows are shown there. */
const isFirstPage = (query: HistoryQuery, list: TransactionsToShow): boolean =>
  query.last === undefined
    ? query.after === undefined && query.before === undefined
    : query.after === undefined && !list.page_info.has_previous_page

/** The most webhook-only rows that are shown while the gateway is down. */
const MOST_STORED = 500

/** `GET /api/cashier/transactions`: the gateway's list merged with our own rows; the stored list while it is down. */
export function createListTransactions(options: ListTransactionsOptions) {
  const { store, gateway, circuits, ledgerMode, ledgerStartMs, clock } = options
  const listedRow = (record: TransactionRecord, cursor: string, known: LocalHistory): HistoryEntry => ({
    name: recordName(record.transaction_uuid),
    gatewayCursor: cursor,
    insertedMs: Date.parse(record.inserted_at),
    node: recordNode(record, localMatchOf(record, known), gateway.statuses),
  })

  /** The same, read from a stored record when the row is shown: a page shows few of all records. */
  const storedRow = (stored: StoredRecord, known: LocalHistory): HistoryEntry => ({
    name: recordName(stored.transaction_uuid),
    gatewayCursor: stored.cursor,
    insertedMs: stored.inserted_ms,
    get node() {
      return recordNode(stored.record, localMatchOf(stored.record, known), gateway.statuses)
    },
  })

  /** By the edges of a list: a reply that repeats the last one has the same edges. */
  const recordsByEdges = new WeakMap<TransactionsToShow['edges'], readonly ListedRecord[]>()
  const recordsOf = ({ edges }: TransactionsToShow): readonly ListedRecord[] => {
    const records = recordsByEdges.get(edges) ?? listedRecords(edges, gateway.statuses)
    recordsByEdges.set(edges, records)
    return records
  }

  /** What we know after the list is applied to the store; two statements if the list has nothing new. */
  const compared = async (user: string, list: TransactionsToShow): Promise<LocalHistory> => {
    const records = recordsOf(list)
    const read = async () => {
      const [states, own] = await Promise.all([
        store.history.listedStates(
          user,
          records.map(({ transaction_uuid }) => transaction_uuid),
        ),
        store.history.ownRows(user, lookBackFrom(clock())),
      ])
      return { states: new Map(states.map((state) => [state.transaction_uuid, state])), own }
    }
    let { states, own } = await read()
    const isSettled = ({ transaction_uuid, record, user_reference_id }: ListedRecord): boolean =>
      compareTexts(user_reference_id, user) === 'differ' || states.get(transaction_uuid)?.record === record
    if (!records.every(isSettled)) {
      await store.applyRecords(user, records, { ledgerMode, ledgerStartMs, clockOffset: gateway.clockOffsetMs() })
      ;({ states, own } = await read())
    }
    return { ...own, statusOf: (kind, uuid) => states.get(uuid)?.[kind] ?? undefined }
  }

  const live = async (
    user: string,
    query: HistoryQuery,
    list: TransactionsToShow,
    filter: Filter,
  ): Promise<TransactionsPage> => {
    const known = await compared(user, list)
    const records = list.edges.map(({ node }) => ({ transaction_uuid: node.transaction_uuid, record: node }))
    const oldest = list.page_info.has_next_page ? records.at(-1)?.record : undefined
    const oldestMs = oldest ? Date.parse(oldest.inserted_at) : null
    const ours = unlistedRows(known, records, user, clock(), oldestMs).filter((row) => passes(filter, row))
    const listed = list.edges.map(({ node, cursor }) => listedRow(node, cursor, known))
    return {
      edges: mergeRows(
        listed.filter((row) => !isShownAs(query, row)),
        oursOnPage(ours, query, isFirstPage(query, list)),
        user,
      ),
      page_info: list.page_info,
      total_count: list.total_count === null ? null : list.total_count + ours.length,
      ...(list.left_out > 0 && { left_out: list.left_out }),
    }
  }

  const stored = async (user: string, query: HistoryQuery, filter: Filter): Promise<TransactionsPage> => {
    const since = lookBackFrom(clock())
    const [own, transactions, currencies, rows] = await Promise.all([
      store.history.ownRows(user, since),
      store.transactions.ofUser(user, since, MOST_STORED),
      store.currencies.all(),
      store.records.list(user, {
        ...(filter.types === null ? {} : { types: filter.types }),
        ...(filter.window ?? {}),
      }),
    ])
    const uuids = transactions.map((row) => row.transaction_uuid)
    const isWhole = filter.types === null && filter.window === null
    const listed = isWhole ? rows : await store.records.byUuids(user, uuids)
    const seen = new Set(listed.map((row) => row.transaction_uuid))
    const byId = new Map(
      currencies.map(({ currency_icon = null, ...currency }) => [currency.id, { ...currency, currency_icon }]),
    )
    const statuses = new Map(transactions.map((row) => [`${row.kind} ${row.transaction_uuid}`, row.status]))
    const known: LocalHistory = { ...own, statusOf: (kind, uuid) => statuses.get(`${kind} ${uuid}`) }
    const webhookOnly = transactions
      .filter((row) => row.kind !== 'onramp' && row.withdrawal_id === null && !seen.has(row.transaction_uuid))
      .filter((row) => !isCoveredByOnramp(row, known))
      .map((row) => webhookOnlyRow(row, byId.get(row.currency_id ?? '') ?? null))
    const records = rows.map(storedRecord)
    const ours = [...unlistedRows(known, records, user, clock(), null), ...webhookOnly].filter((row) =>
      passes(filter, row),
    )
    const all = [...records.map((record) => storedRow(record, known)), ...ours]
    all.sort((a, b) => b.insertedMs - a.insertedMs)
    return { ...pageOf(all, query), stale: true }
  }

  const read = async (user: string, input: TransactionsQuery): Promise<TransactionsPage> => {
    const { time_range, transaction_types, ...asked } = input
    const query = readHistoryQuery(
      user,
      asked.first === undefined && asked.last === undefined ? { ...asked, first: PAGE } : asked,
    )
    const filter: Filter = {
      types: transaction_types === undefined || transaction_types.length === 0 ? null : transaction_types,
      window: time_range === undefined ? null : timeWindow(time_range, clock()),
    }
    if (circuits.isDown(user)) return stored(user, query, filter)
    const asking = gatewayQuery(query)
    let list: TransactionsToShow
    try {
      list = await circuits.run(user, () =>
        gateway.showUserTransactions(user, {
          ...asking,
          ...(time_range === undefined ? {} : { time_range }),
          ...(filter.types === null ? {} : { transaction_types: filter.types }),
        }),
      )
    } catch (error) {
      if (isGatewayError(error) && SHOW_STORED.has(error.kind)) return stored(user, query, filter)
      throw gatewayProblem(error)
    }
    return live(user, query, list, filter)
  }

  const share = createSharedReads<TransactionsPage>()
  return ({ user_reference_id: user }: CashierSession, input: TransactionsQuery): Promise<TransactionsPage> =>
    share(`${user} ${JSON.stringify(input)}`, () => read(user, input))
}

/** True if the row is the record of the withdrawal that ended the previous page, where it was a row of ours. */
const isShownAs = ({ after }: HistoryQuery, { node }: HistoryEntry): boolean =>
  typeof after === 'object' && node.withdrawal_id !== undefined && after.name === `withdrawal:${node.withdrawal_id}`

const isCoveredByOnramp = (row: TransactionRow, known: OwnRows): boolean =>
  known.onramps.some(
    ({ transaction }) =>
      transaction !== null &&
      row.tx_hash_key !== null &&
      transaction.tx_hash_key === row.tx_hash_key &&
      agrees(compareCurrencies(transaction, row)),
  )
