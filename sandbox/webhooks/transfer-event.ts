import { currencyById } from '../currencies/find-currency.ts'
import { presentEventCurrency } from '../currencies/present-currency.ts'
import { jsonNumber } from '../money/json-text.ts'
import { toUsd } from '../money/prices.ts'
import type { Transaction } from '../state/transactions.ts'

/** The status that deposit and payout events carry; `failed` is not in the spec and is off by default. */
export type TransferStatus = 'processing' | 'succeeded' | 'failed'

/** Spec, Events: the payload of `User Deposit` and `User Payout`. Amounts are JSON numbers with every digit. */
export function transferEvent(transaction: Transaction, status: TransferStatus, origin: string) {
  const currency = currencyById(transaction.currency_id)
  return {
    event: `User ${transaction.type}`,
    transaction: {
      id: transaction.uuid,
      status,
      date: new Date(transaction.updated_at).toISOString(),
      currency: presentEventCurrency(currency, origin),
      amount: jsonNumber(transaction.amount),
      provider_transaction_id: transaction.provider_transaction_id ?? '',
      to_address: transaction.to_address,
      from_address: transaction.from_address ?? '',
      tx_hash: transaction.tx_hash ?? '',
      transaction_type: transaction.type,
      amount_usd: jsonNumber(toUsd(transaction.amount, currency.code)),
    },
    transaction_uuid: transaction.uuid,
    user_reference: transaction.user_reference,
    merchant_reference: transaction.merchant_id,
    payment_method: transaction.type,
  }
}
