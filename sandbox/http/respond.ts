import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { CallOutcome } from '../faults/effects.ts'
import type { SandboxRequest } from './request-env.ts'

type Headers = Readonly<Record<string, string>>

export function respond(status: number, headers: Headers, text: string): Response {
  const body = Buffer.from(text)
  return new Response(body.length === 0 ? null : body, {
    status,
    headers: { 'cache-control': 'no-store', 'content-length': String(body.length), ...headers },
  })
}

/** The text of `Date`, by the gateway's clock. */
export const dateText = (nowMs: number): string => new Date(nowMs).toUTCString()

export const respondJson = (status: number, value: unknown, headers: Headers = {}): Response =>
  respond(status, { 'content-type': 'application/json', ...headers }, JSON.stringify(value))

/**
 * Ends a gateway call as decided. Faults that cut the connection use Node's response and socket, because a Web
 * `Response` cannot end in the middle of its body, and cannot be withheld.
 */
export function endCall(c: SandboxRequest, outcome: CallOutcome, requestId: string, nowMs: number): Response {
  const headers = { 'x-request-id': requestId }
  switch (outcome.kind) {
    case 'reply':
      return respondJson(outcome.reply.status, outcome.reply.body, headers)
    case 'raw':
      return respond(outcome.status, { ...headers, ...outcome.headers }, outcome.text)
    case 'cut':
      c.env.outgoing.socket?.destroy()
      return RESPONSE_ALREADY_SENT
    case 'cut_mid_reply': {
      const { outgoing } = c.env
      const body = Buffer.from(JSON.stringify(outcome.reply.body))
      outgoing.writeHead(outcome.reply.status, {
        'content-type': 'application/json',
        'content-length': body.length,
        date: dateText(nowMs),
        ...headers,
      })
      outgoing.write(body.subarray(0, Math.floor(body.length / 2)), () => outgoing.socket?.destroy())
      return RESPONSE_ALREADY_SENT
    }
    case 'silence':
      return RESPONSE_ALREADY_SENT
  }
}
