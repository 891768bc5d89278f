import type { SearchHit } from '#lib/contract/operate/search.ts'
import type {
  FoundDelivery,
  FoundSession,
  FoundUser,
  OnrampRow,
  PayoutRow,
  QuarantineRow,
  RequestEffect,
  TransactionRow,
  WithdrawalRow,
} from '../../store/types.ts'

/** How a row was found. */
export type HowFound = Pick<SearchHit, 'by' | 'exact'>

const iso = (ms: number): string => new Date(ms).toISOString()
const page = (list: string, id: string): string => `/${list}/${encodeURIComponent(id)}`

type Moved = Pick<SearchHit, 'status' | 'amount' | 'currency_code' | 'network' | 'user_reference_id'>

const moneyOf = ({ status, amount, currency_code, network, user_reference_id }: Moved): Moved => ({
  status,
  amount,
  currency_code,
  network,
  user_reference_id,
})

const NO_MONEY = { status: null, amount: null, currency_code: null, network: null } as const

export const userHit = (row: FoundUser, found: HowFound): SearchHit => ({
  ...found,
  ...NO_MONEY,
  kind: 'user',
  id: row.user_reference_id,
  page: page('users', row.user_reference_id),
  user_reference_id: row.user_reference_id,
  at: iso(row.last_seen_ms),
})

export const transactionHit = (row: TransactionRow, found: HowFound): SearchHit => ({
  ...found,
  kind: 'transaction',
  id: row.transaction_uuid,
  page: page('transactions', row.transaction_uuid),
  ...moneyOf(row),
  at: iso(row.created_ms),
})

export const withdrawalHit = (row: WithdrawalRow, found: HowFound): SearchHit => ({
  ...found,
  kind: 'withdrawal',
  id: row.id,
  page: page('withdrawals', row.id),
  ...moneyOf(row),
  at: iso(row.created_ms),
})

export const payoutHit = (row: PayoutRow, found: HowFound): SearchHit => ({
  ...found,
  kind: 'payout',
  id: row.transaction_uuid,
  page: page('payouts', row.transaction_uuid),
  ...moneyOf(row),
  status: row.owner ?? 'unowned',
  at: iso(row.first_seen_ms),
})

/** A purchase before its transaction is known leads to its user. */
export const purchaseHit = (row: OnrampRow, found: HowFound): SearchHit => ({
  ...found,
  kind: 'purchase',
  id: row.id,
  page:
    row.transaction_uuid === null ? page('users', row.user_reference_id) : page('transactions', row.transaction_uuid),
  ...moneyOf(row),
  at: iso(row.created_ms),
})

export const sessionHit = (row: FoundSession, found: HowFound): SearchHit => ({
  ...found,
  ...NO_MONEY,
  kind: 'session',
  id: row.id,
  page: page('users', row.user_reference_id),
  status: row.ended_ms === null ? 'open' : 'ended',
  user_reference_id: row.user_reference_id,
  at: iso(row.created_ms),
})

export const addressHit = (
  row: {
    readonly user_reference_id: string
    readonly address: string
    readonly currency: string
    readonly network: string
    readonly created_ms: number
  },
  found: HowFound,
): SearchHit => ({
  ...found,
  ...NO_MONEY,
  kind: 'address',
  id: row.address,
  page: page('users', row.user_reference_id),
  currency_code: row.currency,
  network: row.network,
  user_reference_id: row.user_reference_id,
  at: iso(row.created_ms),
})

export const quarantineHit = (row: QuarantineRow, found: HowFound): SearchHit => ({
  ...found,
  ...NO_MONEY,
  kind: 'quarantine',
  id: String(row.id),
  page: page('quarantine', String(row.id)),
  status: row.settled_ms === null ? row.reason : 'settled',
  user_reference_id: row.user_reference_id,
  at: iso(row.received_ms),
})

/** @param id the event's name in the feed */
export const deliveryHit = (row: FoundDelivery, id: string, found: HowFound): SearchHit => ({
  ...found,
  ...NO_MONEY,
  kind: 'delivery',
  id,
  page: page('deliveries', id),
  status: row.state,
  user_reference_id: null,
  at: iso(row.created_ms),
})

export const adjustmentHit = (effect: RequestEffect, found: HowFound): SearchHit => ({
  ...found,
  ...NO_MONEY,
  kind: 'adjustment',
  id: effect.name,
  page: page('users', effect.user_reference_id),
  user_reference_id: effect.user_reference_id,
  at: iso(effect.created_ms),
})
