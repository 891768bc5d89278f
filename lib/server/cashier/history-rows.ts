import type { CashierStatus, TransactionNode } from '#lib/contract/cashier.ts'
import type { TransactionRecord } from '../gateway/port.ts'
import { recordState } from '../ledger/states.ts'
import type { KnownCurrency, OnrampRow, TransactionRow, WithdrawalRow } from '../store/port.ts'

/** A row of the history with the time that it is sorted by. */
export interface HistoryRow {
  /** The gateway's cursor; for a row that its list does not have, a name of ours. */
  readonly cursor: string
  readonly insertedMs: number
  readonly node: TransactionNode
}

export type CurrencyWords = ReadonlyMap<string, KnownCurrency>

const STATES: Readonly<Record<string, CashierStatus>> = {
  pending_authorization: 'pending',
  pending: 'pending',
  processing: 'processing',
  awaiting_approval: 'awaiting_approval',
  unknown: 'unknown',
  succeeded: 'succeeded',
  failed: 'failed',
}

/** Our reading of a state of ours. */
const statusOf = (state: string): CashierStatus => (Object.hasOwn(STATES, state) ? (STATES[state] ?? 'other') : 'other')

const iso = (ms: number): string => new Date(ms).toISOString()

function currencyOf(words: CurrencyWords, id: string, code: string, network: string): TransactionNode['currency'] {
  const known = words.get(id)
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

/** The fields of a record that only the gateway could fill. */
const UNTOLD = {
  merchant_status: null,
  provider_wallet_reference: null,
  trn_provider_ref: null,
  transaction_data: {},
}

const onrampFields = (onramp: TransactionRow | null, session: OnrampRow | null) => ({
  session_reference: session?.id ?? onramp?.session_reference ?? '',
  from_amount: onramp?.from_amount ?? session?.amount ?? null,
  from_currency: onramp?.from_currency ?? session?.fiat_currency ?? null,
})

/** What we know beside a record of the list. */
export interface Beside {
  readonly withdrawal?: WithdrawalRow
  readonly transaction?: TransactionRow
  readonly onramp?: { readonly transaction: TransactionRow | null; readonly session: OnrampRow | null }
}

/** A record of the list: as it came, with our reading of its state, and what it is to us. */
export function recordNode(record: TransactionRecord, beside: Beside): TransactionNode {
  const { withdrawal, transaction, onramp } = beside
  const told = transaction?.status ?? recordState(record.status)
  const state = withdrawal ? withdrawal.status : told === 'awaiting_approval' ? 'other' : told
  return {
    ...record,
    currency: { ...record.currency },
    cashier_status: statusOf(state),
    ...(withdrawal ? { withdrawal_id: withdrawal.id, user_message: withdrawal.user_message } : {}),
    ...(onramp ? onrampFields(onramp.transaction, onramp.session) : {}),
  }
}

/** A withdrawal of ours that the list does not have (yet). */
export function withdrawalRow(row: WithdrawalRow, payout: TransactionRow | null, words: CurrencyWords): HistoryRow {
  return {
    cursor: `local:withdrawal:${row.id}`,
    insertedMs: row.created_ms,
    node: {
      ...UNTOLD,
      transaction_uuid: row.transaction_uuid,
      type: 'Payout',
      status: row.status,
      amount: row.amount,
      amount_usd: payout?.amount_usd ?? null,
      currency: currencyOf(words, row.currency_id, row.currency_code, row.network),
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
      cashier_status: statusOf(row.status),
      withdrawal_id: row.id,
      user_message: row.user_message,
    },
  }
}

/** An on-ramp that the list does not have (yet): our session, what events told of it, or both. */
export function onrampRow(
  session: OnrampRow | null,
  told: TransactionRow | null,
  user: string,
  words: CurrencyWords,
): HistoryRow {
  const createdMs = session?.created_ms ?? told?.created_ms ?? 0
  const updatedMs = told?.updated_ms ?? session?.updated_ms ?? createdMs
  const state = told?.status ?? session?.status ?? 'pending'
  const currencyId = told?.currency_id ?? session?.currency_id ?? ''
  return {
    cursor: `local:onramp:${session?.id ?? told?.transaction_uuid ?? ''}`,
    insertedMs: createdMs,
    node: {
      ...UNTOLD,
      transaction_uuid: told?.transaction_uuid ?? null,
      type: 'Deposit',
      status: state,
      amount: told?.amount ?? '0',
      amount_usd: null,
      currency: currencyOf(
        words,
        currencyId,
        told?.currency_code ?? session?.currency_code ?? '',
        told?.network ?? session?.network ?? '',
      ),
      correlation_key: session?.correlation_key ?? told?.correlation_key ?? null,
      from_address: null,
      to_address: null,
      tx_hash: told?.tx_hash ?? null,
      provider_transaction_id: told?.provider_transaction_id ?? null,
      failure_reason: null,
      user_ref_id: user,
      inserted_at: iso(createdMs),
      updated_at: iso(updatedMs),
      completed_at: state === 'succeeded' ? iso(updatedMs) : null,
      cashier_status: statusOf(state),
      ...onrampFields(told, session),
    },
  }
}

/** A deposit or payout that a webhook told of and no list has shown: for the history while the gateway is away. */
export function toldRow(row: TransactionRow, words: CurrencyWords): HistoryRow {
  return {
    cursor: `local:${row.kind}:${row.transaction_uuid}`,
    insertedMs: row.created_ms,
    node: {
      ...UNTOLD,
      transaction_uuid: row.transaction_uuid,
      type: row.kind === 'payout' ? 'Payout' : 'Deposit',
      status: row.status,
      amount: row.amount ?? '0',
      amount_usd: row.amount_usd,
      currency: currencyOf(words, row.currency_id ?? '', row.currency_code, row.network),
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
      cashier_status: statusOf(row.status === 'awaiting_approval' ? 'other' : row.status),
    },
  }
}
