import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

const compress = promisify(gzip)

/**
 * A Web `Response` whose body is a text. `Response` makes a stream of each body, which costs as much as the rest of a
 * small call; this one does so only for a caller that reads the body in the Web's way. `writeResponse` takes `content`.
 */
export class TextResponse extends Response {
  readonly content: string
  #compressed: Promise<Buffer> | null = null

  constructor(content: string, init: ResponseInit) {
    super(null, init)
    this.content = content
  }

  /** The content with gzip, compressed once. */
  compressed(): Promise<Buffer> {
    this.#compressed ??= compress(this.content)
    return this.#compressed
  }

  #whole(): Response {
    return new Response(this.content, this)
  }

  override get body(): Response['body'] {
    return this.#whole().body
  }

  override text(): Promise<string> {
    return Promise.resolve(this.content)
  }

  override json(): Promise<unknown> {
    return this.#whole().json()
  }

  override arrayBuffer(): Promise<ArrayBuffer> {
    return this.#whole().arrayBuffer()
  }

  override blob(): Promise<Blob> {
    return this.#whole().blob()
  }

  override bytes(): ReturnType<Response['bytes']> {
    return this.#whole().bytes()
  }

  override clone(): Response {
    return this.#whole()
  }
}

const JSON_HEADERS = { 'content-type': 'application/json', 'cache-control': 'no-store' } as const

/** An answer in JSON that no cache keeps, which becomes a Web `Response` only for Next. The same may be written again. */
export class JsonAnswer {
  readonly headers = JSON_HEADERS
  readonly status: number
  readonly content: string
  #compressed: Promise<Buffer> | null = null

  constructor(status: number, content: string) {
    this.status = status
    this.content = content
  }

  /** The content with gzip, compressed once. */
  compressed(): Promise<Buffer> {
    this.#compressed ??= compress(this.content)
    return this.#compressed
  }

  toResponse(): Response {
    return new TextResponse(this.content, { status: this.status, headers: this.headers })
  }
}

/** `application/json` that no cache keeps. */
export const jsonResponse = (status: number, body: unknown): JsonAnswer => new JsonAnswer(status, JSON.stringify(body))

const kept = new WeakMap<object, JsonAnswer>()

/** The same with status 200 for a value that many calls are answered with and that never changes: its text is made once. */
export function keptJsonResponse<T extends object>(value: T, body: (value: T) => unknown): JsonAnswer {
  const known = kept.get(value) ?? jsonResponse(200, body(value))
  kept.set(value, known)
  return known
}
