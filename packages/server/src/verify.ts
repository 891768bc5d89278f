import { Webhook } from 'standardwebhooks'
import type { AuthorizationRequest, TestEvent, TransactionUpdated } from './api-types.ts'

/** Headers of Node or the Web. */
export type GivenHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

/** The call is not from the cashier, is too old, or has an unexpected body. Answer 401. */
export class NotVerifiedError extends Error {
  override readonly name = 'NotVerifiedError'
}

export interface Verifier {
  /**
   * The body of a call to `MERCHANT_WEBHOOK_URL`.
   * @param rawBody the bytes as they came, or their text
   * @throws NotVerifiedError
   */
  event(rawBody: Uint8Array | string, headers: GivenHeaders): TransactionUpdated | TestEvent
  /** The body of a call to `MERCHANT_AUTHORIZE_URL`. @throws NotVerifiedError */
  authorization(rawBody: Uint8Array | string, headers: GivenHeaders): AuthorizationRequest
}

const NAMES = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const

function pick(headers: GivenHeaders): Record<string, string> {
  const valueOf = (name: string): string => {
    const value = headers instanceof Headers ? headers.get(name) : headers[name]
    return typeof value === 'string' ? value : ''
  }
  return Object.fromEntries(NAMES.map((name) => [name, valueOf(name)]))
}

/**
 * Verifies a call of the cashier: its signature, and that its time differs by at most five minutes.
 * @param secrets `MERCHANT_WEBHOOK_SECRET`; several during a change, one of which must verify
 */
export function createVerifier(...secrets: readonly [string, ...string[]]): Verifier {
  const webhooks = secrets.map((secret) => new Webhook(secret))
  const read = (rawBody: Uint8Array | string, headers: GivenHeaders, has: string): object => {
    const text = typeof rawBody === 'string' ? rawBody : new TextDecoder('utf-8', { ignoreBOM: true }).decode(rawBody)
    let cause: unknown
    for (const webhook of webhooks) {
      try {
        const body: unknown = webhook.verify(text, pick(headers))
        if (typeof body === 'object' && body !== null && has in body) return body
        cause = new TypeError(`the body has no ${has}`)
      } catch (error) {
        cause = error
      }
    }
    const detail = cause instanceof Error ? cause.message : 'unknown'
    throw new NotVerifiedError(`not verified: ${detail}`, { cause })
  }
  return {
    event: (rawBody, headers) => read(rawBody, headers, 'type') as TransactionUpdated | TestEvent,
    authorization: (rawBody, headers) => read(rawBody, headers, 'withdrawal_id') as AuthorizationRequest,
  }
}
