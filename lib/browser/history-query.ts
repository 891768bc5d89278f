/** The history's filters and page: read from the URL, and written as the query of the API. Server and page share it. */
import type { TimeRange, TransactionType } from '#lib/contract/cashier.ts'

/** Listed here, not imported from the contract, so that the page does not load the contract's parsers. */
export const TYPE_FILTERS = ['Deposit', 'Payout'] as const satisfies readonly TransactionType[]
export const RANGE_FILTERS = [
  'today',
  'yesterday',
  'last_24hrs',
  'this_week',
  'this_month',
  'last_month',
] as const satisfies readonly TimeRange[]

export interface HistoryView {
  readonly type: TransactionType | null
  readonly range: TimeRange | null
  /** Cursors for older rows (`after`) or newer rows (`before`). At most one is set. */
  readonly after: string | null
  readonly before: string | null
}

const PAGE_ROWS = 20

/** `get` returns a search parameter of the URL. Unknown values are ignored. */
export function readHistoryView(get: (name: string) => string | null): HistoryView {
  const after = get('after')
  return {
    type: TYPE_FILTERS.find((type) => type === get('type')) ?? null,
    range: RANGE_FILTERS.find((range) => range === get('range')) ?? null,
    after,
    before: after === null ? get('before') : null,
  }
}

/** The query of `GET /api/cashier/transactions`. Each view has one spelling, because it is a cache key too. */
export function historyQuery({ type, range, after, before }: HistoryView): string {
  const query = new URLSearchParams(
    before === null ? { first: String(PAGE_ROWS) } : { last: String(PAGE_ROWS), before },
  )
  if (after !== null) query.set('after', after)
  if (range !== null) query.set('time_range', range)
  if (type !== null) query.append('transaction_types', type)
  return query.toString()
}
