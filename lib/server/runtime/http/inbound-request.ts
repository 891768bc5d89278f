/** A request as handlers see it. Node's and the Web's each have an adapter: `node-request.ts` and `web-adapter.ts`. */
import { Problem } from '#lib/contract/problems.ts'
import type { Meter } from './byte-budget.ts'

/** Headers by their name, whatever carries them; values of a repeated header are joined by a comma. */
export type HeaderReader = Pick<Headers, 'get'>

export interface InboundRequest {
  readonly headers: HeaderReader
  /** Path and query, with or without an origin before them. */
  readonly url: string
  /** Each value of a header. A Web request has joined them already. @param name in lower case */
  values(name: string): readonly string[]
  /**
   * The body's bytes, unchanged. A body that is too large is not read to its end.
   * @param meter counts them while they arrive
   * @throws Problem `payload_too_large` above `limit` bytes, `invalid_request` where the body is cut off, what `meter` throws
   */
  bytes(limit: number, meter?: Pick<Meter, 'add'>): Promise<Uint8Array>
}

export const tooLarge = (limit: number): Problem =>
  new Problem('payload_too_large', `The body may have at most ${limit / 1024} KiB.`)

/** Refuses a body by the length that its headers declare. @throws Problem `payload_too_large` above `limit` bytes */
export function refuseTooLarge(headers: HeaderReader, limit: number): void {
  if (Number(headers.get('content-length') ?? 0) > limit) throw tooLarge(limit)
}

export const cutOff = (cause?: unknown): Problem =>
  new Problem('invalid_request', 'The body was cut off.', cause === undefined ? {} : { cause })
