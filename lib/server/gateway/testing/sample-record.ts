import { decimal } from '#lib/contract/money.ts'
import { createStatusReader } from '../status-words.ts'
import type { TransactionRecord } from '../types.ts'

/** An installation that has learned no status. */
export const STATUSES = createStatusReader(new Map())

const INSERTED_AT = '2026-11-20T10:00:00Z'

/** A deposit of 1 by `user_1` in currency `c`, as a new record of the gateway's list. */
export const sampleTransactionRecord = (more: Partial<TransactionRecord> = {}): TransactionRecord => ({
  transaction_uuid: 't',
  type: 'Deposit',
  status: 'TXN_NEW',
  merchant_status: null,
  amount: decimal('1'),
  amount_usd: null,
  currency: {
    id: 'c',
    code: 'USDT',
    name: 'Tether',
    symbol: '₮',
    network: 'Ethereum',
    currency_icon: null,
    network_icon: null,
    token_address: null,
  },
  correlation_key: null,
  from_address: null,
  to_address: null,
  tx_hash: null,
  provider_transaction_id: null,
  provider_wallet_reference: null,
  trn_provider_ref: null,
  failure_reason: null,
  transaction_data: {},
  user_ref_id: 'user_1',
  inserted_at: INSERTED_AT,
  updated_at: null,
  completed_at: null,
  ...more,
})
