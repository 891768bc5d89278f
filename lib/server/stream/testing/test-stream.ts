import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Store } from '../../store/types.ts'
import { createStreamHub, type StreamHub, type StreamHubOptions } from '../hub.ts'
import { readLastEventId } from '../sse-text.ts'
import { openUserStream, type StreamRequest } from '../sse.ts'
import { createEventReader, type EventReader } from './event-reader.ts'

/** A server that streams `/{user}/{session}` and nothing else. */
export interface TestStreamServer {
  readonly hub: StreamHub
  readonly server: Server
  readonly url: string
  close(): Promise<void>
}

export async function startStreamServer(
  store: Store,
  options: Partial<StreamHubOptions> & Partial<Pick<StreamRequest, 'onClose'>> & { readonly framed?: boolean } = {},
): Promise<TestStreamServer> {
  const { onClose, framed = false, ...hubOptions } = options
  const hub = createStreamHub({ store, log: { warn: () => undefined }, pollMs: 200, ...hubOptions })
  const server = createServer((request, response) => {
    const [, user = '', sessionId = ''] = (request.url ?? '').split('/')
    const after = readLastEventId(request.headers['last-event-id']?.toString(), null)
    openUserStream(hub, { user, sessionId, after, ...(onClose ? { onClose } : {}) }).then(
      (stream) => {
        // As `http/write-answer.ts` does.
        if (!framed) response.removeHeader('transfer-encoding')
        if (!response.destroyed) response.writeHead(200, stream.headers)
        stream.writeTo(response)
      },
      () => response.writeHead(500).end(),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    hub,
    server,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      await hub.close()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export interface OpenReader extends EventReader {
  readonly status: number
  readonly headers: Headers
  /** Resolves when the stream has ended, in any way. */
  readonly ended: Promise<void>
  cut(): void
}

/** Opens a stream and reads it in the background. */
export async function openReader(
  url: string,
  lastEventId = '',
  headers: Readonly<Record<string, string>> = {},
): Promise<OpenReader> {
  const abort = new AbortController()
  const response = await fetch(url, {
    signal: abort.signal,
    headers: { ...headers, ...(lastEventId !== '' && { 'last-event-id': lastEventId }) },
  })
  const reader = createEventReader(lastEventId)
  const read = async (): Promise<void> => {
    for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? []) reader.push(text)
  }
  return Object.defineProperties(reader, {
    status: { value: response.status },
    headers: { value: response.headers },
    ended: { value: read().catch(() => undefined) },
    cut: { value: () => abort.abort() },
  }) as OpenReader
}

/** Puts one balance event of `available: n` on the user's stream. */
export const tell = (store: Store, user: string, n: number): Promise<void> =>
  store.unitOfWork({ users: [] }, (unit) => {
    unit.outbox.setBalance(user, { currency_id: 'c', available: String(n), held: '0' })
  })

export const numbersOf = (reader: EventReader): number[] =>
  reader.events.map((event) => Number((JSON.parse(event.data) as { available: string }).available))
