/** A request as handlers see it. The adapters are `node-request.ts` and, for the Web's `Request`, `web-adapter.ts`. */
import { Problem } from '#lib/contract/problems.ts'
import type { Meter } from './byte-budget.ts'

/** Headers by name, from any kind of request; values of a repeated header are joined by a comma. */
export type HeaderReader = Pick<Headers, 'get'>

export interface InboundRequest {
  readonly headers: HeaderReader
  /** Path and query, with or without an origin before them. */
  readonly url: string
  /** The values of a header; a Web request has already joined them. @param name in lower case */
  values(name: string): readonly string[]
  /**
   * The body's bytes, unchanged. A body that is too large is not read to its end.
   * @param meter counts them while they arrive
   * @throws Problem `payload_too_large` above `limit` bytes, `invalid_request` if the body is cut off, and the errors
   * of `meter`
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
