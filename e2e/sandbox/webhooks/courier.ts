import type { Database } from '../state/database.ts'
import type { MerchantStore } from '../state/merchants.ts'
import type { ModeStore } from '../state/modes.ts'
import { dueWebhooks, findWebhook, insertAttempt, nextDue, releaseHeld, setWebhook } from '../state/webhooks.ts'
import type { Signing, Webhook } from '../state/webhooks.ts'
import { findTransaction, noteCallback } from '../state/transactions.ts'
import { post } from './post.ts'
import type { WebhookHeaders } from './sign-webhook.ts'

export interface CourierParts {
  readonly database: Database
  readonly modes: ModeStore
  readonly merchants: MerchantStore
  readonly now: () => number
  readonly log: (line: string) => void
  readonly sign: (body: Buffer, signing: Signing) => Promise<WebhookHeaders>
}

export interface Courier {
  /** Looks for due deliveries after the current commit. */
  readonly wake: () => void
  /** Sends nothing new and waits for what is on its way. */
  readonly stop: () => Promise<void>
}

const AT_ONCE = 32

/**
 * Delivers queued webhooks. Events of one lane go one after the other; a delivery that failed
 * waits for its next turn without holding up the others. Any 2xx is a success.
 */
export function startCourier({ database, modes, merchants, now, log, sign }: CourierParts): Courier {
  const busy = new Map<string, Promise<void>>()
  let timer: NodeJS.Timeout | null = null
  let stopped = false
  let looking = false

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
    const answer = await post(url, body, headers, modes.read().webhook_timeout_ms)
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
      releaseHeld(database, webhook.merchant_id, webhook.id, realNow)
      if (state !== 'queued' && findTransaction(database, webhook.transaction_uuid)) {
        noteCallback(database, webhook.transaction_uuid, delivered ? 'CALLBACK_SUCCEEDED' : 'CALLBACK_FAILED')
      }
    })
  }

  function look(): void {
    looking = false
    if (stopped) return
    for (const webhook of dueWebhooks(database, Date.now(), AT_ONCE * 8)) {
      if (busy.size >= AT_ONCE) break
      if (busy.has(webhook.lane)) continue
      const work = deliver(webhook)
        .catch((error: unknown) => log(`webhook ${webhook.id}: ${String(error)}`))
        .finally(() => {
          busy.delete(webhook.lane)
          wake()
        })
      busy.set(webhook.lane, work)
    }
    sleep()
  }

  function sleep(): void {
    if (timer) clearTimeout(timer)
    const due = nextDue(database, Date.now())
    timer = due === null ? null : setTimeout(wake, Math.min(Math.max(due - Date.now(), 0) + 1, 2 ** 31 - 1))
    timer?.unref()
  }

  function wake(): void {
    if (looking || stopped) return
    looking = true
    setImmediate(look)
  }

  wake()
  return {
    wake,
    async stop() {
      stopped = true
      if (timer) clearTimeout(timer)
      await Promise.allSettled(busy.values())
    },
  }
}
