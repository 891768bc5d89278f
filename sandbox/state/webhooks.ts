import { z } from 'zod'
import type { Database } from './database.ts'

export const WEBHOOK_STATES = ['queued', 'held', 'delivered', 'dropped', 'given_up', 'unsent'] as const
export type WebhookState = (typeof WEBHOOK_STATES)[number]

export const SIGNINGS = ['right', 'wrong', 'other_key', 'stale'] as const
export type Signing = (typeof SIGNINGS)[number]

export const webhookSchema = z.object({
  id: z.number(),
  merchant_id: z.string(),
  event: z.string(),
  transaction_uuid: z.string(),
  status: z.string(),
  ordering_key: z.string(),
  body: z.string(),
  signing: z.enum(SIGNINGS),
  state: z.enum(WEBHOOK_STATES),
  attempts: z.number(),
  due_at: z.number(),
  created_at: z.number(),
})

/**
 * One delivery. Deliveries with the same `ordering_key` are sent one after the other. `due_at` is real time, because
 * the offset of the gateway's clock must not delay deliveries.
 */
export type Webhook = z.infer<typeof webhookSchema>
export type NewWebhook = Omit<Webhook, 'id' | 'attempts'>

export const attemptSchema = z.object({
  id: z.number(),
  webhook_id: z.number(),
  url: z.string(),
  sent_at: z.number(),
  x_timestamp: z.string(),
  response_status: z.number().nullable(),
  response_body: z.string().nullable(),
  error: z.string().nullable(),
  took_ms: z.number(),
})

export type WebhookAttempt = z.infer<typeof attemptSchema>

export function insertWebhook(database: Database, made: NewWebhook): number {
  return database.run(
    `INSERT INTO webhooks (merchant_id, event, transaction_uuid, status, ordering_key, body, signing, state, due_at, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    made.merchant_id,
    made.event,
    made.transaction_uuid,
    made.status,
    made.ordering_key,
    made.body,
    made.signing,
    made.state,
    made.due_at,
    made.created_at,
  ).id
}

/** Due deliveries, oldest first. */
export const dueWebhooks = (database: Database, now: number, limit: number): readonly Webhook[] =>
  database
    .all(`SELECT * FROM webhooks WHERE state = 'queued' AND due_at <= ? ORDER BY id LIMIT ?`, now, limit)
    .map((row) => webhookSchema.parse(row))

export function nextDue(database: Database, after: number): number | null {
  const row = database.one(`SELECT min(due_at) AS due FROM webhooks WHERE state = 'queued' AND due_at > ?`, after)
  return z
    .number()
    .nullable()
    .parse(row?.['due'] ?? null)
}

export function findWebhook(database: Database, id: number): Webhook | null {
  const row = database.one('SELECT * FROM webhooks WHERE id = ?', id)
  return row ? webhookSchema.parse(row) : null
}

export interface WebhookChange {
  readonly state: WebhookState
  readonly attempts: number
  readonly dueAt: number
  readonly signing?: Signing
}

export function setWebhook(database: Database, id: number, change: WebhookChange): void {
  database.run(
    'UPDATE webhooks SET state = ?, attempts = ?, due_at = ?, signing = coalesce(?, signing) WHERE id = ?',
    change.state,
    change.attempts,
    change.dueAt,
    change.signing ?? null,
    id,
  )
}

/** Queues deliveries that were held back to arrive after a later event. */
export const queueHeld = (database: Database, merchantId: string, beforeId: number, now: number): number =>
  database.run(
    `UPDATE webhooks SET state = 'queued', due_at = ? WHERE state = 'held' AND merchant_id = ? AND id < ?`,
    now,
    merchantId,
    beforeId,
  ).changes

/** Makes every waiting delivery due now: `due_at` zero, held ones too. */
export const makeAllDue = (database: Database): number =>
  database.run(`UPDATE webhooks SET state = 'queued', due_at = 0 WHERE state IN ('queued', 'held')`).changes

export function insertAttempt(database: Database, made: Omit<WebhookAttempt, 'id'>): void {
  database.run(
    `INSERT INTO webhook_attempts (webhook_id, url, sent_at, x_timestamp, response_status, response_body, error, took_ms)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    made.webhook_id,
    made.url,
    made.sent_at,
    made.x_timestamp,
    made.response_status,
    made.response_body,
    made.error,
    made.took_ms,
  )
}

export const attemptsOf = (database: Database, webhookId: number): readonly WebhookAttempt[] =>
  database
    .all('SELECT * FROM webhook_attempts WHERE webhook_id = ? ORDER BY id', webhookId)
    .map((row) => attemptSchema.parse(row))

export interface WebhookSearch {
  readonly transactionUuid: string | null
  readonly userReference: string | null
  readonly state: WebhookState | null
  readonly after: number
  /** Only webhooks with a delivery attempt after this attempt's id; the webhook of the newest attempt first. */
  readonly attemptAfter: number | null
  readonly limit: number
}

/** Newest first. */
export const searchWebhooks = (database: Database, search: WebhookSearch): readonly Webhook[] =>
  database
    .all(
      `SELECT * FROM webhooks WHERE (?1 IS NULL OR transaction_uuid = ?1) AND (?2 IS NULL OR state = ?2) AND id > ?3
         AND (?5 IS NULL OR (json_valid(body) AND json_extract(body, '$.user_reference') = ?5))
         AND (?6 IS NULL OR id IN (SELECT webhook_id FROM webhook_attempts WHERE id > ?6))
         ORDER BY iif(?6 IS NULL, id, (SELECT max(id) FROM webhook_attempts WHERE webhook_id = webhooks.id)) DESC LIMIT ?4`,
      search.transactionUuid,
      search.state,
      search.after,
      search.limit,
      search.userReference,
      search.attemptAfter,
    )
    .map((row) => webhookSchema.parse(row))
