import type { CashierStatus, TransactionNode, WithdrawalStatus } from '#lib/contract/cashier.ts'
import { canonical, equals } from '#lib/contract/money.ts'
import type { TransactionRecord } from '../gateway/types.ts'
import type { StatusReader } from '../gateway/status-words.ts'
import type { TransactionStatus } from '../ledger/transaction-statuses.ts'
import { waitView } from '../ledger/withdrawal-view.ts'
import type { OwnCurrency, OwnOnramp, OwnWithdrawal, OwnWithdrawalRow, TransactionRow } from '../store/types.ts'

/** A row of the history with the time that it is sorted by. */
export interface HistoryEntry {
  /** Unique within the user's history, and constant while the row stands for the same transaction. */
  readonly name: string
  /** Null for a row that the gateway's list does not have. */
  readonly gatewayCursor: string | null
  readonly insertedMs: number
  readonly node: TransactionNode
}

/** How the page shows a stored status. */
const CASHIER_STATUS: Readonly<Record<TransactionStatus | WithdrawalStatus, CashierStatus>> = {
  pending_authorization: 'pending',
  pending: 'pending',
  processing: 'processing',
  awaiting_approval: 'awaiting_approval',
  unknown: 'unknown',
  succeeded: 'succeeded',
  failed: 'failed',
  other: 'other',
}

/** A payout that waits for an approval has this status only if it is one of our withdrawals. */
const statusAlone = (status: TransactionStatus): CashierStatus =>
  status === 'awaiting_approval' ? 'other' : CASHIER_STATUS[status]

const iso = (ms: number): string => new Date(ms).toISOString()

function currencyOf(
  known: OwnCurrency | null,
  { id, code, network }: Pick<TransactionNode['currency'], 'id' | 'code' | 'network'>,
): TransactionNode['currency'] {
  return {
    id,
    code,
    name: known?.name ?? code,
    symbol: known?.symbol ?? code,
    network,
    currency_icon: known?.currency_icon ?? null,
    network_icon: null,
    token_address: null,
  }
}

/** Fields of a record that only the gateway can fill. */
const EMPTY_FIELDS = {
  merchant_status: null,
  provider_wallet_reference: null,
  trn_provider_ref: null,
  transaction_data: {},
}

const onrampFields = ({ transaction: onramp, session }: OwnOnramp) => ({
  session_reference: session?.id ?? onramp?.session_reference ?? '',
  from_amount: onramp?.from_amount ?? session?.amount ?? null,
  from_currency: onramp?.from_currency ?? session?.fiat_currency ?? null,
  payment_method: onramp?.payment_method ?? null,
})

/** One of our withdrawals; a file needs neither the time of its call nor its amounts. */
type MatchedWithdrawal = Pick<OwnWithdrawalRow, 'id' | 'status' | 'user_message'> &
  Partial<Pick<OwnWithdrawalRow, 'called_ms' | 'amount' | 'paid_amount'>>

/** Our own rows that match a record of the list. */
export interface LocalMatch {
  readonly withdrawal?: MatchedWithdrawal
  /** The state of its transaction. */
  readonly status?: TransactionStatus
  readonly onramp?: OwnOnramp
}

/** What we alone know of one of our withdrawals; both amounts only if they differ by value. */
function withdrawalFields({
  id,
  user_message,
  status,
  called_ms = null,
  amount,
  paid_amount = null,
}: MatchedWithdrawal) {
  return {
    withdrawal_id: id,
    user_message,
    ...(called_ms !== null && { called_at: iso(called_ms) }),
    ...(status === 'succeeded' &&
      amount !== undefined &&
      paid_amount !== null &&
      !equals(paid_amount, amount) && { asked_amount: canonical(amount), paid_amount: canonical(paid_amount) }),
  }
}

/** A record of the list, unchanged, with our reading of its status and our own fields. */
export function recordNode(record: TransactionRecord, match: LocalMatch, statuses: StatusReader): TransactionNode {
  const { withdrawal, onramp, status = statuses.record(record.status) } = match
  return {
    ...record,
    currency: { ...record.currency },
    cashier_status: withdrawal ? CASHIER_STATUS[withdrawal.status] : statusAlone(status),
    ...(withdrawal ? withdrawalFields(withdrawal) : {}),
    ...(onramp ? onrampFields(onramp) : {}),
  }
}

/** A withdrawal of ours that the list does not have (yet). */
export function withdrawalRow({ withdrawal: row, payout, currency }: OwnWithdrawal): HistoryEntry {
  return {
    name: `withdrawal:${row.id}`,
    gatewayCursor: null,
    insertedMs: row.created_ms,
    node: {
      ...EMPTY_FIELDS,
      transaction_uuid: row.transaction_uuid,
      type: 'Payout',
      status: row.status,
      amount: row.amount,
      amount_usd: payout?.amount_usd ?? null,
      currency: currencyOf(currency, { id: row.currency_id, code: row.currency_code, network: row.network }),
      correlation_key: null,
      from_address: payout?.from_address ?? null,
      to_address: row.wallet_address,
      tx_hash: payout?.tx_hash ?? null,
      provider_transaction_id: payout?.provider_transaction_id ?? null,
      failure_reason: row.failure_reason,
      user_ref_id: row.user_reference_id,
      inserted_at: iso(row.created_ms),
      updated_at: iso(row.updated_ms),
      completed_at: row.status === 'succeeded' ? iso(row.updated_ms) : null,
      cashier_status: CASHIER_STATUS[row.status],
      ...withdrawalFields(row),
      ...(row.status === 'pending_authorization' && { wait: waitView(row) }),
    },
  }
}

/** An on-ramp that the list does not have (yet): our session, the transaction from its webhooks, or both. */
export function onrampRow(onramp: OwnOnramp, user: string): HistoryEntry {
  const { session, transaction } = onramp
  const createdMs = session?.created_ms ?? transaction?.created_ms ?? 0
  const updatedMs = transaction?.updated_ms ?? session?.updated_ms ?? createdMs
  const state = transaction?.status ?? session?.status ?? 'pending'
  return {
    name: `onramp:${session?.id ?? transaction?.transaction_uuid ?? ''}`,
    gatewayCursor: null,
    insertedMs: createdMs,
    node: {
      ...EMPTY_FIELDS,
      transaction_uuid: transaction?.transaction_uuid ?? null,
      type: 'Deposit',
      status: state,
      amount: transaction?.amount ?? '0',
      amount_usd: null,
      currency: currencyOf(onramp.currency, {
        id: transaction?.currency_id ?? session?.currency_id ?? '',
        code: transaction?.currency_code ?? session?.currency_code ?? '',
        network: transaction?.network ?? session?.network ?? '',
      }),
      correlation_key: session?.correlation_key ?? transaction?.correlation_key ?? null,
      from_address: null,
      to_address: session?.wallet_address ?? null,
      tx_hash: transaction?.tx_hash ?? null,
      provider_transaction_id: transaction?.provider_transaction_id ?? null,
      failure_reason: null,
      user_ref_id: user,
      inserted_at: iso(createdMs),
      updated_at: iso(updatedMs),
      completed_at: state === 'succeeded' ? iso(updatedMs) : null,
      cashier_status: CASHIER_STATUS[state],
      ...onrampFields(onramp),
    },
  }
}

/** A deposit or payout known only from a webhook, for the history while the gateway is down. */
export function webhookOnlyRow(row: TransactionRow, currency: OwnCurrency | null): HistoryEntry {
  return {
    name: `${row.kind}:${row.transaction_uuid}`,
    gatewayCursor: null,
    insertedMs: row.created_ms,
    node: {
      ...EMPTY_FIELDS,
      transaction_uuid: row.transaction_uuid,
      type: row.kind === 'payout' ? 'Payout' : 'Deposit',
      status: row.status,
      amount: row.amount ?? '0',
      amount_usd: row.amount_usd,
      currency: currencyOf(currency, { id: row.currency_id ?? '', code: row.currency_code, network: row.network }),
      correlation_key: row.correlation_key,
      from_address: row.from_address,
      to_address: row.to_address,
      tx_hash: row.tx_hash,
      provider_transaction_id: row.provider_transaction_id,
      failure_reason: null,
      user_ref_id: row.user_reference_id ?? '',
      inserted_at: iso(row.created_ms),
      updated_at: iso(row.updated_ms),
      completed_at: row.status === 'succeeded' ? iso(row.updated_ms) : null,
      cashier_status: statusAlone(row.status),
    },
  }
}
