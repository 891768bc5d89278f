import { currencyById } from '../currencies/find-currency.ts'
import { NETWORKS } from '../currencies/networks.ts'
import { presentRecordCurrency } from '../currencies/present-currency.ts'
import { toUsd } from '../money/prices.ts'
import { STATUS } from '../state/transactions.ts'
import type { Transaction } from '../state/transactions.ts'

const PROVIDER = 'sandbox-custody'

const iso = (time: number): string => new Date(time).toISOString()

/** Spec, Transaction record. */
export function presentTransaction(transaction: Transaction, origin: string) {
  const currency = currencyById(transaction.currency_id)
  const done = transaction.status === STATUS.succeeded
  return {
    transaction_uuid: transaction.uuid,
    type: transaction.type,
    status: transaction.status,
    merchant_status: transaction.merchant_status,
    amount: transaction.amount,
    amount_usd: done ? toUsd(transaction.amount, currency.code) : null,
    currency: presentRecordCurrency(currency, origin),
    correlation_key: `${transaction.merchant_id}:${transaction.uuid}`,
    from_address: transaction.from_address,
    to_address: transaction.to_address,
    tx_hash: transaction.tx_hash,
    provider_transaction_id: transaction.provider_transaction_id,
    provider_wallet_reference: `${transaction.merchant_id}/${transaction.user_reference}`,
    trn_provider_ref: PROVIDER,
    failure_reason: transaction.failure_reason,
    transaction_data: done ? providerDetail(transaction, currency.code, NETWORKS[currency.network].chainId) : {},
    user_ref_id: transaction.user_reference,
    inserted_at: iso(transaction.inserted_at),
    updated_at: iso(transaction.updated_at),
    completed_at: transaction.completed_at === null ? null : iso(transaction.completed_at),
  }
}

function providerDetail(transaction: Transaction, code: string, chainId: number | null) {
  const chain = chainId === null ? {} : { chain_id: chainId }
  return {
    amount: transaction.amount,
    amount_usd: toUsd(transaction.amount, code),
    ...chain,
    created_at: iso(transaction.inserted_at),
    currency: code,
    event: `${transaction.type.toLowerCase()}.confirmed`,
    crypto_transaction: {
      ...chain,
      created_at: iso(transaction.inserted_at),
      payment_id: transaction.provider_transaction_id,
      status: 'confirmed',
      transaction_hash: transaction.tx_hash,
      type: transaction.type.toLowerCase(),
      updated_at: iso(transaction.updated_at),
    },
  }
}
