import { Problem } from '#lib/contract/problems.ts'
import type { NewDeliveryAttempt } from '../store/types.ts'
import { attemptRecord } from './attempt-record.ts'
import { postSigned, type PostOptions } from './outbound-call.ts'

export interface TestEventResult {
  /** The status of the merchant's answer; null if none came. */
  readonly status: number | null
  readonly milliseconds: number
  /** The reason of a missing answer. */
  readonly error: string | null
}

export interface TestEventOptions extends Omit<PostOptions, 'url'> {
  /** `MERCHANT_WEBHOOK_URL`; null if it is not set. */
  readonly url: string | null
  readonly newId: () => string
  /** Stores the attempt; it must not reject. */
  readonly record?: (attempt: NewDeliveryAttempt) => Promise<void>
}

/**
 * `POST /api/merchant/test-event` (docs/reference/merchant-api.md, "Send a test event to your webhook"): one call to
 * the merchant's webhook, signed like every event and never retried.
 * @throws Problem `not_available` without `MERCHANT_WEBHOOK_URL`
 */
export const createSendTestEvent =
  ({ url, newId, record, ...options }: TestEventOptions) =>
  async (): Promise<TestEventResult> => {
    if (url === null) throw new Problem('not_available', 'No merchant webhook is set up here.')
    const id = `test_${newId()}`
    const body = JSON.stringify({ type: 'test', timestamp: new Date(options.clock()).toISOString(), data: {} })
    const exchange = await postSigned({ ...options, url }, { id, body })
    await record?.(attemptRecord(exchange, { id, body, cursor: null, attempt: 1 }))
    return {
      status: exchange.reply?.status ?? null,
      error: exchange.fault?.error ?? null,
      milliseconds: exchange.endedMs - exchange.beganMs,
    }
  }
