/** A call to the merchant: its signature, its reply, and its failure. */
import { Webhook } from 'standardwebhooks'

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
): Readonly<Record<string, string>> {
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

/** The bytes of a reply. Throws a `TooLargeError` above `limit`, without waiting for the rest. */
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
  readonly fetch: typeof globalThis.fetch
  readonly clock: () => number
  readonly timeoutMs: number
}

const MOST_REPLY_BYTES = 64 * 1024

/** Makes one signed call, of whose answer only the status counts. Follows no redirect, and never rejects. */
export async function postSigned(
  { url, secrets, fetch, clock, timeoutMs }: PostOptions,
  { id, body }: Pick<MerchantCall, 'id' | 'body'>,
): Promise<{ readonly status: number; readonly error: null } | { readonly status: null; readonly error: string }> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: signedHeaders(secrets, { id, body, nowMs: clock() }),
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    // The body is read so that the connection can be reused.
    await readCapped(response, MOST_REPLY_BYTES).catch(() => undefined)
    return { status: response.status, error: null }
  } catch (error) {
    return { status: null, error: describeFault(error) }
  }
}
