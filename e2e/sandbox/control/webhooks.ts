import { z } from 'zod'
import type { Context } from '../context.ts'
import { Refusal } from '../lifecycle/refusal.ts'
import { text, webAddress } from '../operations/fields.ts'
import {
  SIGNINGS,
  WEBHOOK_STATES,
  attemptsOf,
  findWebhook,
  hurry,
  searchWebhooks,
  setWebhook,
} from '../state/webhooks.ts'
import type { Webhook } from '../state/webhooks.ts'
import { post } from '../webhooks/post.ts'
import { signWebhook, timestampText } from '../webhooks/sign-webhook.ts'
import { merchantNamed } from './merchant-named.ts'
import { limit, nothing, route } from './route.ts'

const shown = (webhook: Webhook, context: Context) => ({ ...webhook, log: attemptsOf(context.database, webhook.id) })

const sendSchema = z.strictObject({
  raw: z.string().optional(),
  raw_base64: z.base64().optional(),
  merchant_id: text.optional(),
  url: webAddress.optional(),
  signing: z.enum(SIGNINGS).default('right'),
  /** The text of X-Timestamp, signed with the body; now when left out. */
  timestamp: z.string().optional(),
  /** Added to the headers, or in place of them; null leaves one out. */
  headers: z.record(z.string(), z.string().nullable()).default({}),
})

/** Signs and sends any bytes at once, and tells what the receiver answered. */
async function send(input: z.infer<typeof sendSchema>, context: Context) {
  const url = input.url ?? merchantNamed(context, input.merchant_id).webhook_url
  if (url === null) throw new Refusal(422, 'the merchant has no webhook_url')
  const body = input.raw_base64 === undefined ? Buffer.from(input.raw ?? '') : Buffer.from(input.raw_base64, 'base64')
  const timestamp = input.timestamp ?? timestampText(context.now(), input.signing)
  const headers = new Map<string, string | null>(
    Object.entries(await signWebhook(body, timestamp, context.gatewayKey, input.signing)),
  )
  for (const [name, value] of Object.entries(input.headers)) headers.set(name.toLowerCase(), value)
  const sent = Object.fromEntries([...headers].filter((header): header is [string, string] => header[1] !== null))
  return post(url, body, sent, context.modes.read().webhook_timeout_ms)
}

export const webhookRoutes = [
  route(
    'GET',
    '/control/webhooks',
    'The delivery log, newest first: ?transaction_uuid=&state=&after=&limit=.',
    z.strictObject({
      transaction_uuid: text.optional(),
      state: z.enum(WEBHOOK_STATES).optional(),
      after: z.coerce.number().int().default(0),
      limit: limit.default(100),
    }),
    (input, _, context) => ({
      webhooks: searchWebhooks(context.database, {
        transactionUuid: input.transaction_uuid ?? null,
        state: input.state ?? null,
        after: input.after,
        limit: input.limit,
      }).map((webhook) => shown(webhook, context)),
    }),
  ),
  route(
    'POST',
    '/control/webhooks/:id/redeliver',
    'Sends one again, rightly signed, with all its retries.',
    nothing,
    (_, { id = '' }, context) => {
      const webhook = findWebhook(context.database, Number(id))
      if (!webhook) throw new Refusal(404, `no webhook ${id}`)
      setWebhook(context.database, webhook.id, { state: 'queued', attempts: 0, dueAt: 0, signing: 'right' })
      context.wakeCourier()
      return { webhook: findWebhook(context.database, webhook.id) }
    },
  ),
  route(
    'POST',
    '/control/webhooks/flush',
    'Sends all that waits (retries, delayed, held back) at once.',
    nothing,
    (_, __, context) => {
      const flushed = hurry(context.database)
      context.wakeCourier()
      return { flushed }
    },
  ),
  route(
    'POST',
    '/control/webhooks/send',
    'Signs and sends any body: {raw | raw_base64, signing?, timestamp?, headers?, url?, merchant_id?}; answers with what the receiver said.',
    sendSchema,
    (input, _, context) => send(input, context),
  ),
]
