import { Webhook } from 'standardwebhooks'

export interface MerchantCall {
  /** The same for every try of the same thing, so that the merchant can tell a repetition. */
  readonly id: string
  readonly body: string
  readonly nowMs: number
}

/** The headers of a call to the merchant (contract section 8, Standard Webhooks). `secret` is `whsec_` and base64. */
export function signedHeaders(secret: string, { id, body, nowMs }: MerchantCall): Readonly<Record<string, string>> {
  const sentAt = new Date(nowMs)
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(nowMs / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, sentAt, body),
  }
}
