/** The answers of handlers: a text, or a stream. `write-answer.ts` writes them, or `web-adapter.ts` for Next. */
import type { Writable } from 'node:stream'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

const compress = promisify(gzip)

type AnswerHeaders = Readonly<Record<string, string>>

/** For an answer that no cache stores. */
export const NO_STORE = { 'cache-control': 'no-store' } as const
const JSON_HEADERS = { 'content-type': 'application/json', ...NO_STORE } as const

/** An answer whose body is a text, or empty. The same answer may be written again. */
export class TextAnswer {
  readonly content: string
  readonly status: number
  readonly headers: AnswerHeaders
  /** `Set-Cookie` lines. */
  readonly cookies: readonly string[]
  #compressed: Promise<Buffer> | null = null

  constructor(
    content: string,
    {
      status,
      headers,
      cookies = [],
    }: { readonly status: number; readonly headers: AnswerHeaders; readonly cookies?: readonly string[] },
  ) {
    this.content = content
    this.status = status
    this.headers = headers
    this.cookies = cookies
  }

  /** The content in gzip, compressed once. */
  compressed(): Promise<Buffer> {
    this.#compressed ??= compress(this.content)
    return this.#compressed
  }
}

/** The path of a session's page as JSON, and what `server.ts` needs to answer with that page itself. */
export class LaunchAnswer extends TextAnswer {
  readonly page: {
    readonly location: string
    /** The `Cookie` header by which the page knows its session. */
    readonly cookie: string
    /** Of the document that the page will be written into. */
    readonly nonce: string
  }

  constructor(page: LaunchAnswer['page'], cookies: readonly string[]) {
    super(JSON.stringify({ location: page.location }), { status: 200, headers: JSON_HEADERS, cookies })
    this.page = page
  }
}

/** An answer 200 that lasts until either side ends it. Everything that can fail has succeeded before it exists. */
export interface StreamAnswer {
  readonly headers: AnswerHeaders
  /** True for a file, so that a client knows a broken one from a whole one; false for events, which need no frames. */
  readonly framed?: boolean
  /** Called once, also if `out` was destroyed meanwhile. */
  writeTo(out: Writable): void
}

/**
 * `writeTo` distinguishes them: an answer may come from another copy of this module, since Next's bundles have their
 * own.
 */
export type Answer = TextAnswer | LaunchAnswer | StreamAnswer

/** An answer as `application/json` that no cache stores. */
export const jsonAnswer = (status: number, body: unknown, cookies?: readonly string[]): TextAnswer =>
  new TextAnswer(JSON.stringify(body), { status, headers: JSON_HEADERS, ...(cookies && { cookies }) })

export const NO_CONTENT = new TextAnswer('', { status: 204, headers: NO_STORE })

const kept = new WeakMap<object, TextAnswer>()

/** The same with status 200, for a constant value that answers many calls: its text is made once. */
export function keptJsonAnswer<T extends object>(value: T, body: (value: T) => unknown): TextAnswer {
  const known = kept.get(value) ?? jsonAnswer(200, body(value))
  kept.set(value, known)
  return known
}
