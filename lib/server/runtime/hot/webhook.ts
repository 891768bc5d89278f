/** `POST /api/webhooks/gateway` on `node:http`: the bytes as they came, each header's values unjoined. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Problem } from '#lib/contract/problems.ts'
import { problemAnswer, problemOf, type Answer } from '../http/problem-response.ts'
import { logProblem, type ProblemLog } from '../http/handler.ts'
import type { UseCases } from '../use-cases.ts'
import { rawBody } from './raw-body.ts'

const MAX_WEBHOOK_BYTES = 256 * 1024

export interface WebhookRouteDeps {
  readonly receiveWebhook: UseCases['receiveWebhook']
  readonly log: ProblemLog
  /** The code of each that was refused or failed, for metrics; the use case counts the rest. */
  readonly count: (outcome: string) => void
}

/** Answers one request; never rejects. */
export type HotRoute = (request: IncomingMessage, response: ServerResponse, requestId: string) => Promise<void>

const JSON_HEADERS = { 'content-type': 'application/json', 'cache-control': 'no-store' }

/** All values of a header, in order. `name` in lower case. */
function headerValues({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>, name: string): readonly string[] {
  const values: string[] = []
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() === name) values.push(rawHeaders[at + 1] ?? '')
  }
  return values
}

export function webhookRoute({ receiveWebhook, log, count }: WebhookRouteDeps): HotRoute {
  const answerTo = async (request: IncomingMessage, requestId: string): Promise<Answer> => {
    if (request.method !== 'POST') throw new Problem('method_not_allowed', 'Allowed: POST.')
    const answer = await receiveWebhook({
      rawBody: await rawBody(request, MAX_WEBHOOK_BYTES),
      signature: headerValues(request, 'x-signature'),
      timestamp: headerValues(request, 'x-timestamp'),
      algorithm: headerValues(request, 'x-algorithm'),
    })
    if (answer.status === 200) {
      return { status: 200, headers: JSON_HEADERS, body: `{"received":true,"duplicate":${String(answer.duplicate)}}` }
    }
    const code = answer.status === 401 ? 'unauthenticated' : 'invalid_request'
    count(code)
    return problemAnswer(new Problem(code, answer.detail), requestId, {}, answer.status)
  }
  return async (request, response, requestId) => {
    let answer: Answer
    try {
      answer = await answerTo(request, requestId)
    } catch (error) {
      const problem = problemOf(error)
      count(problem.code)
      logProblem(log, problem, requestId, 'webhooks.gateway')
      answer = problemAnswer(problem, requestId, problem.code === 'method_not_allowed' ? { allow: 'POST' } : {})
    }
    send(request, response, answer)
  }
}

/** Writes an answer; one that comes before the body was read to its end closes the connection. */
export function send(request: IncomingMessage, response: ServerResponse, { status, headers, body }: Answer): void {
  if (response.destroyed || response.headersSent) return
  if (!request.complete) response.setHeader('connection', 'close')
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) })
  response.end(body)
}
