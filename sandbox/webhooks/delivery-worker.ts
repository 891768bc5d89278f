import type { Database } from '../state/database.ts'
import type { MerchantStore } from '../state/merchants.ts'
import type { ModeStore } from '../state/modes.ts'
import { dueWebhooks, findWebhook, insertAttempt, nextDue, queueHeld, setWebhook } from '../state/webhooks.ts'
import type { Signing, Webhook } from '../state/webhooks.ts'
import { findTransaction, setMerchantStatus } from '../state/transactions.ts'
import { postWebhook } from './post.ts'
import type { WebhookHeaders } from './sign-webhook.ts'

export interface DeliveryWorkerOptions {
  readonly database: Database
  readonly modes: ModeStore
  readonly merchants: MerchantStore
  readonly now: () => number
  readonly log: (line: string) => void
  readonly sign: (body: Buffer, signing: Signing) => Promise<WebhookHeaders>
}

export interface DeliveryWorker {
  /** Sends due deliveries after the current database transaction. */
  readonly wake: () => void
  /** Starts no new delivery and waits for those in flight. */
  readonly stop: () => Promise<void>
}

const MAX_IN_FLIGHT = 32

/**
 * Delivers queued webhooks. Events with the same ordering key are sent one after the other, but a delivery that failed
 * and waits for its retry does not delay the others. Any 2xx is a success.
 */
export function startDeliveryWorker({
  database,
  modes,
  merchants,
  now,
  log,
  sign,
}: DeliveryWorkerOptions): DeliveryWorker {
  const inFlight = new Map<string, Promise<void>>()
  let timer: NodeJS.Timeout | null = null
  let stopped = false
  let scheduled = false

  async function deliver(webhook: Webhook): Promise<void> {
    const url = merchants.byId(webhook.merchant_id)?.webhook_url ?? null
    const attempts = webhook.attempts + 1
    if (url === null || modes.read().webhooks === 'off') {
      setWebhook(database, webhook.id, { state: 'unsent', attempts: webhook.attempts, dueAt: webhook.due_at })
      return
    }
    const body = Buffer.from(webhook.body)
    const headers = await sign(body, webhook.signing)
    const sentAt = now()
    const answer = await postWebhook(url, body, headers, modes.read().webhook_timeout_ms)
    const delivered = answer.status !== null && answer.status >= 200 && answer.status < 300
    const wait = modes.read().webhook_retries_ms[attempts - 1]
    const state = delivered ? 'delivered' : wait === undefined ? 'given_up' : 'queued'
    const realNow = Date.now()
    database.atomically(() => {
      if (!findWebhook(database, webhook.id)) return
      insertAttempt(database, {
        webhook_id: webhook.id,
        url,
        sent_at: sentAt,
        x_timestamp: headers['x-timestamp'],
        response_status: answer.status,
        response_body: answer.body,
        error: answer.error,
        took_ms: answer.tookMs,
      })
      setWebhook(database, webhook.id, { state, attempts, dueAt: realNow + (wait ?? 0) })
      queueHeld(database, webhook.merchant_id, webhook.id, realNow)
      if (state !== 'queued' && findTransaction(database, webhook.transaction_uuid)) {
        setMerchantStatus(database, webhook.transaction_uuid, delivered ? 'CALLBACK_SUCCEEDED' : 'CALLBACK_FAILED')
      }
    })
  }

  function sendDue(): void {
    scheduled = false
    if (stopped) return
    for (const webhook of dueWebhooks(database, Date.now(), MAX_IN_FLIGHT * 8)) {
      if (inFlight.size >= MAX_IN_FLIGHT) break
      if (inFlight.has(webhook.ordering_key)) continue
      const work = deliver(webhook)
        .catch((error: unknown) => log(`webhook ${webhook.id}: ${String(error)}`))
        .finally(() => {
          inFlight.delete(webhook.ordering_key)
          wake()
        })
      inFlight.set(webhook.ordering_key, work)
    }
    scheduleNext()
  }

  function scheduleNext(): void {
    if (timer) clearTimeout(timer)
    const due = nextDue(database, Date.now())
    timer = due === null ? null : setTimeout(wake, Math.min(Math.max(due - Date.now(), 0) + 1, 2 ** 31 - 1))
    timer?.unref()
  }

  function wake(): void {
    if (scheduled || stopped) return
    scheduled = true
    setImmediate(sendDue)
  }

  wake()
  return {
    wake,
    async stop() {
      stopped = true
      if (timer) clearTimeout(timer)
      await Promise.allSettled(inFlight.values())
    },
  }
}
