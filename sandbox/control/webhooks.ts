import { z } from 'zod'
import type { Context } from '../context.ts'
import { HttpError } from '../http/http-error.ts'
import { text, webAddress } from '../operations/fields.ts'
import {
  SIGNINGS,
  WEBHOOK_STATES,
  attemptsOf,
  findWebhook,
  makeAllDue,
  searchWebhooks,
  setWebhook,
} from '../state/webhooks.ts'
import type { Webhook } from '../state/webhooks.ts'
import { postWebhook } from '../webhooks/post.ts'
import { signWebhook, timestampText } from '../webhooks/sign-webhook.ts'
import { requireMerchant } from './require-merchant.ts'
import { limit, noInput, route } from './route.ts'

const shown = (webhook: Webhook, context: Context) => ({ ...webhook, log: attemptsOf(context.database, webhook.id) })

export const sendSchema = z.strictObject({
  raw: z.string().optional(),
  raw_base64: z.base64().optional(),
  merchant_id: text.optional(),
  url: webAddress.optional(),
  signing: z.enum(SIGNINGS).default('right'),
  /** The text of X-Timestamp, signed with the body; now by default. */
  timestamp: z.string().optional(),
  /** Added to the headers, or replacing them; null removes a header. */
  headers: z.record(z.string(), z.string().nullable()).default({}),
})

/** Signs and sends any bytes immediately, and returns the receiver's response. */
async function send(input: z.infer<typeof sendSchema>, context: Context) {
  const url = input.url ?? requireMerchant(context, input.merchant_id).webhook_url
  if (url === null) throw new HttpError(422, 'the merchant has no webhook_url')
  const body = input.raw_base64 === undefined ? Buffer.from(input.raw ?? '') : Buffer.from(input.raw_base64, 'base64')
  const timestamp = input.timestamp ?? timestampText(context.now(), input.signing)
  const headers = new Map<string, string | null>(
    Object.entries(await signWebhook(body, timestamp, context.gatewayKey, input.signing)),
  )
  for (const [name, value] of Object.entries(input.headers)) headers.set(name.toLowerCase(), value)
  const sent = Object.fromEntries([...headers].filter((header): header is [string, string] => header[1] !== null))
  return postWebhook(url, body, sent, context.modes.read().webhook_timeout_ms)
}

export const webhookRoutes = [
  route(
    'GET',
    '/webhooks',
    'The delivery log, newest first: ?transaction_uuid=&user_reference=&state=&after=&attempt_after=&limit=.',
    z.strictObject({
      transaction_uuid: text.optional(),
      user_reference: text.optional(),
      state: z.enum(WEBHOOK_STATES).optional(),
      after: z.coerce.number().int().default(0),
      /** Also repeated deliveries of older webhooks. */
      attempt_after: z.coerce.number().int().optional(),
      limit: limit.default(100),
    }),
    (input, _params, context) => ({
      webhooks: searchWebhooks(context.database, {
        transactionUuid: input.transaction_uuid ?? null,
        userReference: input.user_reference ?? null,
        state: input.state ?? null,
        after: input.after,
        attemptAfter: input.attempt_after ?? null,
        limit: input.limit,
      }).map((webhook) => shown(webhook, context)),
    }),
  ),
  route(
    'POST',
    '/webhooks/:id/redeliver',
    'Sends one again with a valid signature, with all its retries.',
    noInput,
    (_input, { id = '' }, context) => {
      const webhook = findWebhook(context.database, Number(id))
      if (!webhook) throw new HttpError(404, `no webhook ${id}`)
      setWebhook(context.database, webhook.id, { state: 'queued', attempts: 0, dueAt: 0, signing: 'right' })
      context.wakeDeliveryWorker()
      return { webhook: findWebhook(context.database, webhook.id) }
    },
  ),
  route(
    'POST',
    '/webhooks/flush',
    'Sends everything that waits (retries, delayed, held back) now.',
    noInput,
    (_input, _params, context) => {
      const flushed = makeAllDue(context.database)
      context.wakeDeliveryWorker()
      return { flushed }
    },
  ),
  route(
    'POST',
    '/webhooks/send',
    'Signs and sends any body: {raw | raw_base64, signing?, timestamp?, headers?, url?, merchant_id?}; returns the response of the receiver.',
    sendSchema,
    (input, _params, context) => send(input, context),
  ),
]
