/**
 * Signs webhooks as the gateway does (docs/internal/gateway.md, "Webhook signature"), so that a test can send its own.
 */
import { createSign } from 'node:crypto'

export type SignedHeaders = Readonly<Record<'x-signature' | 'x-timestamp' | 'x-algorithm', string>>

/** @param privateKey the gateway's, PEM */
export function webhookHeaders(
  privateKey: string,
  body: string | Uint8Array,
  timestampS = Math.floor(Date.now() / 1000),
): SignedHeaders {
  const timestamp = String(timestampS)
  return {
    'x-signature': createSign('RSA-SHA256').update(body).update(timestamp).sign(privateKey, 'base64'),
    'x-timestamp': timestamp,
    'x-algorithm': 'RSA-SHA256',
  }
}
