import type { SignedWebhook } from '../gateway/webhook-signature.ts'

/** `X-Signature` and `X-Timestamp` of a webhook whose headers are as they must be. */
export type SignatureHeaders = Pick<SignedWebhook, 'signature' | 'timestamp'>

const TIMESTAMP = /^[1-9]\d{9}$/

/**
 * The three headers, each exactly once and of its form (docs/internal/gateway.md, "Webhook signature"); else what is wrong with
 * them.
 * @param values of a header by its name in lower case, not joined
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
