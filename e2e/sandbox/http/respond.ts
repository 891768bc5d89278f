import type { ServerResponse } from 'node:http'
import type { Outcome } from '../faults/effects.ts'

type Headers = Readonly<Record<string, string>>

export function respond(response: ServerResponse, status: number, headers: Headers, text: string): void {
  const body = Buffer.from(text)
  response.writeHead(status, { 'cache-control': 'no-store', 'content-length': body.length, ...headers })
  response.end(body)
}

export const respondJson = (response: ServerResponse, status: number, value: unknown, headers: Headers = {}): void => {
  respond(response, status, { 'content-type': 'application/json', ...headers }, JSON.stringify(value))
}

/** Ends a gateway call as decided, with or without an answer. */
export function finish(response: ServerResponse, outcome: Outcome, requestId: string): void {
  const headers = { 'x-request-id': requestId }
  switch (outcome.kind) {
    case 'reply':
      respondJson(response, outcome.reply.status, outcome.reply.body, headers)
      return
    case 'raw':
      respond(response, outcome.status, { ...headers, ...outcome.headers }, outcome.text)
      return
    case 'cut':
      response.socket?.destroy()
      return
    case 'cut_mid_reply': {
      const body = Buffer.from(JSON.stringify(outcome.reply.body))
      response.writeHead(outcome.reply.status, {
        'content-type': 'application/json',
        'content-length': body.length,
        ...headers,
      })
      response.write(body.subarray(0, Math.floor(body.length / 2)), () => response.socket?.destroy())
      return
    }
    case 'silence':
      return
  }
}
