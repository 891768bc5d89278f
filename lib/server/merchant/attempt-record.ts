import type { NewDeliveryAttempt } from '../store/types.ts'
import type { MerchantExchange } from './outbound-call.ts'

/** Why an attempt failed; null after a 2xx. */
export function failureOf({ reply, fault }: MerchantExchange): string | null {
  if (reply === null) return fault?.error ?? 'no reply'
  return reply.status >= 200 && reply.status < 300 ? null : `status ${String(reply.status)}`
}

interface Attempt {
  /** The event's; null for a test event. */
  readonly cursor: number | null
  readonly attempt: number
  readonly id: string
  readonly body: string
}

/** An attempt as it is stored. */
export const attemptRecord = (
  exchange: MerchantExchange,
  { id, body, cursor, attempt }: Attempt,
): NewDeliveryAttempt => ({
  cursor,
  attempt,
  began_ms: exchange.beganMs,
  ended_ms: exchange.endedMs,
  outcome: exchange.reply === null ? (exchange.fault?.kind ?? 'broken') : String(exchange.reply.status),
  error: failureOf(exchange),
  webhook_id: id,
  signature: exchange.signature,
  body,
  reply_head: exchange.reply?.head ?? null,
  reply_body: exchange.reply?.body ?? null,
})
