/** Adapts the Web's request and response for a handler that Next calls. */
import { PassThrough, Readable } from 'node:stream'
import { Problem } from '#lib/contract/problems.ts'
import type { Answer } from './answer.ts'
import type { Meter } from './byte-budget.ts'
import { cutOff, refuseTooLarge, tooLarge, type HeaderReader, type InboundRequest } from './inbound-request.ts'

export class WebRequest implements InboundRequest {
  readonly headers: HeaderReader
  readonly url: string
  readonly #body: Request['body']

  constructor({ headers, url, body }: Request) {
    this.headers = headers
    this.url = url
    this.#body = body
  }

  values(name: string): readonly string[] {
    const joined = this.headers.get(name)
    return joined === null ? [] : [joined]
  }

  async bytes(limit: number, meter?: Pick<Meter, 'add'>): Promise<Uint8Array> {
    refuseTooLarge(this.headers, limit)
    const chunks: Uint8Array[] = []
    let size = 0
    try {
      for await (const chunk of this.#body ?? []) {
        size += chunk.byteLength
        if (size > limit) throw tooLarge(limit)
        meter?.add(chunk.byteLength)
        chunks.push(chunk)
      }
    } catch (error) {
      throw error instanceof Problem ? error : cutOff(error)
    }
    return Buffer.concat(chunks)
  }
}

/** @param signal aborted when the client disconnects */
export function webResponse(answer: Answer, signal: AbortSignal): Response {
  const headers = new Headers(answer.headers)
  if ('writeTo' in answer) {
    const out = new PassThrough()
    signal.addEventListener('abort', () => out.destroy(), { once: true })
    answer.writeTo(out)
    return new Response(Readable.toWeb(out) as ReadableStream, { headers })
  }
  const { status, content, cookies } = answer
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  return new Response(content === '' ? null : content, { status, headers })
}
