import { verify, type KeyObject } from 'node:crypto'

export interface SignedWebhook {
  /** The bytes received, untouched. */
  readonly rawBody: Uint8Array
  /** `X-Timestamp` as received. */
  readonly timestamp: string
  /** `X-Signature` as received: standard Base64. */
  readonly signature: string
  /** The gateway's RSA key, or several while it changes: any may have signed. */
  readonly publicKey: KeyObject | readonly KeyObject[]
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** Decodes standard Base64 with its padding and without stray bits, else null: a signature has one spelling only. */
function standardBase64(text: string): Buffer | null {
  if (!BASE64.test(text)) return null
  const bytes = Buffer.from(text, 'base64')
  return bytes.toString('base64') === text ? bytes : null
}

/**
 * True if `signature` is the gateway's over the raw bytes followed by the timestamp text (docs/internal/gateway.md,
 * "Webhook signature"). The caller checks the form and age of the timestamp.
 */
export function verifyWebhookSignature({ rawBody, timestamp, signature, publicKey }: SignedWebhook): boolean {
  const bytes = standardBase64(signature)
  if (bytes === null) return false
  // One call costs less than half of a `Verify` object, although it copies the body. RSA's padding is PKCS #1 v1.5 where
  // none is named.
  const signed = Buffer.concat([rawBody, Buffer.from(timestamp, 'utf8')])
  const keys: readonly KeyObject[] = Array.isArray(publicKey) ? publicKey : [publicKey]
  return keys.some((key) => verify('RSA-SHA256', signed, key, bytes))
}
