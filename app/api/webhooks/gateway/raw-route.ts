/**
 * The gateway's signed events on Node's own objects: webhooks come in bursts of thousands, and a Web `Request` for each
 * would cost a third of the time. Here each value of a repeated header is visible by itself, too.
 */
import type { IncomingMessage } from 'node:http'
import { getApp, type App } from '#lib/server/runtime/app.ts'
import { problemAnswer, type Answer } from '#lib/server/runtime/http/problem-answer.ts'
import { rawBody, tooLarge } from '#lib/server/runtime/http/raw-body.ts'
import type { RawHandler } from '#lib/server/runtime/http/route-table.ts'
import { writeAnswer } from '#lib/server/runtime/http/write-answer.ts'
import { MAX_WEBHOOK_BYTES, refusalOf, unverifiedWebhooks } from '#lib/server/runtime/webhook-answer.ts'
import { readHeaders, type WebhookAnswer } from '#lib/server/webhooks/receive-webhook.ts'

const JSON_HEADERS = { 'content-type': 'application/json', 'cache-control': 'no-store' }

/** All values of a header, in order. `name` in lower case. */
function headerValues({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>, name: string): readonly string[] {
  const values: string[] = []
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() === name) values.push(rawHeaders[at + 1] ?? '')
  }
  return values
}

/** Headers first: nobody's bytes are taken for a webhook that cannot be verified. */
async function outcomeOf(app: App, request: IncomingMessage): Promise<WebhookAnswer> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_WEBHOOK_BYTES) throw tooLarge(MAX_WEBHOOK_BYTES)
  const signed = {
    signature: headerValues(request, 'x-signature'),
    timestamp: headerValues(request, 'x-timestamp'),
    algorithm: headerValues(request, 'x-algorithm'),
  }
  const headers = readHeaders(signed)
  if ('fault' in headers) return { status: 401, detail: headers.fault }
  const meter = unverifiedWebhooks.meter()
  try {
    const body = await rawBody(request, MAX_WEBHOOK_BYTES, meter)
    const received = app.useCases.receiveWebhook({ rawBody: body, ...signed })
    // The signature has been checked by now; what waits for its commit is the gateway's.
    meter.release()
    return await received
  } finally {
    meter.release()
  }
}

async function answerOf(app: App, request: IncomingMessage, requestId: string): Promise<Answer> {
  const answer = await outcomeOf(app, request)
  if (answer.status === 200) {
    return { status: 200, headers: JSON_HEADERS, body: `{"received":true,"duplicate":${String(answer.duplicate)}}` }
  }
  const refusal = refusalOf(answer)
  app.metrics.webhook(refusal.problem.code)
  return problemAnswer(refusal.problem, requestId, {}, refusal.status)
}

export const POST: RawHandler = async (request, response, requestId) => {
  const app = getApp()
  let answer: Answer
  try {
    answer = await answerOf(app, request, requestId)
  } catch (error) {
    const problem = app.problemOf(error, requestId, 'webhooks.gateway')
    app.metrics.webhook(problem.code)
    answer = problemAnswer(problem, requestId)
  }
  writeAnswer(request, response, answer)
}
