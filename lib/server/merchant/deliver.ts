import type { DueDelivery } from '../store/port.ts'
import { describeFault } from './describe-fault.ts'
import { readCapped } from './read-capped.ts'
import { signedHeaders } from './sign-call.ts'

const MOST_REPLY_BYTES = 64 * 1024

export interface DeliverOptions {
  readonly url: string
  readonly secret: string
  readonly fetch: typeof globalThis.fetch
  readonly clock: () => number
  readonly timeoutMs: number
}

/** Stable over tries, and another one even where a restored database gives a cursor again. */
const idOf = ({ cursor, created_ms }: DueDelivery): string => `evt_${cursor}_${created_ms}`

/** `data` goes as it is stored. */
const bodyOf = ({ created_ms, data }: DueDelivery): string =>
  `{"type":"transaction.updated","timestamp":"${new Date(created_ms).toISOString()}","data":${data}}`

/** One try to tell the merchant (contract section 8). Null once a 2xx has come, else why not. Redirects are not followed. */
export async function deliver(options: DeliverOptions, delivery: DueDelivery): Promise<string | null> {
  const { url, secret, fetch, clock, timeoutMs } = options
  const body = bodyOf(delivery)
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: signedHeaders(secret, { id: idOf(delivery), body, nowMs: clock() }),
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    // Its status is the answer; the rest is taken only so that the connection can be used again.
    await readCapped(response, MOST_REPLY_BYTES).catch(() => undefined)
    return response.ok ? null : `status ${response.status}`
  } catch (error) {
    return describeFault(error)
  }
}
