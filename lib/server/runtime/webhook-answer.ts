import { Problem } from '#lib/contract/problems.ts'
import { byteBudget } from './http/byte-budget.ts'
import type { WebhookAnswer } from '../webhooks/receive-webhook.ts'

export const MAX_WEBHOOK_BYTES = 256 * 1024

/** What bodies of webhooks may take of the process before their signature was checked. A webhook has about 1.5 kB. */
export const unverifiedWebhooks = byteBudget({ most: 32 * 1024 * 1024, small: 16 * 1024 })

/** How a webhook that was not accepted is answered. A body that is not an event is 400, not the code's own 422. */
export const refusalOf = ({ status, detail }: Exclude<WebhookAnswer, { status: 200 }>) => ({
  status,
  problem: new Problem(status === 401 ? 'unauthenticated' : 'invalid_request', detail),
})
