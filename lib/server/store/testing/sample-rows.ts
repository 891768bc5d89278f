/** Rows as the store keeps them, for tests that need some. */
import type { OnrampRow } from '../onramp-sessions.ts'
import type { RecordRow } from '../records.ts'
import type { FactRow, TransactionRow } from '../transactions.ts'
import type { WithdrawalRow } from '../withdrawals.ts'

export const sampleCurrency = {
  id: 'c1',
  name: 'Tether',
  currency_code: 'USDT',
  symbol: '₮',
  network: 'Tron',
} as const

export const sampleWithdrawal = (more: Partial<WithdrawalRow> = {}): WithdrawalRow => ({
  id: 'w1',
  user_reference_id: 'u',
  idempotency_key: 'key-1',
  currency_id: 'c1',
  currency_code: 'USDT',
  network: 'Tron',
  amount: '1.50',
  wallet_address: 'TAddress',
  address_key: 'TAddress',
  amount_key: '1.5',
  status: 'processing',
  step: 'ended',
  driver: null,
  funds: 'held',
  requires_approval: 0,
  transaction_uuid: null,
  failure: null,
  failure_reason: null,
  user_message: null,
  declined_at_request: 0,
  record_status: null,
  first_result: null,
  created_ms: 1000,
  called_ms: null,
  call_ended_ms: null,
  absent_scans: 0,
  checks: 0,
  next_check_ms: null,
  checked_ms: null,
  updated_ms: 1000,
  ...more,
})

export const sampleTransaction = (more: Partial<TransactionRow> = {}): TransactionRow => ({
  kind: 'deposit',
  transaction_uuid: 't1',
  user_reference_id: 'u',
  status: 'succeeded',
  amount: '0.000000000000000001',
  currency_id: 'c1',
  currency_code: 'USDT',
  network: 'Tron',
  to_address: 'TTo',
  from_address: 'TFrom',
  tx_hash: '0xAB',
  tx_hash_key: '0xab',
  amount_usd: null,
  payment_method: null,
  provider_transaction_id: 'p1',
  from_amount: null,
  from_currency: null,
  correlation_key: null,
  session_reference: null,
  withdrawal_id: null,
  onramp_session_id: null,
  credited: '0',
  occurred_at: '2026-01-01T00:00:00Z',
  created_ms: 1000,
  updated_ms: 1000,
  ...more,
})

export const sampleFact = (more: Partial<FactRow> = {}): FactRow => ({
  kind: 'deposit',
  transaction_uuid: 't1',
  status: 'processing',
  source: 'webhook',
  content: '{}',
  recorded_ms: 1000,
  ...more,
})

export const sampleOnramp = (more: Partial<OnrampRow> = {}): OnrampRow => ({
  id: 'o1',
  user_reference_id: 'u',
  currency_id: 'c1',
  currency_code: 'USDT',
  network: 'Tron',
  amount: '50',
  fiat_currency: 'EUR',
  country: 'DE',
  correlation_key: 'k1',
  link: 'https://buy.example/1',
  expires_at: null,
  status: 'pending',
  transaction_uuid: null,
  created_ms: 1000,
  updated_ms: 1000,
  ...more,
})

export const sampleRecord = (more: Partial<RecordRow> = {}): RecordRow => ({
  user_reference_id: 'u',
  transaction_uuid: 't1',
  type: 'Deposit',
  status: 'TXN_NEW',
  inserted_ms: 1000,
  inserted_at: '2026-01-01T00:00:00Z',
  cursor: 'a',
  record: '{}',
  seen_ms: 1000,
  ...more,
})
