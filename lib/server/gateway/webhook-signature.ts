import { verify, type KeyObject } from 'node:crypto'

export interface SignedWebhook {
  /** The received bytes, unchanged. */
  readonly rawBody: Uint8Array
  /** `X-Timestamp` as received. */
  readonly timestamp: string
  /** `X-Signature` as received: standard Base64. */
  readonly signature: string
  /** The gateway's RSA key, or several during a key change: a signature by any of them is accepted. */
  readonly publicKey: KeyObject | readonly KeyObject[]
}

/**
 * Decodes standard Base64 with padding and without stray bits, else null: a signature has only one spelling, the one
 * that its bytes are encoded to.
 */
function standardBase64(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64')
  return text !== '' && bytes.toString('base64') === text ? bytes : null
}

/**
 * True if `signature` is the gateway's signature of the raw bytes followed by the timestamp text
 * (docs/internal/gateway.md, "Webhook signature"). The caller checks the form and age of the timestamp.
 */
export function verifyWebhookSignature({ rawBody, timestamp, signature, publicKey }: SignedWebhook): boolean {
  const bytes = standardBase64(signature)
  if (bytes === null) return false
  // One call costs less than half of a `Verify` object, although it copies the body. The default padding for RSA is
  // PKCS #1 v1.5.
  const signed = Buffer.concat([rawBody, Buffer.from(timestamp, 'utf8')])
  const keys: readonly KeyObject[] = Array.isArray(publicKey) ? publicKey : [publicKey]
  return keys.some((key) => verify('RSA-SHA256', signed, key, bytes))
}
