/**
 * A Web `Response` whose body is a text. `Response` makes a stream of each body, which costs as much as the rest of a
 * small call; this one does so only for a caller that reads the body in the Web's way. `writeResponse` takes `content`.
 */
export class TextResponse extends Response {
  readonly content: string

  constructor(content: string, init: ResponseInit) {
    super(null, init)
    this.content = content
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

/** `application/json` that no cache keeps. */
export const jsonResponse = (status: number, body: unknown): Response =>
  new TextResponse(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  })
