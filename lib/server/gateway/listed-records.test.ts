import { expect, test } from 'vitest'
import { decimal } from '#lib/contract/money.ts'
import { listedRecords, payoutStatus, recordStatus } from './listed-records.ts'

test.each([
  ['TXN_NEW', 'processing'],
  ['TXN_PROVIDER_SUCCEEDED', 'succeeded'],
  ['TXN_PROVIDER_FAILED', 'failed'],
  ['rejected', 'failed'],
  ['Declined', 'failed'],
  ['TXN_CANCELLED', 'failed'],
  ['txn_expired', 'failed'],
  ['txn_new', 'other'],
  ['TXN_PENDING', 'other'],
  ['', 'other'],
])('the list’s %s is %s', (status, expected) => {
  expect(recordStatus(status)).toBe(expected)
})

test('a payout that waits for an approval is recognized', () => {
  expect(payoutStatus('TXN_AWAITING_APPROVAL')).toBe('awaiting_approval')
  expect(payoutStatus('TXN_APPROVED')).toBe('other')
})

test('an empty correlation key is none', () => {
  const inserted_at = '2026-11-20T10:00:00Z'
  const currency = { id: 'c', code: 'USDT', name: 'Tether', symbol: 'USDT', network: 'Tron' }
  const node = {
    transaction_uuid: 't',
    type: 'Deposit',
    status: 'TXN_NEW',
    merchant_status: null,
    amount: decimal('1'),
    amount_usd: null,
    currency: { ...currency, currency_icon: null, network_icon: null, token_address: null },
    correlation_key: '',
    from_address: null,
    to_address: null,
    tx_hash: null,
    provider_transaction_id: null,
    provider_wallet_reference: null,
    trn_provider_ref: null,
    failure_reason: null,
    transaction_data: {},
    user_ref_id: 'u',
    inserted_at,
    updated_at: null,
    completed_at: null,
  }
  expect(listedRecords([{ cursor: 'a', inserted_at, node }])[0]?.fact?.correlation_key).toBeNull()
})
