import type { HeaderReader } from '#lib/server/runtime/http/require-origin.ts'
import { readBytes } from '#lib/server/runtime/http/request-body.ts'
import { problemResponse } from '#lib/server/runtime/http/problem-answer.ts'
import { handler } from '#lib/server/runtime/http/route-handler.ts'
import { jsonResponse } from '#lib/server/runtime/http/answer.ts'
import { MAX_WEBHOOK_BYTES, refusalOf } from '#lib/server/runtime/webhook-answer.ts'

/** `Headers` joins repeated headers with a comma; a joined signature, timestamp or algorithm is refused like two. */
const values = (headers: HeaderReader, name: string): readonly string[] => {
  const value = headers.get(name)
  return value === null ? [] : [value]
}

/** The gateway's signed events. `server.ts` answers it by `raw-route.ts`. */
export const POST = handler('webhooks.gateway', async ({ app, request, requestId }) => {
  const { headers } = request
  const answer = await app.useCases.receiveWebhook({
    rawBody: await readBytes(request, MAX_WEBHOOK_BYTES),
    signature: values(headers, 'x-signature'),
    timestamp: values(headers, 'x-timestamp'),
    algorithm: values(headers, 'x-algorithm'),
  })
  if (answer.status === 200) return jsonResponse(200, { received: true, duplicate: answer.duplicate })
  const refusal = refusalOf(answer)
  app.metrics.webhook(refusal.problem.code)
  return problemResponse(refusal.problem, requestId, refusal.status)
})
