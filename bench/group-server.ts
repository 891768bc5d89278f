/**
 * A bare `node:http` server that verifies the signature of each webhook and hands over all that wait as one group. It
 * takes the gateway's public key from `GATEWAY_PUBLIC_KEY` and prints its port. `GET /usage` answers as in
 * `fastify-webhooks.ts`.
 */
import { createPublicKey, verify } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface VerifiedEvent {
  readonly uuid: string
  readonly user: string
  readonly status: string
  readonly text: string
}

interface Waiting extends VerifiedEvent {
  readonly response: ServerResponse
}

interface Body {
  readonly transaction_uuid: string
  readonly user_reference: string
  readonly transaction: { readonly status: string }
}

const answer = (response: ServerResponse, status: number, value: object): void => {
  const text = JSON.stringify(value)
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
  response.end(text)
}

/** `commit` has written the group to the disk when it returns. */
export function serveGroups(commit: (group: readonly VerifiedEvent[]) => void): void {
  const key = createPublicKey(process.env['GATEWAY_PUBLIC_KEY'] ?? '')
  let waiting: Waiting[] = []

  /** Commits once a turn of the event loop has brought no more events. */
  function gather(before: number): void {
    setImmediate(() => {
      if (waiting.length > before) {
        gather(waiting.length)
        return
      }
      const group = waiting
      waiting = []
      commit(group)
      for (const { response } of group) answer(response, 200, { received: true, duplicate: false })
    })
  }

  function receive({ headers }: IncomingMessage, body: Buffer, response: ServerResponse): void {
    const { 'x-signature': signature = '', 'x-timestamp': timestamp = '' } = headers
    const signed = Buffer.concat([body, Buffer.from(String(timestamp))])
    if (!verify('RSA-SHA256', signed, key, Buffer.from(String(signature), 'base64'))) {
      answer(response, 401, {})
      return
    }
    const text = body.toString('utf8')
    const { transaction_uuid: uuid, user_reference: user, transaction } = JSON.parse(text) as Body
    waiting.push({ uuid, user, status: transaction.status, text, response })
    if (waiting.length === 1) gather(0)
  }

  const server = createServer((request, response) => {
    if (request.url === '/usage') {
      const { user, system } = process.cpuUsage()
      answer(response, 200, { seconds: (user + system) / 1e6, bytes: process.memoryUsage.rss() })
      return
    }
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      receive(request, Buffer.concat(chunks), response)
    })
  })
  server.listen(0, 'localhost', () => {
    console.log((server.address() as AddressInfo).port)
  })
}
