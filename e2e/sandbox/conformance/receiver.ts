import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A webhook as it arrived, byte for byte. */
export interface Received {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly raw: Buffer
  readonly event: unknown
}

export interface Receiver {
  readonly url: string
  readonly received: readonly Received[]
  /** The next webhooks are answered with these statuses, then with 200. */
  readonly answerWith: (...statuses: readonly number[]) => void
  readonly close: () => Promise<void>
}

function parsed(raw: Buffer): unknown {
  try {
    return JSON.parse(raw.toString('utf8'))
  } catch {
    return undefined
  }
}

/** The merchant's webhook endpoint while the suite runs. */
export async function startReceiver(host: string): Promise<Receiver> {
  const received: Received[] = []
  const statuses: number[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const raw = Buffer.concat(chunks)
      received.push({ headers: request.headers, raw, event: parsed(raw) })
      response.writeHead(statuses.shift() ?? 200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://${host}:${port}/`,
    received,
    answerWith(...given) {
      statuses.push(...given)
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
