import type { SignedWebhook } from '../gateway/webhook-signature.ts'

/** `X-Signature` and `X-Timestamp` of a webhook with valid headers. */
export type SignatureHeaders = Pick<SignedWebhook, 'signature' | 'timestamp'>

const TIMESTAMP = /^[1-9]\d{9}$/

/**
 * Reads the three headers, each exactly once and in its format (docs/internal/gateway.md, "Webhook signature"); else
 * returns the fault.
 * @param values gives the values of a header by its lower-case name, not joined
 */
export function readSignatureHeaders(
  values: (name: string) => readonly string[],
): SignatureHeaders | { readonly fault: string } {
  const found: string[] = []
  for (const name of ['X-Signature', 'X-Timestamp', 'X-Algorithm']) {
    const [value, ...more] = values(name.toLowerCase())
    if (value === undefined || more.length > 0) return { fault: `${name} must be sent once` }
    found.push(value)
  }
  const [signature = '', timestamp = '', algorithm] = found
  if (algorithm !== 'RSA-SHA256') return { fault: 'X-Algorithm must be RSA-SHA256' }
  if (!TIMESTAMP.test(timestamp)) return { fault: 'X-Timestamp must be seconds since 1970' }
  return { signature, timestamp }
}
