import { MERCHANT_REFERENCE } from '../fixtures/keys.ts'

/** A deposit's webhook body as in the spec; `amount` is written as given, because a JSON number would lose digits. */
export function depositEvent(deposit: {
  readonly uuid: string
  readonly user: string
  readonly amount: string
  readonly status: 'processing' | 'succeeded'
}): string {
  const { uuid, user, amount, status } = deposit
  const body = {
    event: 'User Deposit',
    transaction: {
      id: uuid,
      status,
      // Older deposits than the ledger's start are not booked.
      date: `${new Date().toISOString().slice(0, 19)}Z`,
      currency: {
        id: DEPOSIT_CURRENCY,
        name: 'Tether USD',
        symbol: 'USDT',
        network: 'Tron',
        token_address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
        currency_code: 'USDT',
      },
      amount: 'AMOUNT',
      provider_transaction_id: `p-${uuid}`,
      to_address: 'TGFw8hUXtARFaTqzFX9CcuP6WLNaK7NqzE',
      from_address: 'TJcFi7HPVdrNsttMsR5beocUoWM1wgpxJG',
      tx_hash: uuid.replaceAll('-', '').repeat(2),
      transaction_type: 'Deposit',
      amount_usd: 1,
    },
    transaction_uuid: uuid,
    user_reference: user,
    merchant_reference: MERCHANT_REFERENCE,
    payment_method: 'Deposit',
  }
  return JSON.stringify(body).replace('"AMOUNT"', amount)
}

export const DEPOSIT_CURRENCY = '7b0d3a3e-2f0c-4a59-9d5e-0c8f2f6f0a01'
