/** What handlers give. There are two kinds: a text, and a stream. `write-answer.ts` writes both, `web-adapter.ts` for Next. */
import type { Writable } from 'node:stream'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

const compress = promisify(gzip)

type AnswerHeaders = Readonly<Record<string, string>>

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

  /** The content with gzip, compressed once. */
  compressed(): Promise<Buffer> {
    this.#compressed ??= compress(this.content)
    return this.#compressed
  }
}

/** An answer 200 that lasts until either side ends it. All that can fail has succeeded before there is one. */
export interface StreamAnswer {
  readonly headers: AnswerHeaders
  /** Called once, also for an `out` that was destroyed meanwhile. */
  writeTo(out: Writable): void
}

/** Told apart by `writeTo`: an answer may come from another copy of this module, as Next's bundles have their own. */
export type Answer = TextAnswer | StreamAnswer

/** No cache keeps it. */
export const NO_STORE = { 'cache-control': 'no-store' } as const
const JSON_HEADERS = { 'content-type': 'application/json', ...NO_STORE } as const

/** `application/json` that no cache keeps. */
export const jsonAnswer = (status: number, body: unknown, cookies?: readonly string[]): TextAnswer =>
  new TextAnswer(JSON.stringify(body), { status, headers: JSON_HEADERS, ...(cookies && { cookies }) })

const kept = new WeakMap<object, TextAnswer>()

/** The same with status 200 for a value that many calls are answered with and that never changes: its text is made once. */
export function keptJsonAnswer<T extends object>(value: T, body: (value: T) => unknown): TextAnswer {
  const known = kept.get(value) ?? jsonAnswer(200, body(value))
  kept.set(value, known)
  return known
}
