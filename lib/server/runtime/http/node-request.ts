import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { rawBody } from './raw-body.ts'
import type { HeaderReader } from './require-origin.ts'

/** Reads headers as Node has them. */
export const headerReader = (headers: IncomingHttpHeaders): HeaderReader => ({
  get(name) {
    const value = headers[name.toLowerCase()]
    return typeof value === 'string' ? value : (value?.join(', ') ?? null)
  },
})

/**
 * An `IncomingMessage` as an endpoint sees it, with what endpoints use of a Web `Request`. Making a `Request` and its
 * `Headers` for each call costs more than most endpoints do.
 */
export class NodeRequest {
  readonly headers: HeaderReader
  readonly #incoming: IncomingMessage

  constructor(incoming: IncomingMessage) {
    this.headers = headerReader(incoming.headers)
    this.#incoming = incoming
  }

  /** Path and query. */
  get url(): string {
    return this.#incoming.url ?? '/'
  }

  get body(): ReadableStream<Uint8Array> | null {
    return Readable.toWeb(this.#incoming) as ReadableStream<Uint8Array>
  }

  /** Aborted when the client goes away. */
  get signal(): AbortSignal {
    const gone = new AbortController()
    this.#incoming.once('close', () => gone.abort())
    return gone.signal
  }

  /** @throws Problem `payload_too_large` above `limit` bytes, `invalid_request` where the body is cut off */
  bytesUpTo(limit: number): Promise<Uint8Array> {
    return rawBody(this.#incoming, limit)
  }
}

/** What carries a call: Node's own objects, or a Web `Request` where Next answers. */
export type InboundRequest = NodeRequest | Request
