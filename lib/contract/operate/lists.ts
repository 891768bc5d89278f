/**
 * The lists of the console: the filters, the sorts and the columns of each, for page and server alike. A query has the
 * names below, with an empty value for a filter that is left out.
 */
import * as z from 'zod/mini'
import { WITHDRAWAL_STATUSES } from '../cashier.ts'
import { PAYOUT_OWNERS } from '../withdrawal-requests.ts'
import { countField, textField, timeField, userReference } from '../request-fields.ts'
import { amountBound, choiceOf, severalOf, sortField, type ListSort } from './list-fields.ts'

export const TRANSACTION_KIND_NAMES = ['deposit', 'payout', 'onramp'] as const
export const TRANSACTION_STATUS_NAMES = [
  'processing',
  'awaiting_approval',
  'pending',
  'succeeded',
  'failed',
  'other',
] as const
export const PAYOUT_STATUS_NAMES = ['processing', 'awaiting_approval', 'succeeded', 'failed', 'other'] as const
export const PAYOUT_OWNER_FILTERS = ['none', ...PAYOUT_OWNERS] as const

/** Why something was stored and not applied, or what a person is told; those that concern money first. */
export const QUARANTINE_REASONS = [
  'contradiction',
  'overdue',
  'unmatched_payout',
  'late_payout',
  'totals_differ',
  'implausible',
  'list_conflict',
  'conflict',
  'unknown_user',
  'unknown_currency',
  'unknown_event',
  'unknown_status',
  'unreadable',
  'stale',
  'other_merchant',
  'foreign_record',
  'lost_commits',
] as const

/** `open`: it has not ended; `attention`: a person should look at it; `overdue`: the gateway has been silent too long. */
export const SHOWN_OF_MOVEMENTS = ['open', 'attention', 'overdue'] as const
export const SHOWN_OF_PAYOUTS = ['attention'] as const
/** `gateway`: open, without withdrawals that wait for our own approval: they have their own list. */
export const SHOWN_OF_QUARANTINE = ['open', 'gateway', 'settled', 'all'] as const

const name = z.optional(textField(100, 1))
const time = { from: z.optional(timeField), to: z.optional(timeField) }
const amounts = { amount_from: z.optional(amountBound), amount_to: z.optional(amountBound) }
const user = z.optional(userReference)

/** The filters of each list. */
export const LIST_FILTERS = {
  transactions: z.object({
    show: z.optional(choiceOf(SHOWN_OF_MOVEMENTS)),
    kind: z.optional(severalOf(TRANSACTION_KIND_NAMES)),
    status: z.optional(severalOf(TRANSACTION_STATUS_NAMES)),
    user,
    currency: name,
    network: name,
    ...amounts,
    ...time,
  }),
  withdrawals: z.object({
    show: z.optional(choiceOf(SHOWN_OF_MOVEMENTS)),
    status: z.optional(severalOf(WITHDRAWAL_STATUSES)),
    user,
    currency: name,
    network: name,
    ...amounts,
    ...time,
  }),
  payouts: z.object({
    show: z.optional(choiceOf(SHOWN_OF_PAYOUTS)),
    owner: z.optional(severalOf(PAYOUT_OWNER_FILTERS)),
    status: z.optional(severalOf(PAYOUT_STATUS_NAMES)),
    user,
    currency: name,
    network: name,
    ...amounts,
    ...time,
  }),
  quarantine: z.object({
    show: z._default(choiceOf(SHOWN_OF_QUARANTINE), 'open'),
    reason: z.optional(severalOf(QUARANTINE_REASONS)),
    user,
    ...time,
  }),
} as const

export type ListName = keyof typeof LIST_FILTERS
export const LIST_NAMES = [
  'transactions',
  'withdrawals',
  'payouts',
  'quarantine',
] as const satisfies readonly ListName[]
export const isListName = (text: string): text is ListName => Object.hasOwn(LIST_FILTERS, text)

export type ListFilter<L extends ListName = ListName> = z.output<(typeof LIST_FILTERS)[L]>

/** The columns that a list is sorted by: each has an index. The first is the time, newest first by default. */
export const LIST_SORTS = {
  transactions: ['created_at'],
  withdrawals: ['created_at', 'status', 'user_reference_id'],
  payouts: ['first_seen_at', 'user_reference_id'],
  quarantine: ['received_at', 'reason'],
} as const satisfies Readonly<Record<ListName, readonly string[]>>
export type ListSortName<L extends ListName = ListName> = (typeof LIST_SORTS)[L][number]

const DEFAULT_PAGE_ROWS = 50
const MOST_PAGE_ROWS = 200

const cursor = z._default(z.nullable(textField(1000, 1)), null)
const limit = z.prefault(countField(1, MOST_PAGE_ROWS), String(DEFAULT_PAGE_ROWS))
const sortBy = <const S extends string>(sorts: readonly [S, ...S[]]) => z.prefault(sortField(sorts), `-${sorts[0]}`)

interface Bounds {
  readonly from?: number | undefined
  readonly to?: number | undefined
}
const inOrder = z.refine<Bounds>(({ from, to }) => from === undefined || to === undefined || from < to, {
  path: ['to'],
  error: 'must be later than from',
})

/** The queries of `GET /api/operate/lists/{list}`: filters, order and page. */
export const LIST_QUERIES = {
  transactions: z
    .extend(LIST_FILTERS.transactions, { sort: sortBy(LIST_SORTS.transactions), cursor, limit })
    .check(inOrder),
  withdrawals: z
    .extend(LIST_FILTERS.withdrawals, { sort: sortBy(LIST_SORTS.withdrawals), cursor, limit })
    .check(inOrder),
  payouts: z.extend(LIST_FILTERS.payouts, { sort: sortBy(LIST_SORTS.payouts), cursor, limit }).check(inOrder),
  quarantine: z.extend(LIST_FILTERS.quarantine, { sort: sortBy(LIST_SORTS.quarantine), cursor, limit }).check(inOrder),
} as const
export type ListQuery<L extends ListName = ListName> = ListFilter<L> & {
  readonly sort: ListSort<ListSortName<L>>
  readonly cursor: string | null
  readonly limit: number
}

const nullableText = z.nullable(z.string())

export const transactionListRow = z.object({
  created_at: z.string(),
  kind: z.enum(TRANSACTION_KIND_NAMES),
  status: z.enum(TRANSACTION_STATUS_NAMES),
  attention: z.nullable(z.enum(['overdue', 'disputed', 'vanished'])),
  amount: nullableText,
  currency_code: z.string(),
  network: z.string(),
  user_reference_id: nullableText,
  transaction_uuid: z.string(),
  withdrawal_id: nullableText,
  onramp_session_id: nullableText,
  amount_usd: nullableText,
  from_address: nullableText,
  to_address: nullableText,
  tx_hash: nullableText,
  payment_method: nullableText,
  currency_id: nullableText,
  occurred_at: z.string(),
  updated_at: z.string(),
})
export type TransactionListRow = z.output<typeof transactionListRow>

export const withdrawalListRow = z.object({
  created_at: z.string(),
  status: z.enum(WITHDRAWAL_STATUSES),
  attention: z.nullable(z.enum(['unmatched_payout', 'overdue', 'unknown', 'pending_authorization'])),
  amount: z.string(),
  currency_code: z.string(),
  network: z.string(),
  user_reference_id: z.string(),
  id: z.string(),
  wallet_address: z.string(),
  transaction_uuid: nullableText,
  failure_reason: nullableText,
  paid_amount: nullableText,
  requires_approval: z.boolean(),
  currency_id: z.string(),
  updated_at: z.string(),
})
export type WithdrawalListRow = z.output<typeof withdrawalListRow>

export const payoutListRow = z.object({
  first_seen_at: z.string(),
  status: z.enum(PAYOUT_STATUS_NAMES),
  owner: z.nullable(z.enum(PAYOUT_OWNERS)),
  amount: nullableText,
  currency_code: z.string(),
  network: z.string(),
  user_reference_id: z.string(),
  transaction_uuid: z.string(),
  withdrawal_id: nullableText,
  to_address: nullableText,
  awaits_list: z.boolean(),
  inserted_at: nullableText,
  note: nullableText,
  currency_id: z.string(),
  updated_at: z.string(),
})
export type PayoutListRow = z.output<typeof payoutListRow>

export const quarantineListRow = z.object({
  received_at: z.string(),
  reason: z.enum(QUARANTINE_REASONS),
  event_name: nullableText,
  user_reference_id: nullableText,
  transaction_uuid: nullableText,
  id: z.string(),
  settled_at: nullableText,
  settled_by: nullableText,
  note: nullableText,
})
export type QuarantineListRow = z.output<typeof quarantineListRow>

/** The rows of each list; the names are its columns, in their usual order. */
export const LIST_ROWS = {
  transactions: transactionListRow,
  withdrawals: withdrawalListRow,
  payouts: payoutListRow,
  quarantine: quarantineListRow,
} as const
export type ListRow<L extends ListName = ListName> = z.output<(typeof LIST_ROWS)[L]>

const page = {
  /** The cursors of the pages after and before this one; null: there is none. */
  next: nullableText,
  previous: nullableText,
  /**
   * ISO time of the row where the search for rows that pass the filters stopped, with fewer rows than were asked for;
   * `next` goes on. Null if it did not stop.
   */
  searched_to: nullableText,
}

/** The answers of `GET /api/operate/lists/{list}`. */
export const LIST_PAGES = {
  transactions: z.object({ rows: z.array(transactionListRow), ...page }),
  withdrawals: z.object({ rows: z.array(withdrawalListRow), ...page }),
  payouts: z.object({ rows: z.array(payoutListRow), ...page }),
  quarantine: z.object({ rows: z.array(quarantineListRow), ...page }),
} as const
export interface ListPage<L extends ListName = ListName> {
  readonly rows: readonly ListRow<L>[]
  readonly next: string | null
  readonly previous: string | null
  readonly searched_to: string | null
}
