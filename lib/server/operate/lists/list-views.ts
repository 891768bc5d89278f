/** The rows of the console's lists as the page and the files have them. */
import type {
  ListName,
  ListRow,
  PayoutListRow,
  QuarantineListRow,
  TransactionListRow,
  WithdrawalListRow,
} from '#lib/contract/operate/lists.ts'
import { attentionOf } from '../../ledger/payouts/attention.ts'
import type { PayoutRow, Store, StoredListRows, TransactionRow, WithdrawalRow } from '../../store/types.ts'

const iso = (ms: number): string => new Date(ms).toISOString()

function transactionAttention(row: TransactionRow): TransactionListRow['attention'] {
  if (row.standing === 'disputed') return 'disputed'
  if (row.vanished_ms !== null) return 'vanished'
  return row.overdue_ms === null ? null : 'overdue'
}

const transactionView = (row: TransactionRow): TransactionListRow => ({
  created_at: iso(row.created_ms),
  kind: row.kind,
  status: row.status,
  attention: transactionAttention(row),
  amount: row.amount,
  currency_code: row.currency_code,
  network: row.network,
  user_reference_id: row.user_reference_id,
  transaction_uuid: row.transaction_uuid,
  withdrawal_id: row.withdrawal_id,
  onramp_session_id: row.onramp_session_id,
  amount_usd: row.amount_usd,
  from_address: row.from_address,
  to_address: row.to_address,
  tx_hash: row.tx_hash,
  payment_method: row.payment_method,
  currency_id: row.currency_id,
  occurred_at: row.occurred_at,
  updated_at: iso(row.updated_ms),
})

const withdrawalAttention = (
  row: WithdrawalRow,
  open: readonly PayoutRow[],
  nowMs: number,
): WithdrawalListRow['attention'] =>
  attentionOf(row, open, nowMs) ??
  (row.status === 'unknown' || row.status === 'pending_authorization' ? row.status : null)

const withdrawalView = (row: WithdrawalRow, attention: WithdrawalListRow['attention']): WithdrawalListRow => ({
  created_at: iso(row.created_ms),
  status: row.status,
  attention,
  amount: row.amount,
  currency_code: row.currency_code,
  network: row.network,
  user_reference_id: row.user_reference_id,
  id: row.id,
  wallet_address: row.wallet_address,
  transaction_uuid: row.transaction_uuid,
  failure_reason: row.failure_reason,
  paid_amount: row.status === 'succeeded' ? row.paid_amount : null,
  requires_approval: row.requires_approval === 1,
  currency_id: row.currency_id,
  updated_at: iso(row.updated_ms),
})

const payoutView = (row: PayoutRow): PayoutListRow => ({
  first_seen_at: iso(row.first_seen_ms),
  status: row.status,
  owner: row.owner,
  amount: row.amount,
  currency_code: row.currency_code,
  network: row.network,
  user_reference_id: row.user_reference_id,
  transaction_uuid: row.transaction_uuid,
  withdrawal_id: row.withdrawal_id,
  to_address: row.to_address,
  awaits_list: row.awaits_list === 1,
  inserted_at: row.inserted_at,
  note: row.note,
  currency_id: row.currency_id,
  updated_at: iso(row.updated_ms),
})

const quarantineView = (row: StoredListRows['quarantine']): QuarantineListRow => ({
  received_at: iso(row.received_ms),
  reason: row.reason,
  event_name: row.event_name,
  user_reference_id: row.user_reference_id,
  transaction_uuid: row.transaction_uuid,
  id: String(row.id),
  settled_at: row.settled_ms === null ? null : iso(row.settled_ms),
  settled_by: row.settled_by,
  note: row.note,
})

/** The views of rows, in their order. */
export type ListViews = {
  readonly [L in ListName]: (rows: readonly StoredListRows[L][]) => Promise<readonly ListRow<L>[]>
}

export const createListViews = (store: Pick<Store, 'payouts'>, clock: () => number): ListViews => ({
  transactions: (rows) => Promise.resolve(rows.map(transactionView)),
  async withdrawals(rows) {
    const users = [...new Set(rows.map((row) => row.user_reference_id))]
    const open = Map.groupBy(await store.payouts.openOf(users), (payout) => payout.user_reference_id)
    const now = clock()
    return rows.map((row) => withdrawalView(row, withdrawalAttention(row, open.get(row.user_reference_id) ?? [], now)))
  },
  payouts: (rows) => Promise.resolve(rows.map(payoutView)),
  quarantine: (rows) => Promise.resolve(rows.map(quarantineView)),
})
