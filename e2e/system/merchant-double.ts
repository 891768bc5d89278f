/** A merchant's backend that answers as a test tells it to, and keeps what it was asked. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'

export interface Question {
  readonly webhookId: string
  readonly body: Readonly<Record<string, unknown>>
  /** False where the signature is not the cashier's. */
  readonly authentic: boolean
}

/** Writes the answer to a question, or leaves it without one. */
export type Reply = (response: ServerResponse, question: Question) => void

export interface MerchantDouble {
  readonly url: string
  readonly questions: readonly Question[]
  /** What it answers from now on. */
  answer(reply: Reply): void
  close(): Promise<void>
}

export const says =
  (body: unknown, status = 200): Reply =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

/** @param secret gives the `whsec_` secret, once it is known */
export async function startMerchantDouble(secret: () => string): Promise<MerchantDouble> {
  const questions: Question[] = []
  let reply: Reply = says({})

  const isAuthentic = (request: IncomingMessage, body: string): boolean => {
    try {
      new Webhook(secret()).verify(body, request.headers as Record<string, string>)
      return true
    } catch {
      return false
    }
  }
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const question = {
        webhookId: String(request.headers['webhook-id']),
        body: JSON.parse(body) as Record<string, unknown>,
        authentic: isAuthentic(request, body),
      }
      questions.push(question)
      reply(response, question)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    questions,
    answer(next) {
      reply = next
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
