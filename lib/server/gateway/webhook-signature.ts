import { constants, verify, type KeyObject } from 'node:crypto'

export interface SignedWebhook {
  /** The bytes received, untouched. */
  readonly rawBody: Uint8Array
  /** `X-Timestamp` as it came. */
  readonly timestamp: string
  /** `X-Signature` as it came: standard Base64. */
  readonly signature: string
  /** The gateway's RSA key. */
  readonly publicKey: KeyObject
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** Standard Base64 with its padding and without stray bits, or null: one signature has one spelling. */
function standardBase64(text: string): Buffer | null {
  if (!BASE64.test(text)) return null
  const bytes = Buffer.from(text, 'base64')
  return bytes.toString('base64') === text ? bytes : null
}

/**
 * True where `signature` is the gateway's over the raw bytes followed by the timestamp text
 * (spec: "Webhook authentication"). The form and age of the timestamp are the caller's to judge.
 */
export function verifyWebhookSignature({ rawBody, timestamp, signature, publicKey }: SignedWebhook): boolean {
  const bytes = standardBase64(signature)
  if (bytes === null) return false
  // One call costs less than half of a Verify object, whose stream machinery outweighs a copy of the body.
  const signed = Buffer.concat([rawBody, Buffer.from(timestamp, 'utf8')])
  return verify('RSA-SHA256', signed, { key: publicKey, padding: constants.RSA_PKCS1_PADDING }, bytes)
}
