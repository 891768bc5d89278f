/** Texts of webhooks as they are stored: a third of their size. */
import { deflateRawSync, inflateRawSync } from 'node:zlib'

/**
 * What most webhooks have in common, the most frequent part last: names of fields in the order of the gateway's
 * documentation, and words. It is part of the stored format, so it never changes: another one needs another first byte.
 */
const COMMON = Buffer.from(
  [
    '"failed","pending","processing","payment_method":"Payout""User Payout""transaction_type":"Payout"null,',
    '{"event":"User Onramp","transaction":{"id":"","status":"succeeded","transaction_type":"onramp","date":"2026-',
    '"to_amount":,"to_currency":{"code":"","name":"","network":""},"from_amount":,"from_currency":"EUR"},',
    '"correlation_key":"","session_reference":"","currency_icon":"https://","network_icon":"https://',
    'Bitcoin","symbol":"BTC","Ethereum","symbol":"ETH","Tether USD","symbol":"USDT","USD Coin","symbol":"USDC"',
    '{"event":"User Deposit","transaction":{"id":"","status":"succeeded","date":"2026-T:00Z","currency":{"id":"',
    '","name":"","symbol":"","network":"Tron","token_address":"","currency_icon":null,"network_icon":null,',
    '"currency_code":"USDT"},"amount":,"provider_transaction_id":"","to_address":"","from_address":"","tx_hash":"',
    '","transaction_type":"Deposit","amount_usd":},"transaction_uuid":"","user_reference":"',
    '","merchant_reference":"","payment_method":"Deposit"}',
  ].join(''),
)
/** Small memory: most texts are short, and each call allocates it. */
const OPTIONS = { dictionary: COMMON, windowBits: 12, memLevel: 4, chunkSize: 1024 }
const DEFLATED = Buffer.of(1)

export const packText = (text: string): Uint8Array => Buffer.concat([DEFLATED, deflateRawSync(text, OPTIONS)])

/** @throws RangeError if another program wrote it */
export function unpackText(packed: Uint8Array): string {
  if (packed[0] !== DEFLATED[0]) throw new RangeError(`a stored text of an unknown kind: ${String(packed[0])}`)
  return inflateRawSync(packed.subarray(1), OPTIONS).toString('utf8')
}

/** A row with its `body` as text. */
export const unpackBody = <Row extends { readonly body: Uint8Array }>(row: Row) => ({
  ...row,
  body: unpackText(row.body),
})
