/** Deliveries and attempts as the console shows them. */
import * as z from 'zod/mini'
import type { Delivery, DeliveryAttempt } from '#lib/contract/operate/deliveries.ts'
import type { AttemptSummary, DeliveryAttemptRow, DeliveryRow } from '../../store/types.ts'

/** The cursors of the merchant's feed, which name deliveries. */
export interface DeliveryIds {
  /** @throws Problem `invalid_request`, `cursor_lost` */
  read(ids: readonly string[], field: string): Promise<readonly number[]>
  /** A function that names a number of the feed. */
  writer(): Promise<(number: number) => string>
}

const eventData = z.object({
  kind: z.string(),
  status: z.string(),
  transaction_uuid: z.nullable(z.string()),
  amount: z.nullable(z.string()),
  currency_code: z.string(),
  network: z.string(),
  user_reference_id: z.nullable(z.string()),
})

const WITHDRAWAL = 'withdrawal:'

export const isoOf = (ms: number): string => new Date(ms).toISOString()

/** @param summary of its attempts; undefined if none is stored */
export function deliveryShape(
  row: DeliveryRow,
  summary: AttemptSummary | undefined,
  nameOf: (number: number) => string,
): Delivery {
  const { data, entity } = row
  const { kind, status, transaction_uuid, amount, currency_code, network, user_reference_id } = eventData.parse(
    JSON.parse(data),
  )
  return {
    id: nameOf(row.cursor),
    created_at: isoOf(row.created_ms),
    kind,
    status,
    transaction_uuid,
    withdrawal_id: entity.startsWith(WITHDRAWAL) ? entity.slice(WITHDRAWAL.length) : null,
    user_reference_id,
    amount,
    currency_code,
    network,
    state: row.state,
    sending: row.sending === 1,
    attempts: summary?.count ?? 0,
    next_at: row.next_ms === null ? null : isoOf(row.next_ms),
    waits_for: row.waits_for === null ? null : nameOf(row.waits_for),
    last:
      summary === undefined
        ? null
        : { outcome: summary.last.outcome, error: summary.last.error, at: isoOf(summary.last.ended_ms) },
  }
}

export const attemptShape = (row: DeliveryAttemptRow): DeliveryAttempt => ({
  id: String(row.id),
  attempt: row.attempt,
  began_at: isoOf(row.began_ms),
  milliseconds: row.ended_ms - row.began_ms,
  outcome: row.outcome,
  error: row.error,
  webhook_id: row.webhook_id,
  webhook_timestamp: String(Math.floor(row.began_ms / 1000)),
  signature: row.signature,
  body: row.body,
  reply_head: row.reply_head,
  reply_body: row.reply_body,
})

/** The address of the webhook as people may see it: a password or a key may stand in it. */
export function shownEndpoint(url: string | null): string | null {
  if (url === null) return null
  const { origin, pathname } = new URL(url)
  return origin + pathname
}
