import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener, type HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'

/** A webhook with its exact bytes. */
export interface Received {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly raw: Buffer
  readonly event: unknown
}

export interface Receiver {
  readonly url: string
  readonly received: readonly Received[]
  /** Statuses for the next webhooks. Later webhooks get 200. */
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
  const app = new Hono<{ Bindings: HttpBindings }>()
  app.all('*', async (c) => {
    const raw = Buffer.from(await c.req.arrayBuffer())
    received.push({ headers: c.env.incoming.headers, raw, event: parsed(raw) })
    return Response.json({}, { status: statuses.shift() ?? 200 })
  })
  const handle = getRequestListener(app.fetch, { overrideGlobalObjects: false })
  const server = createServer((request, response) => void handle(request, response)).listen(0, host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://${host}:${port}/`,
    received,
    answerWith(...given) {
      statuses.push(...given)
    },
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
