import { Problem } from '#lib/contract/problems.ts'
import type { WebhookAnswer } from '../webhooks/receive-webhook.ts'

export const MAX_WEBHOOK_BYTES = 256 * 1024

/** How a webhook that was not accepted is answered. A body that is not an event is 400, not the code's own 422. */
export const refusalOf = ({ status, detail }: Exclude<WebhookAnswer, { status: 200 }>) => ({
  status,
  problem: new Problem(status === 401 ? 'unauthenticated' : 'invalid_request', detail),
})
