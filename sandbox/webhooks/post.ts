import type { WebhookHeaders } from './sign-webhook.ts'

/** The receiver's response. `status` is null if there was no response; `error` is the reason. */
export interface DeliveryResult {
  readonly status: number | null
  readonly body: string | null
  readonly error: string | null
  readonly tookMs: number
}

const MAX_BODY_CHARACTERS = 2000

function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message : error.message
}

/** Sends one event. Never throws; redirects are not followed. */
export async function postWebhook(
  url: string,
  body: Buffer,
  headers: WebhookHeaders | Readonly<Record<string, string>>,
  timeoutMs: number,
): Promise<DeliveryResult> {
  const started = performance.now()
  const tookMs = (): number => Math.round(performance.now() - started)
  try {
    const response = await fetch(url, {
      method: 'POST',
      body: new Uint8Array(body),
      headers: { 'content-type': 'application/json', ...headers },
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    const text = await response.text()
    return { status: response.status, body: text.slice(0, MAX_BODY_CHARACTERS), error: null, tookMs: tookMs() }
  } catch (error) {
    return { status: null, body: null, error: reason(error), tookMs: tookMs() }
  }
}
