/** A merchant's webhook that refuses the events of some users, and passes all others on. */
import { createServer, type IncomingHttpHeaders } from 'node:http'

export interface DemoReceiver {
  readonly url: string
  /** Users whose events are refused. It may change. */
  readonly refused: Set<string>
  close(): Promise<void>
}

const PASSED_ON = ['content-type', 'webhook-id', 'webhook-timestamp', 'webhook-signature', 'traceparent'] as const

const passedOn = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(PASSED_ON.flatMap((name) => (typeof headers[name] === 'string' ? [[name, headers[name]]] : [])))

interface Answer {
  readonly status: number
  readonly body: string
}

/** @param passOnTo the webhook that takes the other events; null: they are accepted and go nowhere */
export async function startDemoReceiver(port: number, passOnTo: string | null): Promise<DemoReceiver> {
  const refused = new Set<string>()

  async function answerOf(body: string, headers: IncomingHttpHeaders): Promise<Answer> {
    const { data } = JSON.parse(body) as { data?: { user_reference_id?: string } }
    if (refused.has(data?.user_reference_id ?? ''))
      return { status: 503, body: JSON.stringify({ error: 'the account of this player is locked' }) }
    if (passOnTo === null) return { status: 200, body: '{}' }
    const answer = await fetch(passOnTo, { method: 'POST', headers: passedOn(headers), body })
    return { status: answer.status, body: await answer.text() }
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      answerOf(Buffer.concat(chunks).toString('utf8'), request.headers)
        .catch((error: unknown): Answer => ({ status: 502, body: JSON.stringify({ error: String(error) }) }))
        .then(({ status, body }) => response.writeHead(status, { 'content-type': 'application/json' }).end(body))
        .catch(() => response.destroy())
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${String(port)}/`,
    refused,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
