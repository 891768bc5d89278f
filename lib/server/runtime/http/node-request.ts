import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { rawBody } from './raw-body.ts'

const headersOf = ({ headers }: IncomingMessage): Headers => {
  const result = new Headers()
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string') result.append(name, value)
    else for (const one of value ?? []) result.append(name, one)
  }
  return result
}

/**
 * A Web `Request` over an `IncomingMessage`. A web stream over a Node stream costs more than the rest of a call, so the
 * body becomes one only for who asks for `body`; `readBytes` takes the bytes from Node directly.
 */
export class NodeRequest extends Request {
  readonly #incoming: IncomingMessage
  #body: ReadableStream<Uint8Array<ArrayBuffer>> | null = null

  constructor(incoming: IncomingMessage) {
    const { method = 'GET', url = '/' } = incoming
    super(new URL(url, 'http://cashier.local'), { method, headers: headersOf(incoming) })
    this.#incoming = incoming
  }

  override get body(): ReadableStream<Uint8Array<ArrayBuffer>> | null {
    if (this.method === 'GET' || this.method === 'HEAD') return null
    this.#body ??= Readable.toWeb(this.#incoming) as ReadableStream<Uint8Array<ArrayBuffer>>
    return this.#body
  }

  override arrayBuffer(): Promise<ArrayBuffer> {
    return new Response(this.body).arrayBuffer()
  }

  override text(): Promise<string> {
    return new Response(this.body).text()
  }

  override json(): Promise<unknown> {
    return new Response(this.body).json()
  }

  /** @throws Problem `payload_too_large` above `limit` bytes, `invalid_request` where the body is cut off */
  bytesUpTo(limit: number): Promise<Uint8Array> {
    return rawBody(this.#incoming, limit)
  }
}
