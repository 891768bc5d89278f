/** A call to the merchant: its signature, its reply, and its failure. */
import { Webhook } from 'standardwebhooks'
import { callFault, type CallFault } from './call-fault.ts'
import { keptReply, type KeptReply } from './kept-reply.ts'

export interface MerchantCall {
  /** The same for every attempt, so that the merchant recognizes a repetition. */
  readonly id: string
  readonly body: string
  readonly nowMs: number
}

/**
 * The headers of a call to the merchant (docs/reference/merchant-api.md, "Calls that you get"), with one signature per
 * secret.
 * @param secrets each is `whsec_` and base64
 */
export function signedHeaders(
  secrets: readonly string[],
  { id, body, nowMs }: MerchantCall,
): Readonly<Record<'content-type' | 'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>> {
  const sentAt = new Date(nowMs)
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(nowMs / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, sentAt, body)).join(' '),
  }
}

/** The reply is larger than the limit. */
class TooLargeError extends Error {
  override readonly name = 'TooLargeError'
}

/** The bytes of a reply. @throws TooLargeError above `limit`, without waiting for the rest */
export async function readCapped(response: Response, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length
    if (size > limit) throw new TooLargeError(`more than ${limit} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const MOST_CHARACTERS = 200

/** Why a call to the merchant failed, for logs and records: the code or message of the cause, never a body. */
export function describeFault(error: unknown): string {
  if (!(error instanceof Error)) return 'the call failed'
  if (error.name === 'TimeoutError') return 'no answer in time'
  const { cause } = error
  const code = cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : null
  const text = cause instanceof Error ? `${error.message}: ${code ?? cause.message}` : error.message
  return text.slice(0, MOST_CHARACTERS)
}

export interface PostOptions {
  readonly url: string
  readonly secrets: readonly string[]
  /** What is removed from a reply besides `secrets`, if the merchant should send it back. */
  readonly otherSecrets?: readonly string[]
  readonly fetch: typeof globalThis.fetch
  readonly clock: () => number
  readonly timeoutMs: number
}

/** One call and its reply. */
export interface MerchantExchange {
  readonly beganMs: number
  readonly endedMs: number
  /** The header `webhook-signature`. */
  readonly signature: string
  /** Null if no reply came. */
  readonly reply: (KeptReply & { readonly status: number }) | null
  /** Null if a reply came. */
  readonly fault: { readonly kind: CallFault; readonly error: string } | null
}

/** Makes one signed call, of whose answer only the status counts. Follows no redirect, and never rejects. */
export async function postSigned(
  { url, secrets, otherSecrets = [], fetch, clock, timeoutMs }: PostOptions,
  { id, body }: Pick<MerchantCall, 'id' | 'body'>,
): Promise<MerchantExchange> {
  const beganMs = clock()
  const headers = signedHeaders(secrets, { id, body, nowMs: beganMs })
  const sent = { beganMs, signature: headers['webhook-signature'] }
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal })
    const reply = await keptReply(response, [...secrets, ...otherSecrets])
    return { ...sent, endedMs: clock(), reply: { status: response.status, ...reply }, fault: null }
  } catch (error) {
    const fault = { kind: callFault(error), error: describeFault(error) }
    return { ...sent, endedMs: clock(), reply: null, fault }
  }
}
