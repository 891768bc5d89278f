import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Meter } from './byte-budget.ts'
import { cutOff, refuseTooLarge, tooLarge, type HeaderReader, type InboundRequest } from './inbound-request.ts'

const headerReader = (headers: IncomingHttpHeaders): HeaderReader => ({
  get(name) {
    const value = headers[name.toLowerCase()]
    return typeof value === 'string' ? value : (value?.join(', ') ?? null)
  },
})

/**
 * Node's request for a handler. Creating a Web `Request` with `Headers` for each call costs more than most handlers.
 */
export class NodeRequest implements InboundRequest {
  readonly headers: HeaderReader
  readonly #incoming: IncomingMessage

  constructor(incoming: IncomingMessage) {
    this.headers = headerReader(incoming.headers)
    this.#incoming = incoming
  }

  get url(): string {
    return this.#incoming.url ?? '/'
  }

  values(name: string): readonly string[] {
    const { rawHeaders } = this.#incoming
    const values: string[] = []
    for (let at = 0; at < rawHeaders.length; at += 2) {
      if (rawHeaders[at]?.toLowerCase() === name) values.push(rawHeaders[at + 1] ?? '')
    }
    return values
  }

  async bytes(limit: number, meter?: Pick<Meter, 'add'>): Promise<Uint8Array> {
    refuseTooLarge(this.headers, limit)
    return bodyOf(this.#incoming, limit, meter)
  }
}

const bodyOf = (request: IncomingMessage, limit: number, meter?: Pick<Meter, 'add'>): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      try {
        if (size > limit) throw tooLarge(limit)
        meter?.add(chunk.length)
        chunks.push(chunk)
      } catch (fault) {
        // Frees earlier chunks at once, and not only when the client has gone.
        chunks.length = 0
        request.pause()
        reject(fault instanceof Error ? fault : new Error('the body could not be counted', { cause: fault }))
      }
    })
    let whole = false
    request.once('end', () => {
      whole = true
      resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks))
    })
    const cut = (): void => {
      if (!whole) reject(cutOff())
    }
    request.once('error', cut)
    request.once('close', cut)
  })
